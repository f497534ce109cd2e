import { Fragment } from 'preact'
import type { Span } from '../../core/time.ts'
import type { Coverage } from '../../core/video.ts'
import { formatTime } from '../../core/words/time-text.ts'
import { formatPercent } from '../parts/format.ts'
import { lookedAt } from './coverage.ts'

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
            {track} {formatPercent(share)}
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
