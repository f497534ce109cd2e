import { gapsBetween } from '../../../../src/core/basics/gaps.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { Coverage } from '../../../../src/core/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'

const tracks = ['picture', 'speech', 'text', 'sound'] as const

interface Looked {
  track: (typeof tracks)[number] | 'caption'
  missing: Span[] // of a second and more
  state: Coverage['picture']['state']
}

// What an answer can rest on: how much of each track was looked at. A track that the video does not have is left out.
export function lookedAt(coverage: Coverage): Looked[] {
  const whole = { start: 0, end: coverage.duration }
  const { caption } = coverage
  const trackStates = [
    ...tracks.map(track => ({ track, ...coverage[track] })),
    ...(caption ? [{ track: 'caption' as const, ...caption }] : []),
  ]
  return trackStates.flatMap(({ track, state, spans }) => {
    if (state === 'absent') return []
    const gaps = state === 'off' || state === 'failed' ? [whole] : gapsBetween(spans, whole)
    return [{ track, missing: gaps.filter(gap => gap.end - gap.start >= 1), state }]
  })
}

const most = 4 // gaps that are named

// What the answer could not rest on; nothing if all was searched.
export function LookedLine({ coverage }: { coverage: Coverage }) {
  const missing = lookedAt(coverage)
    .filter(({ state }) => state !== 'off')
    .flatMap(({ track, missing }) => missing.map(span => ({ track, span })))
  if (missing.length === 0) return null
  const rest = missing.length - most
  return (
    <p class="looked-line small">
      Not searched:{' '}
      {missing
        .slice(0, most)
        .map(({ track, span }) => `${track} ${spanText(span)}`)
        .join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </p>
  )
}

function spanText({ start, end }: Span): string {
  return `${formatTime(start)}–${formatTime(end)}`
}
