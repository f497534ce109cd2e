import type { Call } from '../../../src/cli/call.ts'
import type { Config } from '../../../src/config/schema.ts'
import { BackendError, UsageError } from '../../../src/core/errors.ts'
import { type Cluster, hasCluster, openCluster, openQueue, type Queue } from '../open-cluster.ts'

// The cluster of the settings, for as long as the work takes.
export async function withCluster<T>(call: Call, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { settings } = await call.settings()
  const cluster = await openCluster(settings.cluster, call.world.environment, { signal: call.signal })
  return work(cluster).finally(() => cluster.close())
}

// For who looks and steers: without the store.
export async function withQueue<T>(call: Call, work: (queue: Queue) => Promise<T>): Promise<T> {
  const { settings } = await call.settings()
  const queue = await openQueue(settings.cluster, call.world.environment, { signal: call.signal })
  return work(queue).finally(() => queue.close())
}

interface HeldRequest {
  what: 'making' | 'run'
  sent: string // its name in the cluster
  has: 'replies' | 'answers'
}

// The cluster whose workers hold a run or a making, to take it back from them. Undefined if its database is away.
export async function openHeld(call: Call, settings: Config['cluster'], { what, sent, has }: HeldRequest) {
  if (!hasCluster(settings))
    throw new UsageError(`Workers of a cluster have the ${what} ${sent}, and no cluster is set here.`, {
      hint: `Set LONGTAKE_CLUSTER and LONGTAKE_STORE as where it was sent; without it the workers' ${has} would be paid again.`,
    })
  try {
    return await openCluster(settings, call.world.environment, { signal: call.signal })
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    call.remark(`${error.message} The ${what} goes on with the ${has} that are in its folder.`)
    return undefined
  }
}
