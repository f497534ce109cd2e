import { formatSeconds } from '../parts/format.ts'
import type { RecordedStep } from './types.ts'

interface ScrubberProps {
  steps: readonly RecordedStep[]
  at: number // place in the list
  toPlace(at: number): void
}

// The film of a run: a slider over its steps, with a button for each direction.
export function Scrubber({ steps, at, toPlace }: ScrubberProps) {
  const current = steps[at]
  if (!current) return null
  return (
    <div class="scrubber">
      <button type="button" aria-label="Previous step" disabled={at === 0} onClick={() => toPlace(at - 1)}>
        ◀
      </button>
      <output class="place">
        step {at + 1} of {steps.length}
      </output>
      <button type="button" aria-label="Next step" disabled={at === steps.length - 1} onClick={() => toPlace(at + 1)}>
        ▶
      </button>
      <div class="track">
        <svg class="ticks" aria-hidden="true" focusable="false">
          {steps.map(({ step, node }, place) => {
            const x = `${steps.length === 1 ? 0 : (place / (steps.length - 1)) * 100}%`
            return <line key={step} x1={x} x2={x} y1="0" y2="100%" class={node === 'plan' ? 'round' : ''} />
          })}
        </svg>
        <input
          type="range"
          aria-label="Step"
          min={1}
          max={steps.length}
          value={at + 1}
          aria-valuetext={`step ${at + 1} of ${steps.length}: ${current.node}`}
          onInput={event => toPlace(Number(event.currentTarget.value) - 1)}
        />
      </div>
      <output class="clock">{formatSeconds(endOf(current))}</output>
    </div>
  )
}

// Seconds of the run when the step was over.
function endOf({ at, seconds = 0 }: RecordedStep): number {
  return at + seconds
}
