import { UsageError } from '../../../src/core/errors.ts'
import { StageMeta } from '../../../src/core/stage.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import { type FrozenIndex, type FrozenVideo, frozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { readFailures } from '../data/catalogue/failures.ts'
import { selectVideo } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { type KnownStages, planEitherWay } from './plan-video.ts'

interface VideoRows extends FrozenVideo {
  catalogue: Catalogue
}

export async function readVideoRows(sql: Sql, id: string): Promise<VideoRows> {
  return { ...(await readFrozenVideo(sql, id)), catalogue: await readCatalogue(sql, id) }
}

// What is done of the index of a video, what can be made now and what failed, by the rows of the catalogue.
export async function planFromRows({ video, files, catalogue }: VideoRows, frozen: FrozenIndex, models?: Models) {
  const plans = await planFrozen({ video, files }, frozen, catalogue.subtitles, models)
  return { video, plan: plans[0] ?? [], ...planEitherWay(plans, catalogue) }
}

// A video that is named by its id, as it was written down when it was asked for.
export async function readFrozenVideo(sql: Sql, id: string): Promise<FrozenVideo> {
  const catalogueVideo = await selectVideo(sql, id)
  if (catalogueVideo?.probe === undefined)
    throw new UsageError(`The video ${id} is not in the catalogue of the cluster.`, {
      hint: 'Ask for its index again: longtake index --queue FILE.',
    })
  return frozenVideo(catalogueVideo.probe)
}

interface Catalogue extends KnownStages {
  subtitles(stage: string, key: string): Pick<StageMeta, 'files'> | undefined // their files decide about the speech
}

export async function readCatalogue(sql: Sql, video: string): Promise<Catalogue> {
  const { rows } = await sql.query<ResultRow>(
    `select stage, key, case when stage = 'subtitles' then meta -> 'files' end as files
     from longtake.artifact where video = $1`,
    [video],
  )
  return toCatalogue(rows, await readFailures(sql, video))
}

interface ResultRow {
  stage: string
  key: string
  files?: unknown
}

type FailureRow = Awaited<ReturnType<typeof readFailures>>[number]

const Files = StageMeta.shape.files.catch({}) // a row may hold anything

// Kinds of failures that cost only their track, as on one machine: what something outside of longtake has broken.
const trackKinds = ['backend', 'poison']

export function toCatalogue(results: readonly ResultRow[], failures: readonly FailureRow[]): Catalogue {
  const name = (stage: string, key: string) => `${storedStage(stage)} ${key}`
  const resultByName = new Map(results.map(result => [name(result.stage, result.key), result]))
  const failureByName = new Map(failures.map(failure => [name(failure.stage, failure.key), failure]))
  return {
    finished: (stage, key) => resultByName.has(name(stage, key)),
    failure(stage, key) {
      const failure = failureByName.get(name(stage, key))
      return failure && { why: failure.message, leavesOut: trackKinds.includes(failure.kind) }
    },
    subtitles(stage, key) {
      const result = resultByName.get(name(stage, key))
      return result && { files: Files.parse(result.files) }
    },
  }
}
