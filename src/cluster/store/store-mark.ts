import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StorageError } from '../../core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'

// An object that says that this is a store of longtake. A share that is not mounted is an empty folder, and an empty folder must
// not pass for a store that has lost everything.
const markName = 'longtake-store.json'

// Tries the store and marks it. Returns the seconds that the trial took.
export async function initStore(store: ArtifactStore): Promise<number> {
  const seconds = await tryStore(store)
  if (!(await store.head(markName))) await put(store, markName, `${JSON.stringify({ format: 1, longtake: 'store' })}\n`)
  return seconds
}

// What a cluster does with its store: write, look, read, list, remove. Returns the seconds that took.
export async function tryStore(store: ArtifactStore): Promise<number> {
  const began = performance.now()
  const name = `trial/${process.pid}-${Date.now().toString(36)}`
  const content = 'longtake tries whether it can write here\n'
  await put(store, name, content)
  try {
    const found = await store.head(name)
    const back = await text(await store.get(name, { start: 9, end: content.length }))
    let listed = false
    for await (const object of store.list('trial/')) listed ||= object.name === name
    if (found?.bytes !== content.length || back !== content.slice(9) || !listed)
      throw new StorageError(`The store ${store.address} does not give back what was written to it.`, {
        hint: 'Every machine must see the same folder or bucket, and the server must answer requests with a Range.',
      })
  } finally {
    await store.remove(name).catch(() => {}) // the sweep takes it; the first error is the one to report
  }
  return (performance.now() - began) / 1000
}

export async function isMarked(store: ArtifactStore): Promise<boolean> {
  return (await store.head(markName)) !== undefined
}

export async function refuseUnmarked(store: ArtifactStore): Promise<void> {
  if (await isMarked(store)) return
  throw new StorageError(`${store.address} is not a store of longtake: ${markName} is not there.`, {
    hint: 'Mount the share, or correct cluster.store (LONGTAKE_STORE); a new store is made by "longtake cluster init".',
  })
}

function put(store: ArtifactStore, name: string, content: string): Promise<void> {
  return store.put(name, () => Readable.from([Buffer.from(content)], { objectMode: false }), Buffer.byteLength(content))
}
