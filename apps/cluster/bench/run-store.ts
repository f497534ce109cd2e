import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ArtifactStore, StoredObject } from '../store/artifact-store.ts'

// What of a run lies in the store: the questions of each shard, the steps of a making, and the frames that its answers show.
export const runPrefix = (run: string) => `runs/${run}/`
const shardName = (run: string, n: number) => `${runPrefix(run)}shards/${n}.json`
const stepName = (run: string, step: string) => `${runPrefix(run)}steps/${step}.json`
const frameName = (run: string, name: string) => `${runPrefix(run)}frames/${name}`

export function putShard(store: ArtifactStore, run: string, n: number, text: string): Promise<void> {
  return put(store, shardName(run, n), Buffer.from(text))
}

export async function getShard(store: ArtifactStore, run: string, n: number): Promise<string> {
  return (await get(store, shardName(run, n))).toString('utf8')
}

// What a making asks of one step, under the hash of it.
export function putStep(store: ArtifactStore, run: string, step: string, text: string): Promise<void> {
  return put(store, stepName(run, step), Buffer.from(text))
}

export async function getStep(store: ArtifactStore, run: string, step: string): Promise<string> {
  return (await get(store, stepName(run, step))).toString('utf8')
}

// Equal pictures have equal names, so one that is there need not be sent again.
export async function putFrame(store: ArtifactStore, run: string, name: string, jpeg: Uint8Array): Promise<void> {
  const object = frameName(run, name)
  if (!(await store.head(object))) await put(store, object, Buffer.from(jpeg))
}

export function getFrame(store: ArtifactStore, run: string, name: string): Promise<Buffer> {
  return get(store, frameName(run, name))
}

// What the rows of an ablation note beside their answers: each attempt at a shard asks what the ones before it have left.
export async function putRecords(
  store: ArtifactStore,
  { run, n, attempt, records }: { run: string; n: number; attempt: string; records: Record<string, string> },
): Promise<void> {
  if (Object.values(records).every(text => text === '')) return
  await put(store, `${recordsPrefix(run)}${n}-${attempt}.json`, Buffer.from(JSON.stringify(records)))
}

const recordsPrefix = (run: string) => `${runPrefix(run)}records/`

// The later ones last.
export async function* readRunRecords(store: ArtifactStore, run: string): AsyncIterable<unknown> {
  const objects: StoredObject[] = []
  for await (const object of store.list(recordsPrefix(run))) objects.push(object)
  objects.sort((a, b) => a.modified.getTime() - b.modified.getTime())
  for (const { name } of objects) yield JSON.parse((await get(store, name)).toString())
}

function put(store: ArtifactStore, name: string, bytes: Buffer): Promise<void> {
  return store.put(name, () => Readable.from([bytes]), bytes.length)
}

async function get(store: ArtifactStore, name: string): Promise<Buffer> {
  return buffer(await store.get(name))
}
