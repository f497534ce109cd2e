import { join } from 'node:path'
import { localMaking, type MakeQueue } from '../../../eval/commands/queue.ts'
import type { MakeRequest } from '../../../eval/make/request.ts'
import { sentAs } from '../../../eval/runner/files/sent-as.ts'
import type { Call } from '../../../src/cli/call.ts'
import { showProgress } from '../../../src/cli/progress.ts'
import type { ResolvedConfig } from '../../../src/config/resolve.ts'

// Who indexes and asks for a making: with --queue the workers of the cluster. One that they had is taken back from them without it.
export async function makeCluster(call: Call, config: ResolvedConfig, { out }: MakeRequest): Promise<MakeQueue> {
  const { cluster: settings, output } = config.settings
  const isQueued = call.has('--queue')
  const sent = isQueued ? undefined : await sentAs(join(out, 'made'))
  const { openCluster } = await import('../open-cluster.ts')
  const { openHeld } = await import('./with-cluster.ts')
  const { signal, world } = call
  const { environment } = world
  const cluster =
    sent === undefined
      ? await openCluster(settings, environment, { signal })
      : await openHeld(call, settings, { what: 'making', sent, has: 'replies' })
  if (!cluster) return localMaking
  const { pullShared } = await import('../pull-shared.ts')
  const { makeWorkers, makingTakenBack } = await import('../make/make-workers.ts')
  const pulling = pullShared({ home: await call.home(), settings: config.settings, environment, signal })
  const progress = showProgress(call.terminal, call.has('--quiet') ? 'off' : output.progress)
  const makeContext = { cluster, signal, say: (line: string) => call.remark(line), watch: progress.watch }
  return {
    given: {
      workers: sent === undefined ? makeWorkers(makeContext) : makingTakenBack(makeContext, sent),
      shared: pulling.shared,
    },
    async close() {
      progress.finish()
      await pulling.close()
      await cluster.close()
    },
  }
}
