import { join } from 'node:path'
import { earlySound } from '../../../tools/stages/early.ts'
import { need } from '../../../tools/stages/results.ts'
import type { StageOutcome } from '../../core/stage.ts'
import { storedStage } from '../../core/words/stage-names.ts'
import { withLock } from '../../store/lock.ts'
import { sweepAbandoned } from '../../store/temporary.ts'
import { guardContent } from './content/guard.ts'
import { finder, type IndexWork, type StageResults } from './find-index.ts'
import { chooseTrust, findPlanned, type Keyed, lostStages, type Planned, withoutKey } from './plan-stages.ts'
import { type Outcomes, stageNews } from './preprocess.ts'
import { stageRunner } from './stage-runner.ts'

interface OneStage extends IndexWork {
  plan: readonly Planned[]
  outcomes: Outcomes // of the stages that are over
}

// Makes one planned stage and nothing else, of what the library or the others have. What breaks is thrown, also by a stage that the
// index can do without. Two processes on one video are in each other's way only at the same stage.
export async function makeStage(name: string, work: OneStage): Promise<StageOutcome> {
  const planned = need(work.plan.find(one => one.stage === name))
  const results = await collectInputs(planned, work)
  const { news } = stageNews([], work.signal)
  const without = lostStages(work.plan, name, work.outcomes)
  const after = { plan: work.plan, news, outcomes: withNotes(work.outcomes, results), without }
  await sweepAbandoned(join(work.folder, 'stages', storedStage(name)))
  return withLock(
    join(work.folder, 'locks', storedStage(name)),
    async held => {
      const guard = planned.how.source ? await guarded(work) : undefined
      try {
        const runner = stageRunner({ ...work, check: async () => guard?.check(), alone: { results } }, held)
        const outcome = await runner.run(planned, after, work.signal)
        await guard?.finish()
        return outcome
      } finally {
        guard?.stop()
      }
    },
    { signal: work.signal },
  )
}

function guarded({ video, folder, settings, watch, signal }: OneStage) {
  return guardContent(video, folder, { trust: chooseTrust(settings), watch, signal })
}

// What it reads, each found by its key.
async function collectInputs({ how }: Planned, work: OneStage): Promise<StageResults> {
  const find = finder(work)
  const results: StageResults = {}
  for (const source of how.after) {
    const { state } = work.outcomes[source] ?? {}
    if (state !== 'done' && state !== 'reused') continue
    const planned = findPlanned(work.plan, source) as Keyed
    const key = withoutKey(planned.key, lostStages(work.plan, source, work.outcomes))
    const result = await find({ ...planned, key })
    const silent = result?.meta.without && how.early?.includes(earlySound)
    if (!result || silent) throw new MissingInput(source, key)
    results[source] = result
  }
  return results
}

// A result that has been made is nowhere to be had: it is lost, and is to be made again.
export class MissingInput extends Error {
  readonly stage: string
  readonly key: string
  constructor(stage: string, key: string) {
    super(`The result of stage "${stage}" (${key}) is neither here nor in the store.`)
    this.name = 'MissingInput'
    this.stage = stage
    this.key = key
  }
}

function withNotes(outcomes: Outcomes, results: StageResults): Outcomes {
  const noted = Object.entries(results).map(([stage, result]) => {
    const note = result?.meta.notes.join('; ') || undefined
    return [stage, { ...need(outcomes[stage]), note }] as const
  })
  return { ...outcomes, ...Object.fromEntries(noted) }
}
