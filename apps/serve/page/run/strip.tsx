import type { Signal } from '@preact/signals'
import type { LaneMark } from '../../../../src/core/run/step-spans.ts'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { formatCount } from '../parts/format.ts'

export type StripMarks = Readonly<Record<'searched' | 'looked' | 'cited', readonly LaneMark[]>>

interface StripProps {
  title: string
  marks: StripMarks
  shown: Span // of the video
  clock: Signal<number | undefined> // seconds under the pointer, the same in all strips of a view
}

const lanes = ['searched', 'looked', 'cited'] as const

// Where in the video a run has been, as three thin lanes. The same is text in the steps and the ledger.
export function Strip({ title, marks, shown, clock }: StripProps) {
  const length = Math.max(0.001, shown.end - shown.start)
  const x = (seconds: number) => `${((seconds - shown.start) / length) * 100}%`
  const follow = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)))
    clock.value = shown.start + share * length
  }
  const label = lanes.map(lane => `${lane} ${formatCount(marks[lane].length, 'moment')}`).join(', ')
  return (
    <figure class="strip">
      <figcaption>{title}</figcaption>
      <ul class="names" aria-hidden="true">
        {lanes.map(lane => (
          <li key={lane}>{lane}</li>
        ))}
      </ul>
      <svg
        role="img"
        aria-label={`${title}: ${label}`}
        onPointerMove={follow}
        onPointerLeave={() => (clock.value = undefined)}
      >
        {lanes.map((lane, row) => (
          <line key={lane} class="base" x1="0" x2="100%" y1={row * 20 + 19.5} y2={row * 20 + 19.5} />
        ))}
        {[...marks.searched, ...marks.looked].map((mark, nr) => {
          const lane = nr < marks.searched.length ? 'searched' : 'looked'
          return <Mark key={nr} {...{ mark, lane, x, shown }} />
        })}
        {marks.cited.map(mark => (
          <text key={mark.row} class="cited" x={x(mark.span.start)} y="55" text-anchor="middle">
            ◆<title>{`cited: ${spanText(mark.span)}`}</title>
          </text>
        ))}
        {clock.value !== undefined && <line class="clock" x1={x(clock.value)} x2={x(clock.value)} y1="0" y2="100%" />}
      </svg>
    </figure>
  )
}

interface MarkProps {
  mark: LaneMark
  lane: 'searched' | 'looked'
  x(seconds: number): string
  shown: Span
}

function Mark({ mark: { span, step, track }, lane, x, shown }: MarkProps) {
  const width = Math.max(0, Math.min(span.end, shown.end) - Math.max(span.start, shown.start))
  const isWhole = width >= (shown.end - shown.start) * 0.98
  return (
    <rect
      class={`${lane} ${isWhole ? 'whole' : ''} ${track ?? ''}`}
      x={x(Math.max(span.start, shown.start))}
      y={lane === 'searched' ? 4 : 24}
      width={`${Math.max(0.3, (width / (shown.end - shown.start)) * 100)}%`}
      height="12"
    >
      <title>{`${lane} in step ${step}: ${spanText(span)}`}</title>
    </rect>
  )
}

// The times under strips, with the moment under the pointer.
export function TimeAxis({ shown, clock }: { shown: Span; clock: Signal<number | undefined> }) {
  const parts = [0, 0.25, 0.5, 0.75, 1]
  return (
    <p class="time-axis" aria-hidden="true">
      <span class="now">{clock.value === undefined ? '' : formatTime(clock.value)}</span>
      <span class="ticks">
        {parts.map(part => (
          <span key={part}>{formatTime(shown.start + part * (shown.end - shown.start))}</span>
        ))}
      </span>
    </p>
  )
}

function spanText({ start, end }: Span): string {
  return start === end ? formatTime(start) : `${formatTime(start)}-${formatTime(end)}`
}
