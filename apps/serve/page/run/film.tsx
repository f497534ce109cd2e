import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Empty } from '../parts/problem.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { filmMarks } from './film-marks.ts'
import { RunHead } from './head.tsx'
import { Knowledge } from './knowledge.tsx'
import { Scrubber } from './scrubber.tsx'
import { StepList } from './steps.tsx'
import { Strip, TimeAxis } from './strip.tsx'
import { ThisStep } from './this-step.tsx'
import type { RunReply } from './types.ts'
import { recordedVideo } from './video-of.ts'

// A run as a film of its states: the step is in the address. Without one it is the first that found what the answer cites, or the last:
// a run that is not over moves on by itself.
export function FilmView({ run, again }: { run: RunReply; again(): void }) {
  const { steps } = run
  const at = placeOf(run, currentRoute.value.query.get('step'))
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

function placeOf({ steps, answer }: RunReply, asked: string | null): number {
  const named = steps.findIndex(({ step }) => String(step) === asked)
  if (named !== -1) return named
  const cited = citedIn({ answer })
  const byCall = steps.findIndex(({ tools }) => tools.some(({ evidence }) => evidence.some(id => cited.has(id))))
  const found = byCall === -1 ? steps.findIndex(({ fresh }) => fresh.some(id => cited.has(id))) : byCall
  return found === -1 ? Math.max(0, steps.length - 1) : found
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
