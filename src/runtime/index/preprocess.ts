import { availableParallelism } from 'node:os'
import { linkSignals } from '../../core/basics/signals.ts'
import { InterruptedError } from '../../core/errors.ts'
import type { EarlyPart, Stage, StageOutcome, StagePipeline } from '../../core/stage.ts'

export type StagePlan = Pick<Stage, 'name' | 'after' | 'early' | 'runAfter' | 'partial'>
export type Outcomes = Partial<Record<string, StageOutcome>>
export type RunStage = (
  step: StagePlan,
  news: StagePipeline,
  outcomes: Outcomes,
  signal: AbortSignal,
) => Promise<StageOutcome>

const fewCores = 4

// Makes an index: every stage begins as soon as what it reads is there, or so much of it as it begins with. A stage that throws stops
// those beside it, and nobody is left running at the end; one that returns "failed" is left out, with those that read it.
export async function preprocess(steps: readonly StagePlan[], run: RunStage, signal: AbortSignal): Promise<Outcomes> {
  const halt = linkSignals(signal)
  const outcomes: Outcomes = {}
  const begun = new Set<string>()
  const { end, news, first } = stageNews(steps, halt.signal)

  const ready = async ({ after, early = [], runAfter = {} }: StagePlan) => {
    const begins = early.map(({ stage }) => stage)
    await Promise.all(after.filter(name => !begins.includes(name)).map(news.done))
    await Promise.all(early.map(first))
    for (const [name, when] of Object.entries(runAfter))
      if (when === 'always' || (begun.has(name) && availableParallelism() <= fewCores)) await news.done(name)
  }
  const makeStep = async (step: StagePlan) => {
    await ready(step)
    halt.signal.throwIfAborted()
    const fallen = step.partial ? undefined : step.after.find(name => outcomes[name]?.state === 'failed')
    begun.add(step.name)
    outcomes[step.name] = fallen ? outcomes[fallen] : await run(step, news, outcomes, halt.signal)
  }
  const working = steps.map(step =>
    makeStep(step)
      .catch(error => {
        halt.abort(error)
        throw error
      })
      .finally(() => end(step.name)),
  )
  const settled = await Promise.allSettled(working)
  halt.clear()
  if (settled.every(({ status }) => status === 'fulfilled')) return outcomes
  if (!signal.aborted) throw halt.signal.reason
  throw new InterruptedError('Stopped while indexing.', {
    cause: signal.reason,
    hint: 'The same command goes on where it stopped.',
  })
}

// What stages tell each other before they are over. A stage that nobody makes is over from the beginning.
export function stageNews(steps: readonly Pick<StagePlan, 'name' | 'after' | 'runAfter'>[], signal: AbortSignal) {
  const names = steps.map(({ name }) => name)
  for (const [at, { name, after }] of steps.entries())
    if (after.some(one => names.indexOf(one) >= at))
      throw new Error(`Stage "${name}" is listed before one that it reads.`)
  const publishedValues = new Map<EarlyPart<unknown>, unknown[]>()
  const running = new Set(names)
  let waiting: (() => void)[] = []
  const changed = () => new Promise<void>(resolve => waiting.push(resolve))
  const notify = () => {
    const now = waiting
    waiting = []
    for (const wake of now) wake()
  }
  const news: StagePipeline = {
    publish(part, value) {
      const before = publishedValues.get(part)
      if (before) before.push(value)
      else publishedValues.set(part, [value])
      notify()
    },
    published: <T>(part: EarlyPart<T>) => (publishedValues.get(part) ?? []) as T[],
    async *subscribe(part) {
      for (let at = 0; running.has(part.stage); ) {
        signal.throwIfAborted()
        const value = news.published(part)[at]
        if (value === undefined) await changed()
        else {
          at++
          yield value
        }
      }
    },
    async done(stage) {
      while (running.has(stage)) await changed()
    },
  }
  return {
    news,
    end(stage: string) {
      running.delete(stage)
      notify()
    },
    async first(part: EarlyPart<unknown>): Promise<void> {
      while (news.published(part).length === 0 && running.has(part.stage)) await changed()
    },
  }
}
