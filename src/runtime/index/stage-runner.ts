import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { need, readStageRows, rowsOfStages } from '../../../tools/stages/results.ts'
import { BackendError, type LongtakeError } from '../../core/errors.ts'
import type { Evidence } from '../../core/evidence.ts'
import { stableJson } from '../../core/json.ts'
import { memoryBound } from '../../core/machine/memory.ts'
import { hitsOneBackend, resourceFault } from '../../core/machine/resource-fault.ts'
import type { StageReport } from '../../core/runtime.ts'
import type {
  FinishedStages,
  Stage,
  StageContext,
  StageOutcome,
  StagePipeline,
  StageReader,
  StageWriter,
  StoredResult,
} from '../../core/stage.ts'
import { buildTextIndex } from '../../search/text-index.ts'
import { vectorIndexes } from '../../search/vectors/index.ts'
import type { HeldLock } from '../../store/lock.ts'
import { findOrMakeStage, findStage, readStage, stageKey } from '../../store/stage/stage.ts'
import { checkStage, listStageResults, stageFolder } from '../../store/stage/stage-check.ts'
import { withMemory } from '../models/memory/memory-gate.ts'
import { type IndexWork, openStageReader, type StageResults } from './find-index.ts'
import type { RowsChange } from './plan-stages.ts'
import { findPlanned, type Keyed, type Planned, withoutKey } from './plan-stages.ts'
import type { Outcomes } from './preprocess.ts'
import { stageMegabytes } from './stage-memory.ts'

interface StageRunner {
  results: StageResults
  reports: StageReport[]
  // Makes a planned stage, or finds it finished. `after`: what came of those before it.
  run(planned: Planned, after: RunAfter, signal: AbortSignal): Promise<StageOutcome>
}

interface RunAfter {
  plan: readonly Planned[]
  news: StagePipeline
  outcomes: Outcomes
  without: readonly string[] // failed stages that it would rest on
}

type RunnerWork = IndexWork & {
  check(): Promise<void>
  // One stage by itself: what it reads is there already, and what breaks is told to who asked for it.
  alone?: { results: StageResults }
}

