import { randomUUID } from 'node:crypto'
import { StorageError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { getBytes, putBytes } from './object-bytes.ts'

// An object that says that this is a store of longtake. A share that is not mounted is an empty folder, and an empty folder must
// not pass for a store that has lost everything.
const markName = 'longtake-store.json'

export async function markStore(store: ArtifactStore): Promise<void> {
  if (!(await isMarked(store))) await putBytes(store, markName, `${JSON.stringify({ format: 1, longtake: 'store' })}\n`)
}

async function isMarked(store: ArtifactStore): Promise<boolean> {
  return (await store.head(markName)) !== undefined
}

export async function refuseUnmarked(store: ArtifactStore): Promise<void> {
  if (await isMarked(store)) return
  throw new StorageError(`${store.address} is not a store of longtake: ${markName} is not there.`, {
    hint: 'Mount the share, or correct cluster.store (LONGTAKE_STORE); a new store is made by "longtake cluster init".',
  })
}

// Writes, looks at, reads (in part), lists and removes a small object, as a cluster does. Returns the seconds that took.
export async function tryStore(store: ArtifactStore): Promise<number> {
  const began = performance.now()
  const name = `trial/${randomUUID()}`
  const written = `longtake ${name}\n`
  await putBytes(store, name, written)
  const head = await store.head(name)
  const [whole, part] = [await getBytes(store, name), await getBytes(store, name, { start: 9, end: 15 })]
  const listed: string[] = []
  for await (const object of store.list('trial/')) listed.push(object.name)
  await store.remove(name)
  if (head?.bytes !== written.length || `${whole}${part}` !== `${written}trial/` || !listed.includes(name))
    throw new StorageError(`The store ${store.address} gives back other bytes than were written.`, {
      hint: 'Repair it before any work is done: results would be lost. A bucket must answer requests with a Range.',
    })
  return (performance.now() - began) / 1000
}
