import { need, readOverview, speechTrack } from '../../../tools/stages/results.ts'
import type { Watch } from '../../core/agent.ts'
import type { StageReport } from '../../core/runtime.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { StageReader, StageResult } from '../../core/stage.ts'
import type { Coverage, Overview, Video } from '../../core/video.ts'
import { findStage, readStage } from '../../store/stage/stage.ts'
import type { Models } from '../models/models.ts'
import { planStages, planSubtitles } from './plan-stages.ts'
import type { StageChanges } from './stage-changes.ts'

export interface IndexWork {
  video: Video
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  changes?: StageChanges // what an ablation changes
  watch: Watch
  signal: AbortSignal
}

export type StageResults = Partial<Record<string, StageResult>>

export interface Indexed {
  video: Video
  stages: StageResults
  reports: StageReport[]
  coverage: Coverage
  overview: Overview
}

export function readerOf(results: StageResults): (stage: string) => StageReader | undefined {
  return stage => {
    const found = results[stage]
    return found && readStage(found.folder)
  }
}

// The finished index, where nothing of it is missing.
export async function findWhole(work: IndexWork): Promise<Indexed | undefined> {
  const { video, models, settings, folder, changes } = work
  const onDamage = (text: string) => work.watch({ type: 'note', text })
  const subtitles = await planSubtitles(video, models, settings)
  const cues =
    subtitles.skip === undefined ? await findStage(folder, subtitles.stage, subtitles.key, onDamage) : undefined
  if (subtitles.skip === undefined && !cues) return undefined
  const subtitled = cues !== undefined && (await speechTrack(readStage(cues.folder))) !== undefined
  const plan = await planStages(video, models, settings, subtitled, changes)
  const found = await Promise.all(
    plan.map(async planned =>
      planned.skip === undefined ? await findStage(folder, planned.stage, planned.key, onDamage) : undefined,
    ),
  )
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const [at, planned] of plan.entries()) {
    const base = { stage: planned.stage, started: 0, seconds: 0, items: 0 }
    if (planned.skip !== undefined) {
      reports.push({ ...base, by: '', key: '', state: 'skipped', note: planned.skip })
      continue
    }
    const result = found[at]
    if (!result) return undefined
    stages[planned.stage] = result
    reports.push({
      ...base,
      by: planned.by,
      key: planned.key,
      state: 'reused',
      note: result.meta.notes.join('; ') || undefined,
    })
  }
  return { video, stages, reports, ...(await readOverview(need(readerOf(stages)('overview')))) }
}
