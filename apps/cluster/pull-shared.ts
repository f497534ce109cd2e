import { join } from 'node:path'
import type { Config } from '../../src/config/schema.ts'
import type { Watch } from '../../src/core/agent.ts'
import { errorText, InputError } from '../../src/core/errors.ts'
import type { SharedStages } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'
import { frozenVideo } from '../../src/runtime/index/frozen-index.ts'
import type { VideosElsewhere } from '../../src/runtime/index/locate-video.ts'
import { pulledFolder, useVideo } from '../../src/store/library/in-use.ts'
import { openLibrary } from '../../src/store/library/library.ts'
import { exists } from '../../src/store/read-file.ts'
import { selectVideo } from './data/catalogue/videos.ts'
import { openDatabase } from './data/database.ts'
import { databaseAddress, storeAddress } from './open-cluster.ts'
import { openStore } from './store/open-store.ts'
import { openPulledCache } from './store/pulled-cache.ts'
import { type SharedVideo, sharedStages } from './store/shared-stages.ts'
import { locateSource, NotHere } from './task/locate.ts'

interface Pulling {
  home: string
  settings: Pick<Config, 'cluster'>
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

// Results that other machines have made, for who reads them here. Nothing is opened before something is missing. If the cluster does not
// answer, that is said once, and what is missing is made here.
export function pullShared({ home, settings: { cluster }, environment, signal }: Pulling) {
  let opened: ReturnType<typeof open> | undefined
  let hasWarned = false
  const library = openLibrary(home)
  const open = async () => {
    const sql = await openDatabase(databaseAddress(cluster), { environment, signal, connections: 2, patience: 3 })
    const store = await openStore(storeAddress(cluster), environment)
    return { sql, store, cache: openPulledCache(library, cluster.cache) }
  }
  const used = new Set<() => Promise<void>>()
  const orElse = async <T>(watch: Watch, what: string, fallback: T, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || error instanceof InputError) throw error
      if (!hasWarned) watch({ type: 'note', text: `The cluster cannot be asked for ${what}: ${errorText(error)}` })
      hasWarned = true
      return fallback
    }
  }
  const connected = () => {
    opened ??= open()
    return opened
  }
  return {
    async shared(video: Video, watch: Watch): Promise<SharedStages> {
      const folder = library.videoFolder(video.id)
      if (await exists(join(folder, pulledFolder))) used.add(await useVideo(folder)) // what was pulled before stays meanwhile
      let stages: Promise<SharedVideo> | undefined
      const here = async () => {
        const say = (text: string) => watch({ type: 'note', text })
        const sharedResults = await sharedStages({ ...(await connected()), video, signal, say })
        used.add(sharedResults.done)
        return sharedResults
      }
      return {
        pull: (stage, key) =>
          orElse(watch, 'results', false, async () => {
            stages ??= here()
            return (await stages).pull(stage, key)
          }),
      }
    },
    // What is known of a video that was indexed elsewhere, and its file: below a root of this machine, or fetched.
    elsewhere(watch: Watch): VideosElsewhere {
      const asIndexed = (id: string) =>
        orElse(watch, 'videos', undefined, async () => {
          const { probe } = (await selectVideo((await connected()).sql, id)) ?? {}
          return probe === undefined ? undefined : frozenVideo(probe)
        })
      return {
        asIndexed,
        async find(id) {
          const frozen = await asIndexed(id)
          return frozen && { ...frozen.video, path: '', sidecars: [] }
        },
        fetch: video =>
          orElse(watch, 'files', undefined, async () => {
            const sourceWork = { ...(await connected()), roots: cluster.roots, environment, signal }
            return locateSource(sourceWork, video).catch(error => {
              if (error instanceof NotHere) return undefined
              throw error
            })
          }),
      }
    },
    async close(): Promise<void> {
      for (const release of used) await release()
      await (await opened?.catch(() => undefined))?.sql.close()
    },
  }
}
