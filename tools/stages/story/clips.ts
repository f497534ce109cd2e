import type { Evidence, Track } from '../../../src/core/evidence.ts'
import { overlap, type Span, spanLength } from '../../../src/core/time.ts'
import type { Shot } from '../../../src/core/video.ts'
import { isNotable } from '../../../src/text/sounds.ts'
import { rowTokens } from './tokens.ts'

export interface StoryClip {
  span: Span
  rows: Evidence[]
}

export const clipSeconds = 60

const storyTracks: readonly Track[] = ['speech', 'text', 'sound', 'caption', 'person']

// The rows that are written about.
export function toldRows(rows: readonly Evidence[]): Evidence[] {
  return rows.filter(row => storyTracks.includes(row.track) && row.text.trim() !== '' && isNotable(row, ''))
}

// Short shots together and long ones in pieces, a minute at most, each with its rows; where these take more than so many tokens, the
// clip is cut between two of them. A part without rows is in no clip.
export function cutStoryClips(shots: readonly Shot[], rows: readonly Evidence[], maxTokens: number): StoryClip[] {
  const spans = clipSpans(shots)
  const clips = spans.map((span): StoryClip => ({ span, rows: [] }))
  let first = 0
  for (const row of rows) {
    while (first < spans.length - 1 && (spans[first] as Span).end <= row.span.start) first++
    for (let at = first; at < spans.length && (at === first || belongs(row, spans[at] as Span)); at++)
      clips[at]?.rows.push(row)
  }
  return clips.flatMap(clip => (clip.rows.length > 0 ? cutToFit(clip, maxTokens) : []))
}

const longest = 600 // seconds; what stays for longer, as the sign of a station does, is told once

// A row is told where it begins; one that stays, as a slide does, also in clips that it fills by half.
function belongs({ span: row }: Evidence, clip: Span): boolean {
  return spanLength(row) <= longest && overlap(row, clip) >= spanLength(clip) / 2
}

function clipSpans(shots: readonly Shot[]): Span[] {
  const spans: Span[] = []
  for (const { start, end } of shots) {
    const last = spans.at(-1)
    if (last && end - last.start <= clipSeconds) last.end = end
    else spans.push(...pieces({ start, end }))
  }
  return spans.filter(span => span.end > span.start)
}

function pieces({ start, end }: Span): Span[] {
  const count = Math.max(1, Math.ceil((end - start) / clipSeconds))
  const length = (end - start) / count
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: at === count - 1 ? end : start + (at + 1) * length,
  }))
}

function cutToFit({ span, rows }: StoryClip, maxTokens: number): StoryClip[] {
  const tokens = rows.reduce((sum, row) => sum + rowTokens(row), 0)
  if (tokens <= maxTokens || rows.length < 2) return [{ span, rows }]
  const half = Math.ceil(rows.length / 2)
  const begin = rows[half]?.span.start ?? span.end
  const isInside = begin > span.start && begin < span.end
  const [before, after] = isInside
    ? [
        { ...span, end: begin },
        { ...span, start: begin },
      ]
    : [span, span]
  return [
    ...cutToFit({ span: before, rows: rows.slice(0, half) }, maxTokens),
    ...cutToFit({ span: after, rows: rows.slice(half) }, maxTokens),
  ]
}
