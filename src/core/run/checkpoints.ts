import { z } from 'zod'
import type { Permission } from '../tool.ts'

// A saver of LangGraph, of any make: the methods of its BaseCheckpointSaver. No type of LangGraph is named here, so that whoever
// uses the library needs none.
export interface Checkpointer {
  getTuple(config: object): Promise<unknown>
  list(config: object, options?: object): AsyncGenerator<unknown>
  put(config: object, checkpoint: object, metadata: object, newVersions: object): Promise<unknown>
  putWrites(config: object, writes: [string, unknown][], task: string, path?: string): Promise<void>
  getNextVersion(current: number | string | undefined): number | string
}

const Version = z.union([z.number(), z.string()])

// A checkpoint of LangGraph without its values, and what LangGraph says of it.
export const CheckpointHead = z.object({
  v: z.number(),
  id: z.string(),
  ts: z.string(),
  channel_versions: z.record(z.string(), Version),
  versions_seen: z.record(z.string(), z.record(z.string(), Version)),
})
export const CheckpointNotes = z.looseObject({
  source: z.enum(['input', 'loop', 'update', 'fork']),
  step: z.number(),
  parents: z.record(z.string(), z.string()),
})

// What a task that is done, or waits for an answer, has written since the last checkpoint.
export const KeptWrite = z.object({
  task: z.string(),
  path: z.string(),
  at: z.number(), // among those of its task
  channel: z.string(),
  value: z.unknown(),
})
export type KeptWrite = z.infer<typeof KeptWrite>

// A checkpoint as a run folder keeps it: plain JSON.
export interface KeptCheckpoint {
  checkpoint: z.infer<typeof CheckpointHead> & { channel_values: Record<string, unknown> }
  metadata: z.infer<typeof CheckpointNotes>
  parent?: string // the id of the checkpoint before it
  writes: KeptWrite[]
}

// The checkpoints of one run, in the order in which they were made.
export interface Checkpoints {
  all(): readonly KeptCheckpoint[]
  put(made: Omit<KeptCheckpoint, 'writes'>): Promise<void>
  write(checkpoint: string, writes: readonly KeptWrite[]): Promise<void>
}

// What the agent asks a person, if there is one.
export type Inquiry =
  | { type: 'permission'; permission: Permission; tool: string; input: unknown } // true gives it for the rest of the run
  | { type: 'clarify'; question: string; words: string } // what the words mean; an empty answer leaves them as they are
