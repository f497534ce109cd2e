import { join } from 'node:path'
import { type Call, loadCluster } from '../../src/cli/call.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { Config } from '../../src/config/schema.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { MakeRequest, MakeWorld } from '../make/request.ts'
import { sentAs } from '../runner/files/sent-as.ts'
import { localRunner, type Runner } from '../runner/runner.ts'

// Who asks the questions of a run.
export interface RunQueue {
  runner(folder: string): Promise<Runner>
  close(): Promise<void>
}

// The same in the cluster, which knows a run that was sent there by its name.
export interface ClusterQueue {
  runner(sent?: string): Promise<Runner>
  close(): Promise<void>
}

export interface MakeQueue {
  given: Pick<MakeWorld, 'workers' | 'shared'>
  close(): Promise<void>
}

export const localMaking: MakeQueue = { given: {}, close: async () => {} }

// The workers of the cluster with --queue, or to take a run back that they had; else this process asks.
export async function openRunQueue(call: Call, settings: Config): Promise<RunQueue> {
  const open = async () => (await loadCluster('Work of a queue')).benchCluster(call, settings)
  const isQueued = call.has('--queue')
  let queue = isQueued ? await open() : undefined
  return {
    async runner(folder) {
      const sent = isQueued ? undefined : await sentAs(folder)
      if (!isQueued && sent === undefined) return localRunner
      queue ??= await open()
      return queue.runner(sent)
    },
    close: async () => queue?.close(),
  }
}

export async function openMakeQueue(call: Call, config: ResolvedConfig, request: MakeRequest): Promise<MakeQueue> {
  const isLocal = request.dryRun || request.replay !== undefined
  if (!call.has('--queue') && (isLocal || (await sentAs(join(request.out, 'made'))) === undefined)) return localMaking
  return (await loadCluster('Work of a queue')).makeCluster(call, config, request)
}

// The calls of a run that workers have asked lie in the store until someone wants them.
export async function fetchSentCalls(call: Call, settings: Config, folder: string): Promise<void> {
  const run = settings.cluster.database === undefined ? undefined : await sentAs(folder)
  if (run !== undefined) await (await loadCluster('Work of a queue')).fetchCalls(call, settings, folder, run)
}

// The folder of --resume: one that another machine has begun is fetched from the database first.
export async function resumedFolder(call: Call, named: string, find: () => Promise<string>): Promise<string> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof UsageError) || !call.has('--queue')) throw error
    return (await loadCluster('Work of a queue')).fetchRun(call, named)
  }
}
