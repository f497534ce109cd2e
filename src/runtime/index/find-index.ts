import { need, readOverview, speechTrack } from '../../../tools/stages/results.ts'
import type { Watch } from '../../core/agent.ts'
import type { StageReport } from '../../core/runtime.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { SharedStages, StageInput, StageReader, StoredResult } from '../../core/stage.ts'
import type { Coverage, Overview, Video } from '../../core/video.ts'
import { findStage, readStage } from '../../store/stage/stage.ts'
import type { Models } from '../models/models.ts'
import type { StageChanges } from './plan-stages.ts'
import { type Planned, planStages, planSubtitles } from './plan-stages.ts'

export interface IndexWork {
  video: Video
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  changes?: StageChanges // what an ablation changes
  shared?: SharedStages // of other machines
  watch: Watch
  signal: AbortSignal
}

export type StageResults = Partial<Record<string, StoredResult>>

export interface IndexedVideo {
  video: Video
  stages: StageResults
  reports: StageReport[]
  coverage: Coverage
  overview: Overview
}

export function openStageReader(results: StageResults): (stage: string) => StageReader | undefined {
  return stage => {
    const result = results[stage]
    return result && readStage(result.folder)
  }
}

type Find = (planned: Extract<Planned, { key: string }>) => Promise<StoredResult | undefined>

// The finished index, where nothing of it is missing. `find` looks for the result of one stage.
export async function findWhole(
  work: IndexWork,
  find: Find = finder(work),
  files?: StageInput['files'], // hashes of what lies beside the video where it was indexed, as it does not here
): Promise<IndexedVideo | undefined> {
  const { video, models, settings, changes } = work
  const ifPlanned = async (planned: Planned) => (planned.skip === undefined ? find(planned) : undefined)
  const subtitles = await planSubtitles(video, models, settings, files)
  const cues = await ifPlanned(subtitles)
  if (subtitles.skip === undefined && !cues) return undefined
  const subtitled = cues !== undefined && (await speechTrack(readStage(cues.folder))) !== undefined
  const plan = await planStages(video, models, settings, subtitled, changes, files)
  const stageResults = await Promise.all(plan.map(ifPlanned))
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const [at, planned] of plan.entries()) {
    const base = { stage: planned.stage, started: 0, seconds: 0, items: 0 }
    const result = stageResults[at]
    if (planned.skip !== undefined) reports.push({ ...base, by: '', key: '', state: 'skipped', note: planned.skip })
    else if (result) {
      const { by, key } = planned
      stages[planned.stage] = result
      reports.push({ ...base, by, key, state: 'reused', note: result.meta.notes.join('; ') || undefined })
    } else return undefined
  }
  return readIndexedVideo(video, stages, reports)
}

export async function readIndexedVideo(
  video: Video,
  stages: StageResults,
  reports: StageReport[],
): Promise<IndexedVideo> {
  const result = openStageReader(stages)
  const { coverage, overview } = await readOverview(need(result('overview')), result('story'))
  const lost = stages.story ? undefined : reports.find(({ stage }) => stage === 'story')
  const notes = lost ? [`The overview is made of lines of the video, as none was written: ${lost.note}`] : []
  return { video, stages, reports, overview, coverage: { ...coverage, notes: [...coverage.notes, ...notes] } }
}

// Finds a whole result, and moves a damaged one away.
export function finder({ folder, watch, shared }: Pick<IndexWork, 'folder' | 'watch' | 'shared'>): Find {
  const onDamage = (text: string) => watch({ type: 'note', text })
  return ({ stage, key }) => findStage(folder, stage, key, onDamage, shared)
}
