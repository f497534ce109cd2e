import type { BaseCheckpointSaver, CheckpointTuple, LangGraphRunnableConfig } from '@langchain/langgraph'
import { UsageError } from '../src/core/errors.ts'
import type { Checkpointer, Checkpoints, KeptCheckpoint } from '../src/core/run/checkpoints.ts'
import type { LangGraph } from './compile.ts'
import { readOldValues } from './old-run.ts'

// LangGraph's saver over the checkpoints of a run folder, which is one thread. The state is plain JSON, so no serialiser of
// LangGraph is asked.
export function folderSaver({ BaseCheckpointSaver, copyCheckpoint }: LangGraph, thread: string, kept: Checkpoints) {
  const configOf = (id: string) => ({ configurable: { thread_id: thread, checkpoint_ns: '', checkpoint_id: id } })
  const tupleOf = ({ checkpoint, metadata, parent, writes }: KeptCheckpoint): CheckpointTuple => ({
    config: configOf(checkpoint.id),
    checkpoint: { ...copyCheckpoint(checkpoint), channel_values: readOldValues(checkpoint.channel_values) },
    metadata: { ...metadata },
    ...(parent === undefined ? {} : { parentConfig: configOf(parent) }),
    pendingWrites: writes.map(({ task, channel, value }) => [task, channel, value]),
  })
  const isOurs = ({ configurable }: LangGraphRunnableConfig) =>
    configurable?.thread_id === thread && (configurable.checkpoint_ns ?? '') === ''

  class FolderSaver extends BaseCheckpointSaver {
    async getTuple(config: LangGraphRunnableConfig) {
      const id = config.configurable?.checkpoint_id
      const match = isOurs(config)
        ? kept.all().findLast(one => id === undefined || id === '' || one.checkpoint.id === id)
        : undefined
      return match && tupleOf(match)
    }

    async *list(config: LangGraphRunnableConfig, options: Parameters<BaseCheckpointSaver['list']>[1] = {}) {
      if (!isOurs(config)) return
      const { limit = Number.POSITIVE_INFINITY, before, filter = {} } = options
      const end = kept.all().findIndex(one => one.checkpoint.id === before?.configurable?.checkpoint_id)
      const fitting = kept
        .all()
        .slice(0, end < 0 ? undefined : end)
        .filter(one => Object.entries(filter).every(([name, value]) => one.metadata[name] === value))
      yield* fitting.reverse().slice(0, limit).map(tupleOf)
    }

    async put(
      config: LangGraphRunnableConfig,
      checkpoint: KeptCheckpoint['checkpoint'],
      metadata: KeptCheckpoint['metadata'],
    ) {
      await kept.put({ checkpoint, metadata, parent: config.configurable?.checkpoint_id })
      return configOf(checkpoint.id)
    }

    async putWrites(config: LangGraphRunnableConfig, writes: [string, unknown][], task: string, path = '') {
      const records = writes.map(([channel, value], at) => ({ task, path, at, channel, value }))
      await kept.write(config.configurable?.checkpoint_id, records)
    }

    async deleteThread(): Promise<void> {
      throw new UsageError('The checkpoints of a run go with its folder.')
    }
  }
  return new FolderSaver()
}

export type Saver = BaseCheckpointSaver

// A saver of somebody else's, who may have another copy of LangGraph.
export function isSaver(given: Checkpointer | BaseCheckpointSaver): given is BaseCheckpointSaver {
  return (['getTuple', 'list', 'put', 'putWrites', 'getNextVersion'] as const).every(
    name => typeof given[name] === 'function',
  )
}
