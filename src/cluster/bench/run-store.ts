import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ArtifactStore } from '../store/artifact-store.ts'

// What of a run lies in the store: the questions of each shard, and the frames that its answers show.
export const runPrefix = (run: string) => `runs/${run}/`
const shardName = (run: string, n: number) => `${runPrefix(run)}shards/${n}.json`
const frameName = (run: string, name: string) => `${runPrefix(run)}frames/${name}`

export function putShard(store: ArtifactStore, run: string, n: number, text: string): Promise<void> {
  return put(store, shardName(run, n), Buffer.from(text))
}

export async function getShard(store: ArtifactStore, run: string, n: number): Promise<string> {
  return (await get(store, shardName(run, n))).toString('utf8')
}

// Equal pictures have equal names, so one that is there need not be sent again.
export async function putFrame(store: ArtifactStore, run: string, name: string, jpeg: Uint8Array): Promise<void> {
  const object = frameName(run, name)
  if (!(await store.head(object))) await put(store, object, Buffer.from(jpeg))
}

export function getFrame(store: ArtifactStore, run: string, name: string): Promise<Buffer> {
  return get(store, frameName(run, name))
}

// What the rows of an ablation note beside their answers.
export function putRecords(store: ArtifactStore, run: string, n: number, records: object): Promise<void> {
  return put(store, `${runPrefix(run)}records/${n}.json`, Buffer.from(JSON.stringify(records)))
}

export async function* recordsOf(store: ArtifactStore, run: string): AsyncIterable<unknown> {
  for await (const { name } of store.list(`${runPrefix(run)}records/`))
    yield JSON.parse((await get(store, name)).toString())
}

function put(store: ArtifactStore, name: string, bytes: Buffer): Promise<void> {
  return store.put(name, () => Readable.from([bytes]), bytes.length)
}

async function get(store: ArtifactStore, name: string): Promise<Buffer> {
  return buffer(await store.get(name))
}