// Runs planned stages, and reports progress to the watcher and to processes that wait for the lock.
export function stageRunner(work: RunnerWork, held: HeldLock): StageRunner {
  const { video, folder, watch, models, settings, changes, shared, check, alone } = work
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const results: StageResults = { ...alone?.results }
  const reports: StageReport[] = []
  const result = openStageReader(results)

  const contextOf = (
    planned: Keyed,
    { plan, news, outcomes }: RunAfter,
    out: StageWriter,
  ): Omit<StageContext, 'progress' | 'signal'> => ({
    video,
    settings,
    out,
    pipeline: news,
    keepsStill: changes?.stills?.keep,
    search: {
      words: buildTextIndex,
      vectors: (...size) => vectorIndexes[settings.vectors].create(...size),
    },
    price: planned.how.role && models.price(planned.how.role),
    open: () => {
      const role = need(planned.how.role)
      return role === 'shots' ? models.openFresh(role) : models.open(role)
    },
    results: {
      result,
      rows: () => rowsBefore(planned.how, plan, result),
      earlier: setting => otherResults(folder, video.id, planned, setting),
      outcome(stage) {
        const planned = findPlanned(plan, stage)
        return {
          ...(outcomes[stage] ?? { state: 'skipped' }),
          by: planned?.skip === undefined ? planned?.by : undefined,
        }
      },
      place(stage, file) {
        const planned = findPlanned(plan, stage)
        return join(stageFolder(folder, stage, planned?.skip === undefined ? (planned?.key ?? '') : ''), file)
      },
    },
  })

  const changedRows = async (change: RowsChange, stage: string) => {
    const before = result(stage)
    return change.rows(video, before ? await readStageRows(before) : [])
  }

  // Where memory is bound, a stage waits for its share, and gives its models back.
  const whenItFits = async <T>(
    { stage, how }: Planned,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ) => {
    if (!memoryBound()) return run(signal)
    const { role, mayFail } = how
    const megabytes = await stageMegabytes(how, work)
    return withMemory({ name: stage, megabytes, mayStop: mayFail === true, signal }, signal =>
      run(signal).finally(() => (role && !models.isOff(role) ? models.release(role) : undefined)),
    )
  }

  return {
    results,
    reports,
    async run(planned, after, signal) {
      const { stage, how, change } = planned
      const started = since()
      const report = (told: Omit<StageReport, 'stage' | 'started' | 'seconds'>): StageOutcome => {
        const seconds = since() - started
        reports.push({ stage, started, seconds, ...told })
        const whole =
          told.state === 'done' || told.state === 'reused' ? { done: video.duration, total: video.duration } : {}
        watch({ type: 'stage', stage, state: told.state, seconds, note: told.note, ...whole })
        return { state: told.state, key: told.key || undefined, note: told.note }
      }
      if (planned.skip !== undefined) return report({ by: '', key: '', state: 'skipped', items: 0, note: planned.skip })

      const { by } = planned
      const key = withoutKey(planned.key, after.without)
      const progress = (done: number, total: number) => {
        watch({ type: 'stage', stage, state: 'running', done, total, seconds: since() - started })
        held.report({ text: stage, done, total })
      }
      progress(0, video.duration)
      const onDamage = (text: string) => watch({ type: 'note', text })
      // Not where it is the one stage asked for: what lies here is then sent to where the others find it.
      const findFinished = () => (memoryBound() && !alone ? findStage(folder, stage, key, onDamage, shared) : undefined)
      try {
        const madeResult =
          (await findFinished()) ??
          (await whenItFits(planned, signal, signal =>
            findOrMakeStage({
              ...{ folder, stage, key, by, settings: planned.settings, inputs: planned.inputs, signal, onDamage },
              shared,
              video: video.id,
              make: async out => {
                if (change) await out.lines('evidence.jsonl', await changedRows(change, stage))
                else await how.make({ ...contextOf(planned, after, out), progress, signal })
                await check()
              },
              ran: () => models.ran(by),
            }),
          ))
        results[stage] = madeResult
        const note = madeResult.meta.notes.join('; ') || undefined
        return report({
          by,
          key,
          state: madeResult.reused ? 'reused' : 'done',
          items: await countRows(madeResult),
          note,
        })
      } catch (error) {
        if (signal.aborted) throw error
        const fault = leavesOut(error) ? (error instanceof BackendError ? error : resourceFault(error)) : undefined
        if (!how.mayFail || change || alone || !fault) throw fault ?? error
        return report({ by, key, state: 'failed', items: 0, note: inOneLine(fault as LongtakeError) })
      } finally {
        if (how.role) await models.leaveCard(how.role)
      }
    },
  }
}

// Rows of the stages that were planned before it, in time order.
async function rowsBefore(how: Stage, plan: readonly Planned[], result: FinishedStages['result']): Promise<Evidence[]> {
  const before = plan.slice(
    0,
    plan.findIndex(planned => planned.stage === how.name),
  )
  return rowsOfStages(
    before.map(planned => planned.how),
    result,
  )
}

export async function countRows({ folder, meta }: StoredResult): Promise<number> {
  if (!('evidence.jsonl' in meta.files)) return 0
  return (await readFile(readStage(folder).path('evidence.jsonl'), 'utf8')).split('\n').filter(Boolean).length
}

// What something outside breaks, or what the machine refuses to one backend, costs this track and no other.
function leavesOut(error: unknown): boolean {
  return error instanceof BackendError || hitsOneBackend(error)
}

export function inOneLine({ message, hint }: LongtakeError): string {
  return hint ? `${message} ${hint}` : message
}

// Results of a stage that this code and backend made of the same inputs, and that only one setting tells apart from what is to be made:
// what was asked for them need not be paid for again.
export async function otherResults(
  folder: string,
  video: string,
  {
    stage,
    key,
    by,
    settings,
    inputs,
    version,
  }: Pick<Keyed, 'stage' | 'key' | 'by' | 'settings' | 'inputs' | 'version'>,
  setting: string,
): Promise<StageReader[]> {
  const rest = (all: unknown) => stableJson({ ...(all as object), [setting]: undefined })
  const readers: StageReader[] = []
  for (const meta of await listStageResults(folder, stage)) {
    const isAlike = meta.key !== key && meta.by === by && rest(meta.settings) === rest(settings)
    // The version of what made it is only in its key.
    if (!isAlike || meta.key !== stageKey({ video, stage, by, settings: meta.settings, inputs, version })) continue
    const { state } = await checkStage(folder, stage, meta.key, 'use')
    if (state === 'whole') readers.push(readStage(stageFolder(folder, stage, meta.key)))
  }
  return readers
}
