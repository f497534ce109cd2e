import type { Watch } from '../../core/agent.ts'
import type { StageReport } from '../../core/runtime.ts'
import type { Coverage, Overview, Video } from '../../core/video.ts'
import { refuseMissing } from '../../search/vectors/index.ts'
import { withLock } from '../../store/lock.ts'
import { findStage } from '../../store/stage.ts'
import type { Models } from '../models/models.ts'
import { recordWhole } from './content/guard.ts'
import { need, readOverview, speechTrack } from './index-files.ts'
import { type IndexSettings, planStages, planSubtitlesOnly, trustOf } from './plan-stages.ts'
import type { StageChanges } from './stage-changes.ts'
import type { StageResults } from './stage-runner.ts'

export interface IndexWork {
  video: Video
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  changes?: StageChanges // what an ablation changes
  watch: Watch
  signal: AbortSignal
}

export interface Indexed {
  video: Video
  stages: StageResults
  reports: StageReport[]
  coverage: Coverage
  overview: Overview
}

// Makes what is missing of a video's index and returns where everything lies. A whole index is found without a lock.
export async function indexVideo(work: IndexWork): Promise<Indexed> {
  const { watch, signal } = work
  refuseMissing(work.settings.vectors)
  const content = { trust: trustOf(work.settings), watch, signal }
  const whole = await findWhole(work)
  if (whole) {
    await recordWhole(work.video, work.folder, content)
    return whole
  }
  return withLock(work.folder, async held => (await import('./build-index.ts')).buildIndex(work, held, content), {
    signal,
    onWait: said =>
      watch({
        type: 'stage',
        stage: 'lock',
        state: 'waiting',
        note: `another longtake works on this video${said ? `: ${said}` : ''}`,
      }),
  })
}

// The finished index, where nothing of it is missing.
export async function findWhole(work: IndexWork): Promise<Indexed | undefined> {
  const { video, models, settings, folder, changes } = work
  const onDamage = (text: string) => work.watch({ type: 'note', text })
  const subtitles = await planSubtitlesOnly(video, settings)
  const cues =
    subtitles.skip === undefined ? await findStage(folder, subtitles.stage, subtitles.key, onDamage) : undefined
  if (subtitles.skip === undefined && !cues) return undefined
  const subtitled = cues !== undefined && (await speechTrack(cues)) !== undefined
  const plan = await planStages(video, models, settings, subtitled, changes)
  const found = await Promise.all(
    Object.values(plan).map(async planned =>
      planned.skip === undefined ? await findStage(folder, planned.stage, planned.key, onDamage) : undefined,
    ),
  )
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const [at, planned] of Object.values(plan).entries()) {
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
  return { video, stages, reports, ...(await readOverview(need(stages.overview))) }
}
