import type { StageReport } from '../../../src/core/runtime.ts'
import type { SharedStages } from '../../../src/core/stage.ts'
import type { IndexedVideo } from '../../../src/runtime/index/find-index.ts'
import { readIndexedVideo, type StageResults } from '../../../src/runtime/index/find-index.ts'
import { FrozenIndex, frozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import { libraryRows } from '../../../src/runtime/index/library-rows.ts'
import type { Planned } from '../../../src/runtime/index/plan-stages.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { findStage } from '../../../src/store/stage/stage.ts'
import { findConfig, selectVideo } from '../data/catalogue/videos.ts'
import type { LibraryJob } from '../data/job.ts'
import type { Database } from '../data/sql.ts'
import { findSubtitleResult, readKnownRows, toKnownStages } from '../jobs/known-rows.ts'
import { planEitherWay, type VideoPlan } from '../jobs/plan-video.ts'
import type { TaskEnding } from '../task/messages.ts'
import type { Workshop } from '../task/run-stage.ts'

import { fillVideo } from './library-table.ts'
import { encoderVersion } from './picture-query.ts'

type Shop = Pick<Workshop, 'library' | 'models' | 'shared'>

// Puts one video into the tables, from the results that make up its index.
export async function runLibrary(
  database: Database,
  job: LibraryJob,
  attempt: string,
  shop: Shop,
): Promise<TaskEnding> {
  const frozen = FrozenIndex.parse(await findConfig(database, job.config))
  const models = await shop.models(frozen, false)
  const frozenProbe = frozenVideo((await selectVideo(database, job.video))?.probe)
  const knownRows = await readKnownRows(database, job.video)
  const [plan = []] = await planFrozen(frozenProbe, frozen, findSubtitleResult(knownRows), models)
  const { outcomes, state } = planEitherWay([plan], toKnownStages(knownRows))
  if (state !== 'done') return { kind: 'made' } // something of it is made again: whoever ends that asks for the tables anew
  const shared = await shop.shared(frozenProbe.video, attempt)
  try {
    const stageResults = await findResults(plan, outcomes, shop.library.videoFolder(job.video), shared)
    if ('lost' in stageResults) return { kind: 'lost-input', ...stageResults.lost }
    await fillFromIndex(
      database,
      await readIndexedVideo(frozenProbe.video, stageResults.stages, stageResults.reports),
      models,
      job.config,
    )
    return { kind: 'made' }
  } finally {
    await shared.done()
  }
}

interface Results {
  stages: StageResults
  reports: StageReport[]
}

async function findResults(
  plan: readonly Planned[],
  outcomes: VideoPlan['outcomes'],
  folder: string,
  shared: SharedStages,
): Promise<Results | { lost: { stage: string; key: string } }> {
  const stages: StageResults = {}
  const reports: StageReport[] = []
  for (const planned of plan) {
    const { stage, how } = planned
    const { state, key = '' } = outcomes[stage] ?? {}
    if (state !== 'done' || planned.skip !== undefined || !(how.rows || needed.has(stage))) continue
    const stageFolder = await findStage(folder, stage, key, undefined, shared)
    if (!stageFolder) return { lost: { stage, key } }
    stages[stage] = stageFolder
    reports.push({ stage, by: planned.by, key, state: 'reused', started: 0, seconds: 0, items: 0 })
  }
  return { stages, reports }
}

// Beside those with rows: the words of each row, and the shots and stills with their vectors.
const needed = new Set(['overview', 'words', 'decode', 'vectors'])

// Puts a finished index into the tables of the cluster: what a LibraryJob does.
export async function fillFromIndex(
  database: Pick<Database, 'transaction'>,
  indexed: IndexedVideo,
  models: Models,
  config?: string,
): Promise<void> {
  const { pictures, ...rows } = await libraryRows(indexed)
  const shots = pictures && { ...pictures, version: await encoderVersion(models) }
  await fillVideo(database, { ...rows, ...(shots && { shots }), ...(config !== undefined && { config }) })
}
