import type { Call } from '../../../src/cli/call.ts'
import type { Config } from '../../../src/config/schema.ts'
import { BackendError, UsageError } from '../../../src/core/errors.ts'

interface HeldRequest {
  what: 'making' | 'run'
  sent: string // its name in the cluster
  has: 'replies' | 'answers'
}

// The cluster whose workers hold a run or a making, to take it back from them. Undefined if its database is away.
export async function openHeld(call: Call, settings: Config['cluster'], { what, sent, has }: HeldRequest) {
  const { hasCluster, openCluster } = await import('../open-cluster.ts')
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
