import { loadCluster } from '../../../src/cli/call.ts'
import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import type { ClusterView } from '../../../src/core/api/cluster.ts'
import { errorText } from '../../../src/core/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ClusterDoor {
  view(): Promise<ClusterView>
  close(): Promise<void>
}

const fresh = 2000 // milliseconds that an answer counts for everyone who asks

// What the cluster does. Its database is opened when it is first asked for, and nothing is if there is no cluster.
export function clusterDoor(settings: ClusterSettings, environment: Environment): ClusterDoor {
  const opened = async () => {
    const { openQueue } = await loadCluster()
    return openQueue(settings, environment, { patience: 1 })
  }
  let queue: ReturnType<typeof opened> | undefined
  let last: { at: number; view: Promise<ClusterView> } | undefined
  const look = async (): Promise<ClusterView> => {
    queue ??= opened()
    try {
      const { database, engine } = await queue
      const { clusterStatus } = await loadCluster()
      const { requests, workers, queues, failures, waitReason } = await clusterStatus(database, engine)
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      const counts = {
        waiting: sum(queues.map(({ waiting }) => waiting)),
        running: sum(queues.map(({ running }) => running)),
        failures: sum(Object.values(failures)),
      }
      return { cluster: { requests, workers: workers.length, ...counts, waitReason } }
    } catch (error) {
      const broken = queue
      queue = undefined // the next one who asks tries anew
      await broken?.then(({ close }) => close()).catch(() => {})
      return { problem: errorText(error) }
    }
  }
  return {
    view() {
      if (settings.database === undefined) return Promise.resolve({})
      if (!last || performance.now() - last.at > fresh) last = { at: performance.now(), view: look() }
      return last.view
    },
    async close() {
      await queue?.then(({ close }) => close()).catch(() => {})
    },
  }
}
