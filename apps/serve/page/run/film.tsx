import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatCount, formatSeconds } from '../parts/format.ts'
import { Empty } from '../parts/problem.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { filmMarks } from './film-marks.ts'
import { RunHead } from './head.tsx'
import { Knowledge } from './knowledge.tsx'
import { OutcomeMark } from './outcome.tsx'
import { Strip, TimeAxis } from './strip.tsx'
import { ThisStep } from './this-step.tsx'
import type { RecordedStep, RunReply, RunTool } from './types.ts'
import { recordedVideo } from './video-of.ts'

// A run as a film of its states: the step is in the address. Without one it is the first that found what the answer cites, or the last:
// a run that is not over moves on by itself.
export function FilmView({ run, again }: { run: RunReply; again(): void }) {
  const { steps } = run
  const at = findPlace(run, currentRoute.value.query.get('step'))
  const toPlace = (to: number) => {
    const step = steps[Math.min(Math.max(0, to), steps.length - 1)]
    if (step) setQuery({ step: step.step })
  }
  useViewKeys({
    ArrowLeft: () => toPlace(at - 1),
    p: () => toPlace(at - 1),
    ArrowRight: () => toPlace(at + 1),
    n: () => toPlace(at + 1),
    Home: () => toPlace(0),
    End: () => toPlace(steps.length - 1),
  })
  const current = steps[at]
  return (
    <div class="run-view">
      <RunHead run={run} again={again} />
      {current ? (
        <>
          <div class="panel film">
            <Scrubber steps={steps} at={at} toPlace={toPlace} />
            <FilmStrip run={run} at={at} />
          </div>
          <div class="film-panels">
            <StepList steps={steps} at={at} toPlace={toPlace} />
            <ThisStep run={run.id} step={current} />
            <Knowledge run={run.id} video={recordedVideo(run)?.id} step={current} cited={citedIn(run)} />
          </div>
        </>
      ) : (
        <Empty title="No step was recorded">
          <p>The run ended before its first step, or an older release made it.</p>
        </Empty>
      )}
    </div>
  )
}

function FilmStrip({ run, at }: { run: RunReply; at: number }) {
  const clock = useSignal<number | undefined>(undefined)
  const duration = recordedVideo(run)?.duration
  if (duration === undefined) return null
  const wholeSpan = { start: 0, end: duration }
  return (
    <div class="film-strip">
      <Strip title="Lanes up to this step" marks={filmMarks(run, at + 1)} {...{ shown: wholeSpan, clock }} />
      <TimeAxis shown={wholeSpan} clock={clock} />
    </div>
  )
}

function findPlace({ steps, answer }: RunReply, asked: string | null): number {
  const named = steps.findIndex(({ step }) => String(step) === asked)
  if (named !== -1) return named
  const cited = citedIn({ answer })
  const byCall = steps.findIndex(({ tools }) => tools.some(({ evidence }) => evidence.some(id => cited.has(id))))
  const firstCited = byCall === -1 ? steps.findIndex(({ fresh }) => fresh.some(id => cited.has(id))) : byCall
  return firstCited === -1 ? Math.max(0, steps.length - 1) : firstCited
}

// Keys of a whole view. They are left alone where somebody writes, chooses or has a control of their own under the hand.
function useViewKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog, [role="slider"]'))
        return
      const run = keys[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function citedIn({ answer }: Pick<RunReply, 'answer'>): ReadonlySet<string> {
  return new Set(answer?.answer.sentences.flatMap(({ cites }) => cites))
}

interface ScrubberProps {
  steps: readonly RecordedStep[]
  at: number // place in the list
  toPlace(at: number): void
}

// The film of a run: a slider over its steps, with a button for each direction.
function Scrubber({ steps, at, toPlace }: ScrubberProps) {
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
      <output class="clock">{formatSeconds(computeEnd(current))}</output>
    </div>
  )
}

// Seconds of the run when the step was over.
function computeEnd({ at, seconds = 0 }: RecordedStep): number {
  return at + seconds
}

interface StepsProps {
  steps: readonly RecordedStep[]
  at: number
  toPlace(at: number): void
}

// The steps in their rounds, each with its calls and what came of them.
function StepList({ steps, at, toPlace }: StepsProps) {
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
