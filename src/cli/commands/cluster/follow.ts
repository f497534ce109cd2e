import type { CommandRun } from '../../command.ts'
import { concluded } from '../index.ts'
import { chosenSettings, followed } from './index-queue.ts'

// Goes on where a command with --queue has left its request, on whatever machine.
export const follow: CommandRun = async call => {
  const { openCluster } = await import('../../../cluster/open-cluster.ts')
  const { openLibrary } = await import('../../../store/library/library.ts')
  const { requireRequest } = await import('../../../cluster/jobs/follow.ts')
  const { settings, profile, host, home } = await chosenSettings(call)
  const cluster = await openCluster(settings.cluster, call.world.environment, { signal: call.signal })
  try {
    const { id } = await requireRequest(cluster.database, call.argument())
    const queueWork = { cluster, settings, host, library: openLibrary(home), signal: call.signal }
    return concluded(call, profile, await followed(call, id, queueWork, profile))
  } finally {
    await cluster.close()
  }
}
