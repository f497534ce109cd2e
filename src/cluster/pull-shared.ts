import type { Config } from '../config/schema.ts'
import type { Watch } from '../core/agent.ts'
import { errorText } from '../core/errors.ts'
import type { SharedStages } from '../core/stage.ts'
import type { Video } from '../core/video.ts'
import { openLibrary } from '../store/library/library.ts'
import { openDatabase } from './data/database.ts'
import { databaseAddress, storeAddress } from './open-cluster.ts'
import { openStore } from './store/open-store.ts'
import { openPulledCache } from './store/pulled-cache.ts'
import { type SharedVideo, sharedStages } from './store/shared-stages.ts'

export interface Pulling {
  home: string
  settings: Pick<Config, 'cluster'>
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

// Results that other machines have made, for who reads them here. Nothing is opened before something is missing; where the cluster does
// not answer that is said once, and what is missing is made here.
export function pullShared({ home, settings: { cluster }, environment, signal }: Pulling) {
  let opened: ReturnType<typeof open> | undefined
  let said = false
  const open = async () => {
    const sql = await openDatabase(databaseAddress(cluster), { environment, signal, connections: 2, patience: 3 })
    const store = await openStore(storeAddress(cluster), environment)
    return { sql, store, cache: openPulledCache(openLibrary(home), cluster.cache) }
  }
  const used = new Set<SharedVideo>()
  return {
    shared(video: Video, watch: Watch): SharedStages {
      let stages: Promise<SharedVideo> | undefined
      const here = async () => {
        opened ??= open()
        const say = (text: string) => watch({ type: 'note', text })
        const found = await sharedStages({ ...(await opened), video, signal, say })
        used.add(found)
        return found
      }
      return {
        async pull(stage, key) {
          try {
            stages ??= here()
            return await (await stages).pull(stage, key)
          } catch (error) {
            if (signal.aborted) throw error
            if (!said) watch({ type: 'note', text: `The cluster cannot be asked for results: ${errorText(error)}` })
            said = true
            return false
          }
        },
      }
    },
    async close(): Promise<void> {
      for (const one of used) await one.done()
      await (await opened?.catch(() => undefined))?.sql.close()
    },
  }
}
