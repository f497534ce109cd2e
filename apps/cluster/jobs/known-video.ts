import { UsageError } from '../../../src/core/errors.ts'
import { type FrozenVideo, frozenVideo } from '../../../src/runtime/index/frozen-index.ts'
import { selectVideo } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'

// A video that is named by its id, as it was written down when it was asked for.
export async function readFrozenVideo(sql: Sql, id: string): Promise<FrozenVideo> {
  const catalogueVideo = await selectVideo(sql, id)
  if (catalogueVideo?.probe === undefined)
    throw new UsageError(`The video ${id} is not in the catalogue of the cluster.`, {
      hint: 'Ask for its index again: longtake index --queue FILE.',
    })
  return frozenVideo(catalogueVideo.probe)
}
