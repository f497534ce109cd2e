import { join } from 'node:path'
import { z } from 'zod'
import { StorageError } from '../../core/errors.ts'
import {
  CheckpointHead,
  CheckpointNotes,
  type Checkpoints,
  type KeptCheckpoint,
  KeptWrite,
} from '../../core/run/checkpoints.ts'
import { readJsonLines } from '../json-lines.ts'
import { checkSpent, checkSpentNews } from './check-spent.ts'
import type { RunFolder } from './run-folder.ts'

// The checkpoints of a run, one line each in <run>/checkpoints.jsonl. A line holds what differs from the checkpoint before it:
// `values` is new, `grown` is a list that had so many items and now has more. Between them stands what waits for an answer, and the
// answer. What a node wrote is not kept beside the checkpoint that it leads to: the graphs do one node at a time.
const name = 'checkpoints.jsonl'

const StoredCheckpoint = z.object({
  format: z.literal(1),
  checkpoint: CheckpointHead,
  metadata: CheckpointNotes,
  parent: z.string().optional(),
  values: z.record(z.string(), z.unknown()),
  grown: z.record(z.string(), z.object({ had: z.number(), more: z.array(z.unknown()) })),
  gone: z.array(z.string()),
})
const Left = z.object({ format: z.literal(1), after: z.string(), writes: z.array(KeptWrite) })
const Line = z.union([StoredCheckpoint, Left])
type StoredCheckpoint = z.infer<typeof StoredCheckpoint>
type Values = KeptCheckpoint['checkpoint']['channel_values']

export async function readCheckpoints(folder: string): Promise<KeptCheckpoint[]> {
  const file = join(folder, name)
  const all: KeptCheckpoint[] = []
  for (const line of await readJsonLines(file, Line)) {
    if ('after' in line) {
      for (const { channel, value } of line.writes) checkSpentNews({ [channel]: value }, file)
      leave(all, line.after, line.writes)
    } else {
      checkSpent(line.values, file)
      checkSpentNews(line.values.__start__, file)
      all.push(whole(all, line, folder))
    }
  }
  return all
}

// Those that are there already are read.
export async function openCheckpoints(run: RunFolder): Promise<Checkpoints> {
  const rows = await run.lines(name, 'at-flush')
  const all = await readCheckpoints(run.folder)
  return {
    all: () => all,
    async put({ checkpoint, metadata, parent }) {
      const { channel_values: now, ...head } = checkpoint
      const before = find(all, parent)?.checkpoint.channel_values ?? {}
      all.push({ checkpoint, metadata, ...(parent === undefined ? {} : { parent }), writes: [] })
      await rows.append({ format: 1, checkpoint: head, metadata, parent, ...difference(before, now) })
    },
    async write(after, writes) {
      leave(all, after, writes)
      const waiting = writes.filter(isKept)
      if (waiting.length > 0) await rows.append({ format: 1, after, writes: waiting })
    },
  }
}

function find(all: readonly KeptCheckpoint[], id: string | undefined): KeptCheckpoint | undefined {
  return id === undefined ? undefined : all.findLast(one => one.checkpoint.id === id)
}

function difference(before: Values, now: Values): Pick<StoredCheckpoint, 'values' | 'grown' | 'gone'> {
  const values: StoredCheckpoint['values'] = {}
  const grown: StoredCheckpoint['grown'] = {}
  for (const [channel, value] of Object.entries(now)) {
    const had = before[channel]
    if (had === value) continue
    const begins = Array.isArray(had) && Array.isArray(value) && had.every((item, at) => item === value[at])
    if (!begins || had.length === 0) values[channel] = value
    else if (value.length > had.length) grown[channel] = { had: had.length, more: value.slice(had.length) }
  }
  return { values, grown, gone: Object.keys(before).filter(channel => !(channel in now)) }
}

function whole(all: readonly KeptCheckpoint[], line: StoredCheckpoint, folder: string): KeptCheckpoint {
  const { checkpoint, metadata, parent, values, grown, gone } = line
  const before = find(all, parent)?.checkpoint.channel_values ?? {}
  const channels = Object.entries(before).filter(([channel]) => !gone.includes(channel))
  const longer = Object.entries(grown).map(([channel, { had, more }]) => {
    const list = before[channel]
    if (Array.isArray(list) && list.length === had) return [channel, [...list, ...more]]
    throw new StorageError(`${join(folder, name)} is damaged: a list has lost its beginning.`)
  })
  const channel_values = { ...Object.fromEntries(channels), ...Object.fromEntries(longer), ...values }
  return { checkpoint: { ...checkpoint, channel_values }, metadata, parent, writes: [] }
}

// What a task left behind is kept once; what it waits for, and the answer, are replaced. In the order in which LangGraph would
// apply them.
function leave(all: readonly KeptCheckpoint[], after: string, writes: readonly KeptWrite[]): void {
  const checkpoint = find(all, after)
  if (!checkpoint) return
  const key = (one: KeptWrite) => `${one.task} ${isKept(one) ? one.channel : one.at}`
  const writesByKey = new Map(checkpoint.writes.map(one => [key(one), one]))
  for (const write of writes) if (!writesByKey.has(key(write)) || isKept(write)) writesByKey.set(key(write), write)
  const order = ({ path, task, at }: KeptWrite) => `${path} ${task} ${String(at).padStart(6, '0')}`
  checkpoint.writes = [...writesByKey.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

// As LangGraph names what waits, its answer, and faults.
function isKept({ channel }: KeptWrite): boolean {
  return /^__\w+__$/.test(channel)
}
