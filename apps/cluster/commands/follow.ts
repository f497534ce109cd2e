import type { CommandRun } from '../../../src/cli/command.ts'
import { concludeIndexing } from '../../../src/cli/commands/index.ts'
import { awaitRequest, chosenSettings } from './index-queue.ts'

// Goes on where a command with --queue has left its request, on whatever machine.
const follow: CommandRun = async call => {
  const { openCluster } = await import('../open-cluster.ts')
  const { openLibrary } = await import('../../../src/store/library/library.ts')
  const { requireRequest } = await import('../jobs/follow.ts')
  const { settings, profile, host, home } = await chosenSettings(call)
  const cluster = await openCluster(settings.cluster, call.world.environment, { signal: call.signal })
  try {
    const { id } = await requireRequest(cluster.database, call.argument())
    const queueWork = { cluster, settings, host, library: openLibrary(home), signal: call.signal }
    return concludeIndexing(call, profile, await awaitRequest(call, id, queueWork, profile))
  } finally {
    await cluster.close()
  }
}

export const clusterFollowCommands = { follow }
