import { join } from 'node:path'
import type { ClusterQueue } from '../../../eval/commands/queue.ts'
import type { Call } from '../../../src/cli/call.ts'
import type { Config } from '../../../src/config/schema.ts'

// Who asks the questions: with --queue the workers of the cluster. A run that they had is taken back from them without it.
export async function benchCluster(call: Call, { cluster: settings }: Config): Promise<ClusterQueue> {
  const isQueued = call.has('--queue')
  const open = async () => {
    const { openCluster } = await import('../open-cluster.ts')
    return openCluster(settings, call.world.environment, { signal: call.signal })
  }
  let opened = isQueued ? await open() : undefined
  return {
    async runner(sent) {
      const { openHeld } = await import('./with-cluster.ts')
      if (sent !== undefined) opened ??= await openHeld(call, settings, { what: 'run', sent, has: 'answers' })
      if (!opened) return (await import('../../../eval/runner/runner.ts')).localRunner
      const cluster = opened
      const { clusterRunner, takeBackRunner } = await import('../bench/bench-queue.ts')
      if (!isQueued) return takeBackRunner(cluster)
      let name = ''
      const ask = clusterRunner(cluster, call.signal, run => {
        name = run
        call.remark(`Its name in the cluster is ${run}: from another machine it is followed with --resume ${run}.`)
      })
      return async work => {
        const settled = await ask(work)
        const { traceRun } = await import('../observe/trace-ended.ts')
        await traceRun(call.world.traces, cluster.database, name)
        return settled
      }
    },
    close: async () => opened?.close(),
  }
}

// The calls of a run that workers have asked lie in the store until someone wants them.
export async function fetchCalls(
  call: Call,
  { cluster: settings }: Config,
  folder: string,
  run: string,
): Promise<void> {
  const { openStore } = await import('../store/open-store.ts')
  const { storeAddress } = await import('../open-cluster.ts')
  const { pullCalls } = await import('../bench/calls-pack.ts')
  await pullCalls(await openStore(storeAddress(settings), call.world.environment), run, join(folder, 'calls'))
}

// A run that another machine has begun, from the database; returns its folder here.
export async function fetchRun(call: Call, named: string): Promise<string> {
  const { withQueue } = await import('./with-cluster.ts')
  const { restoreRun } = await import('../bench/sent-run.ts')
  return withQueue(call, async ({ database }) => restoreRun(database, await call.home(), named))
}
