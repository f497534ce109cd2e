import { InterruptedError, UsageError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { readWants } from '../data/catalogue/requests.ts'
import { followRequest } from '../jobs/follow.ts'
import { queuedVideo, queueVideos } from '../jobs/queue-videos.ts'
import { readVideoError } from '../jobs/report.ts'
import type { MakingContext } from './making-context.ts'

// Has the videos of a making indexed, as "longtake index --queue" does; one that cannot be indexed ends the making.
export async function indexSources(
  { cluster, watch, signal }: MakingContext,
  paths: readonly string[],
  { settings, host, library }: LocalRuntime,
): Promise<void> {
  const indexWork = { cluster, settings, host, library, watch, signal }
  const videos: Video[] = []
  for (const path of paths) {
    const video = await queuedVideo(path, indexWork)
    const twin = videos.find(({ id }) => id === video.id)
    if (twin)
      throw new UsageError(
        `${path} has the same content as ${twin.path}, and a cluster knows videos by their content.`,
        {
          hint: 'Leave one of them out, or make the set without --queue.',
        },
      )
    videos.push(video)
  }
  if (videos.length === 0) return
  const id = await queueVideos(videos, 'normal', indexWork)
  const { database: sql } = cluster
  const { state } = await followRequest({ sql, id, watch, signal })
  if (state === 'cancelled')
    throw new InterruptedError(`The indexing of the videos (request ${id}) was cancelled.`, {
      hint: 'The same command goes on with it.',
    })
  const failed = (await readWants(sql, id)).find(want => want.state !== 'done')
  if (!failed) return
  const path = videos.find(video => video.id === failed.video)?.path ?? failed.video
  throw await readVideoError(sql, failed.video, failed.note, path)
}
