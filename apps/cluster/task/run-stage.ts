import type { Config } from '../../../src/config/schema.ts'
import type { Watch } from '../../../src/core/agent.ts'
import { InputError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { findSidecars } from '../../../src/media/file/sidecars.ts'
import { FrozenIndex, type FrozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import { MissingInput, makeStage } from '../../../src/runtime/index/one-stage.ts'
import type { Planned } from '../../../src/runtime/index/plan-stages.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import type { Library } from '../../../src/store/library/library.ts'
import { findConfig } from '../data/catalogue/videos.ts'
import type { StageJob } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'
import { readCatalogue, readFrozenVideo } from '../jobs/plan-from-rows.ts'
import { type PlannedJob, planEitherWay } from '../jobs/plan-video.ts'
import type { SharedVideo } from '../store/shared-stages.ts'
import type { TaskEnding } from './messages.ts'

// What a child has to work with: its own library, models that stay open, and the doors to what the machines share.
export interface Workshop {
  sql: Sql
  library: Library
  own: Config
  models(frozen: FrozenIndex, careful: boolean): Promise<Models>
  shared(video: Video, attempt?: string): Promise<SharedVideo> // what it pulls is kept to the end of the job
  locate(video: Video, signal: AbortSignal): Promise<string> // the file of a video, fetched where it has to be
}

// Makes one stage, where the keys that come out here are those of the job; else another machine is to make it.
export async function runStageTask(
  job: StageJob,
  { attempt, careful = false }: { attempt: string; careful?: boolean },
  shop: Workshop,
  watch: Watch,
  signal: AbortSignal,
): Promise<TaskEnding> {
  const { data: frozen } = FrozenIndex.safeParse(await findConfig(shop.sql, job.config))
  if (!frozen) return { kind: 'refused', why: 'the settings of this index are of another version of longtake' }
  const index = { ...frozen.index, ...ofThisMachine(shop.own) }
  const models = await shop.models(frozen, careful)
  const catalogue = await readCatalogue(shop.sql, job.video)
  const { key } = job
  const stage = stageNamed(job.stage)
  if (catalogue.finished(stage, key)) return { kind: 'made' }

  const probedVideo = await readFrozenVideo(shop.sql, job.video)
  const plan = (one: FrozenVideo) => planFrozen(one, { ...frozen, index }, catalogue.subtitles, models)
  const jobOf = (jobs: readonly PlannedJob[]) => jobs.find(one => one.planned.stage === stage && one.key === key)
  let plans = await plan(probedVideo)
  let { video } = probedVideo
  const source = isSource(plans, stage)
  if (source) {
    const path = await shop.locate(video, signal)
    video = { ...video, path, sidecars: await findSidecars(path, video.name) }
    const asTold = planEitherWay(plans, catalogue).jobs
    plans = await plan({ video, files: {} })
    if (jobOf(asTold) && !jobOf(planEitherWay(plans, catalogue).jobs))
      throw isBelow(path, shop.library.videoFolder(video.id)) ? subtitlesLeft(video) : otherSubtitles(video)
  } else video = { ...video, path: (await shop.library.find(video.id))?.path ?? video.path }

  const { jobs, outcomes } = planEitherWay(plans, catalogue)
  const mine = jobOf(jobs)
  if (!mine) return { kind: 'refused', why: differs(plans, stage, key), ofVideo: source }
  await shop.library.save(video)
  const shared = await shop.shared(video, attempt)
  try {
    const folder = shop.library.videoFolder(video.id)
    await makeStage(stage, { video, folder, models, settings: index, shared, watch, signal, plan: plans[0]!, outcomes })
  } catch (error) {
    if (error instanceof MissingInput) return { kind: 'lost-input', stage: error.stage, key: error.key }
    throw error
  }
  return { kind: 'made', pushed: shared.pushed(), ran: models.ran(mine.planned.by) }
}

// No machine could make it as it was asked for.
function otherSubtitles({ name }: Video): InputError {
  return new InputError(`The subtitle files beside ${name} are not those that it was queued with.`, {
    hint: 'Index it as it is now: run the same command again.',
  })
}

// A file that was fetched comes by itself.
function subtitlesLeft({ name }: Video): InputError {
  return new InputError(
    `${name} was fetched from a bucket or the store, and the subtitle files beside it are not there.`,
    {
      hint: 'Let a machine index it that has its folder, or leave them out: --set index.subtitles=ignore.',
    },
  )
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`)

// Settings of which no key depends: they are about this machine.
function ofThisMachine({ index: { trustMtime, segments, decoder, maxHours } }: Config) {
  return { trustMtime, segments, decoder, maxHours }
}

function isSource(plans: readonly (readonly Planned[])[], stage: string): boolean {
  return plans.some(plan => plan.some(one => one.stage === stage && one.how.source))
}

function differs(plans: readonly (readonly Planned[])[], stage: string, key: string): string {
  const planned = plans.flat().find(one => one.stage === stage)
  if (!planned) return `this longtake has no stage "${stage}"`
  if (planned.skip !== undefined) return `stage "${stage}" is left out here: ${planned.skip}`
  return `stage "${stage}" has the key ${planned.key} here, and ${key} was asked for`
}
