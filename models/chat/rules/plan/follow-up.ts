import type { PlanBrief } from '../../../../src/core/brief.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { anchorMoments } from '../anchor-moments.ts'
import { asksSeenNext } from '../answers/seen-next.ts'
import { rankRows } from '../match.ts'
import { spokenBy, targetTracks } from '../question-parts.ts'
import { hasCaptionRows } from '../sight.ts'
import { optionTopics } from '../topics.ts'
import { type PlannedCall, type TimelineInput, timelineCall } from './calls.ts'

const near = 60 // seconds
const far = 600

// Fetches the rest of truncated lists: counting needs all rows, and who is seen may be in any caption.
export function restOfLists(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  const isCounted = ['count', 'count-units', 'order', 'contents', 'speaking'].includes(asked.kind)
  const isSeen = asked.kind === 'picture' || asksSeenNext(asked.text)
  if (!isCounted && !isSeen) return []
  const rows = new Map(brief.evidence.map(row => [row.id, row]))
  return brief.steps
    .filter(
      step =>
        step.round === brief.round - 1 &&
        step.tool === 'timeline' &&
        (isCounted || listsSeen(step.input)) &&
        /^\d+ rows\. The first \d+ of/.test(step.text ?? ''),
    )
    .flatMap(step => {
      const last = rows.get(step.evidence.at(-1) ?? '')
      return last ? [timelineCall({ ...(step.input as TimelineInput), start: last.span.start })] : []
    })
}

function listsSeen(input: unknown): boolean {
  const { tracks, about } = input as TimelineInput
  return about === undefined && tracks?.includes('caption') === true
}

// The second round: looks around the best moments, or searches differently if nothing was found.
export function closer(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  if (asked.kind === 'neighbour' || asked.kind === 'during') {
    const moments = anchorMoments(asked, brief.evidence)
    if (moments.length === 0 && asked.anchor) return [timelineCall({ tracks: ['speech', 'text', 'sound'], limit: 400 })]
    return moments
      .slice(0, 3)
      .map(span => timelineCall({ tracks: [...targetTracks(asked)], ...around(span, asked, brief.duration) }))
  }
  if (asked.kind === 'picture') return lookCalls(brief, asked)
  const best = rankRows(asked, brief.evidence)[0]
  if (['fact', 'about', 'presence'].includes(asked.kind) && best && best.score >= 0.3) {
    const span = best.rows[0].span
    const near = timelineCall({
      tracks: ['speech', 'text'],
      start: Math.max(0, span.start - 12),
      end: Math.min(brief.duration, span.end + 12),
    })
    return brief.question.options ? [near, ...optionContext(brief)] : [near]
  }
  if (!best || best.score < 0.3)
    return asked.topic.terms.slice(0, 4).map(term => timelineCall({ about: term.text, limit: 40 }))
  return []
}

// If nothing is near the moment, looks farther.
export function further(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  const tracks = targetTracks(asked)
  const later = asked.anchor?.relation === 'after'
  const rows = spokenBy(asked.speaker, brief.evidence).filter(row => tracks.includes(row.track))
  return anchorMoments(asked, brief.evidence)
    .slice(0, 1)
    .filter(moment => {
      const gaps = rows
        .filter(row => row.id !== moment.row?.id)
        .map(row => (later ? row.span.start - moment.end : moment.start - row.span.end))
      return !gaps.some(gap => gap >= -0.5 && gap <= near)
    })
    .map(moment =>
      timelineCall({
        tracks,
        ...(later ? { start: moment.end } : { start: Math.max(0, moment.start - 1200), end: moment.start }),
      }),
    )
}

function lookCalls(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  const spans = rankRows(asked, brief.evidence)
    .slice(0, hasCaptionRows(brief) ? 4 : 2)
    .map(match => match.rows[0].span)
  const places = asked.span
    ? [asked.span]
    : spans.length > 0
      ? spans
      : [{ start: 0, end: Math.min(60, brief.duration) }]
  return places.map(span => {
    const start = Math.max(0, span.start - 1)
    const end = Math.min(brief.duration, Math.max(span.end, span.start + 4), start + 60)
    return { name: 'look', arguments: { start, end, question: asked.text } }
  })
}

function optionContext(brief: PlanBrief): PlannedCall[] {
  return optionTopics(brief.question.options ?? [])
    .flatMap(topic => (topic.words && topic.terms.length <= 4 ? [timelineCall({ about: topic.words, limit: 30 })] : []))
    .slice(0, 5)
}

function around(span: Span, asked: ParsedQuestion, duration: number): Span {
  const sparse = !targetTracks(asked).includes('speech') // texts and sounds are sparse
  const reach = asked.kind === 'during' ? 6 : sparse ? far : near
  const after = asked.anchor?.relation !== 'before' ? reach : 3
  const before = asked.anchor?.relation !== 'after' ? reach : 3
  return { start: Math.max(0, span.start - before), end: Math.min(duration, span.end + after) }
}
