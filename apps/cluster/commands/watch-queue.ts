import { realpath } from 'node:fs/promises'
import type { Call } from '../../../src/cli/call.ts'
import type { VideoSink } from '../../../src/cli/commands/index-watch.ts'
import { watching } from '../../../src/cli/output.ts'
import { InputError, UsageError } from '../../../src/core/errors.ts'
import { visibleFileName } from '../../../src/core/words/visible-text.ts'

// Queues each video of watched folders.
export async function watchOnQueue(call: Call, folders: readonly string[]): Promise<VideoSink> {
  const { openCluster } = await import('../open-cluster.ts')
  const { queuedVideo, queueVideos } = await import('../jobs/queue-videos.ts')
  const { rootedPath } = await import('../jobs/roots.ts')
  const { chosenSettings, readPriority } = await import('./index-queue.ts')
  const { settings, host, library } = await chosenSettings(call)
  const { roots } = settings.cluster
  const shared = await Promise.all(Object.values(roots).map(root => realpath(root).catch(() => root)))
  const upload = call.has('--upload')
  // A folder outside of the roots is refused before anything waits.
  if (!upload) for (const folder of folders) if (!shared.includes(folder)) await rootedPath(folder, roots)
  const { signal } = call
  const cluster = await openCluster(settings.cluster, call.world.environment, { signal })
  const queueWork = { cluster, settings, host, library, signal, upload }
  return {
    async take(path) {
      if (!upload) await rootedPath(path, roots).catch(asInputError) // a link out of the root stops only this file
      return watching(call, async watch => {
        const video = await queuedVideo(path, { ...queueWork, watch })
        const request = await queueVideos([video], readPriority(call), { ...queueWork, watch })
        const lines = [`${visibleFileName(video.name)}: queued, id ${video.id}, request ${request}`]
        return { document: { event: 'queued', path, id: video.id, request }, lines }
      })
    },
    close: () => cluster.close(),
  }
}

function asInputError(error: unknown): never {
  throw error instanceof UsageError ? new InputError(error.message, { hint: error.hint, cause: error }) : error
}
