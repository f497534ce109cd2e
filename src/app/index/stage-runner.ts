import type { StageOutcome } from '../../../graphs/preprocess.ts'
import type { StageContext } from '../../../tools/stages/stage.ts'
import type { Watch } from '../../core/agent.ts'
import { BackendError, type LongtakeError } from '../../core/errors.ts'
import { memoryBound } from '../../core/memory-bound.ts'
import { hitsOneBackend, resourceFault } from '../../core/resource-fault.ts'
import type { StageReport } from '../../core/runtime.ts'
import type { StageResult } from '../../core/stage.ts'
import type { Video } from '../../core/video.ts'
import type { HeldLock } from '../../store/lock.ts'
import { findStage, runStage } from '../../store/stage.ts'
import { withMemory } from '../models/memory/memory-gate.ts'
import { roleOf, stageMegabytes } from '../models/memory/stage-memory.ts'
import type { Models } from '../models/models.ts'
import { countRows } from './index-files.ts'
import type { IndexSettings, Planned, PlannedName } from './plan-stages.ts'

export type StageResults = Partial<Record<PlannedName, StageResult>>
export type MakeStage = (context: StageContext) => Promise<void>

export interface StageRunner {
  results: StageResults
  reports: StageReport[]
  // `track`: what something outside breaks leaves this track out, and is said; everything else stops the index.
  run(planned: Planned, signal: AbortSignal, kind: 'needed' | 'track', make: MakeStage): Promise<StageOutcome>
}

// Runs planned stages, or finds them finished, and tells whoever watches or waits for the lock.
export function stageRunner(
  work: {
    video: Video
    folder: string
    watch: Watch
    models: Models
    settings: IndexSettings
    check(): Promise<void>
  },
  held: HeldLock,
): StageRunner {
  const { video, folder, watch, models, check } = work
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const results: StageResults = {}
  const reports: StageReport[] = []

  // Where memory is bound, a stage waits for its share, and gives its models back.
  const whenItFits = async <T>(
    stage: PlannedName,
    kind: 'needed' | 'track',
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    if (!memoryBound()) return run(signal)
    const role = roleOf[stage]
    const megabytes = await stageMegabytes(stage, work)
    return withMemory({ name: stage, megabytes, mayStop: kind === 'track', signal }, signal =>
      run(signal).finally(() => (role && !models.isOff(role) ? models.release(role) : undefined)),
    )
  }

  return {
    results,
    reports,
    async run(planned, signal, kind, make) {
      const { stage } = planned
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

      const { by, key } = planned
      const progress = (done: number, total: number) => {
        watch({ type: 'stage', stage, state: 'running', done, total, seconds: since() - started })
        held.report({ text: stage, done, total })
      }
      progress(0, video.duration)
      const onDamage = (text: string) => watch({ type: 'note', text })
      const found = () => (memoryBound() ? findStage(folder, stage, key, onDamage) : undefined)
      try {
        const result =
          (await found()) ??
          (await whenItFits(stage, kind, signal, signal =>
            runStage({
              ...planned,
              folder,
              video: video.id,
              signal,
              make: async out => {
                await make({ video, out, progress, signal })
                await check()
              },
              ran: () => models.ran(by),
              onDamage,
            }),
          ))
        results[stage] = result
        const note = result.meta.notes.join('; ') || undefined
        return report({ by, key, state: result.reused ? 'reused' : 'done', items: await countRows(result), note })
      } catch (error) {
        if (signal.aborted) throw error
        const told = leavesOut(error) ? (error instanceof BackendError ? error : resourceFault(error)) : undefined
        if (kind === 'needed' || !told) throw told ?? error
        return report({ by, key, state: 'failed', items: 0, note: inOneLine(told as LongtakeError) })
      }
    },
  }
}

// What something outside breaks, or what the machine refuses to one backend, costs this track and no other.
function leavesOut(error: unknown): boolean {
  return error instanceof BackendError || hitsOneBackend(error)
}

function inOneLine({ message, hint }: LongtakeError): string {
  return hint ? `${message} ${hint}` : message
}
