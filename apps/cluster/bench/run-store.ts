import type { ArtifactStore, StoredObject } from '../store/artifact-store.ts'
import { getBytes, putBytes } from '../store/object-bytes.ts'

// What of a run lies in the store: the questions of each shard, the steps of a making, the frames that its answers show, and what was
// recorded beside these.
export const runObjects = {
  shard: (run: string, n: number) => `runs/${run}/shards/${n}.json`,
  step: (run: string, step: string) => `runs/${run}/steps/${step}.json`,
  frame: (run: string, name: string) => `runs/${run}/frames/${name}`,
  calls: (run: string) => `runs/${run}/calls/`,
  records: (run: string) => `runs/${run}/records/`,
}

// What a making asks of one step, under the hash of it.
export function putStep(store: ArtifactStore, run: string, step: string, text: string): Promise<void> {
  return putBytes(store, runObjects.step(run, step), text)
}

export async function getStep(store: ArtifactStore, run: string, step: string): Promise<string> {
  return (await getBytes(store, runObjects.step(run, step))).toString()
}

// Equal pictures have equal names, so one that is there need not be sent again.
export async function putFrame(store: ArtifactStore, run: string, name: string, jpeg: Uint8Array): Promise<void> {
  const object = runObjects.frame(run, name)
  if (!(await store.head(object))) await putBytes(store, object, jpeg)
}

// What the rows of an ablation note beside their answers: each attempt at a shard asks what the ones before it have left.
export async function putRecords(
  store: ArtifactStore,
  { run, n, attempt, records }: { run: string; n: number; attempt: string; records: Record<string, string> },
): Promise<void> {
  if (Object.values(records).every(text => text === '')) return
  await putBytes(store, `${runObjects.records(run)}${n}-${attempt}.json`, JSON.stringify(records))
}

// The later ones last.
export async function* readRunRecords(store: ArtifactStore, run: string): AsyncIterable<unknown> {
  const objects: StoredObject[] = []
  for await (const object of store.list(runObjects.records(run))) objects.push(object)
  objects.sort((a, b) => a.modified.getTime() - b.modified.getTime())
  for (const { name } of objects) yield JSON.parse((await getBytes(store, name)).toString())
}
