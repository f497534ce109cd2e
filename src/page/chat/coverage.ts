import { gapsBetween } from '../../core/basics/gaps.ts'
import type { Span } from '../../core/time.ts'
import type { Coverage } from '../../core/video.ts'

const tracks = ['picture', 'speech', 'text', 'sound'] as const

interface Looked {
  track: (typeof tracks)[number] | 'caption'
  share: number // of the video, from 0 to 1
  missing: Span[] // of a second and more
  state: Coverage['picture']['state']
}

// What an answer can rest on: how much of each track was looked at. A track that the video does not have is left out.
export function lookedAt(coverage: Coverage): Looked[] {
  const whole = { start: 0, end: coverage.duration }
  const { caption } = coverage
  const told = [
    ...tracks.map(track => ({ track, ...coverage[track] })),
    ...(caption ? [{ track: 'caption' as const, ...caption }] : []),
  ]
  return told.flatMap(({ track, state, spans }) => {
    if (state === 'absent') return []
    const gaps = state === 'off' || state === 'failed' ? [whole] : gapsBetween(spans, whole)
    const lost = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
    const share = coverage.duration > 0 ? 1 - lost / coverage.duration : 1
    return [{ track, share, missing: gaps.filter(gap => gap.end - gap.start >= 1), state }]
  })
}
