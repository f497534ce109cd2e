import { formatCount, formatSeconds } from '../parts/format.ts'
import { OutcomeMark } from './outcome.tsx'
import type { RecordedStep, RunTool } from './types.ts'

interface StepsProps {
  steps: readonly RecordedStep[]
  at: number
  toPlace(at: number): void
}

// The steps in their rounds, each with its calls and what came of them.
export function StepList({ steps, at, toPlace }: StepsProps) {
  const longest = Math.max(...steps.map(({ seconds }) => seconds ?? 0))
  return (
    <section class="panel film-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">Steps</h2>
      <ol>
        {steps.map((step, place) => (
          <li key={step.step} class={startsRound(steps, place) ? 'round-start' : ''}>
            {startsRound(steps, place) && <p class="round">Round {step.round + 1}</p>}
            <button type="button" aria-current={place === at ? 'step' : undefined} onClick={() => toPlace(place)}>
              <span class="line">
                <span class="nr">{place + 1}</span>
                <span class="node">{step.node}</span>
                {step.fresh.length > 0 && <span class="fresh">+{step.fresh.length} rows</span>}
                <span class="number dim">{step.seconds === undefined ? '' : formatSeconds(step.seconds)}</span>
              </span>
              {longest > 0 && <span class="step-bar" style={{ width: `${(100 * (step.seconds ?? 0)) / longest}%` }} />}
              {step.tools.map((tool, nr) => (
                <ToolLine key={nr} {...tool} />
              ))}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

function ToolLine({ tool, outcome, evidence, helper }: RunTool) {
  return (
    <span class="line call">
      <span class="node">{tool}</span>
      <OutcomeMark of={outcome} rows={evidence.length} />
      {helper && <span class="dim">helper: {formatCount(helper.length, 'call')}</span>}
    </span>
  )
}

// A round begins where the planner is asked.
function startsRound(steps: readonly RecordedStep[], place: number): boolean {
  return steps[place]?.said !== undefined && steps[place]?.round !== steps.slice(0, place).findLast(hasSaid)?.round
}

function hasSaid({ said }: RecordedStep): boolean {
  return said !== undefined
}
