import { Fragment } from 'preact'
import { gapsBetween } from '../../../../src/core/basics/gaps.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { Coverage } from '../../../../src/core/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { formatShare } from '../parts/format.ts'

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
  const trackStates = [
    ...tracks.map(track => ({ track, ...coverage[track] })),
    ...(caption ? [{ track: 'caption' as const, ...caption }] : []),
  ]
  return trackStates.flatMap(({ track, state, spans }) => {
    if (state === 'absent') return []
    const gaps = state === 'off' || state === 'failed' ? [whole] : gapsBetween(spans, whole)
    const lost = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
    const share = coverage.duration > 0 ? 1 - lost / coverage.duration : 1
    return [{ track, share, missing: gaps.filter(gap => gap.end - gap.start >= 1), state }]
  })
}

const most = 4 // gaps that are named

// What an answer can rest on, and what it cannot.
export function LookedLine({ coverage }: { coverage: Coverage }) {
  const looked = lookedAt(coverage)
  const missing = looked.flatMap(({ track, missing }) => missing.map(span => ({ track, span })))
  const rest = missing.length - most
  return (
    <p class="looked-line small dim">
      looked at{' '}
      {looked.map(({ track, share }, at) => (
        <Fragment key={track}>
          {at > 0 && ' · '}
          <span class="looked-track">
            {track} {formatShare(share)}
          </span>
        </Fragment>
      ))}
      {missing.length > 0 && (
        <span class="not-looked">
          not looked at:{' '}
          {missing
            .slice(0, most)
            .map(({ track, span }) => `${track} ${spanText(span)}`)
            .join(', ')}
          {rest > 0 && ` and ${rest} more`}
        </span>
      )}
    </p>
  )
}

function spanText({ start, end }: Span): string {
  return `${formatTime(start)}–${formatTime(end)}`
}
