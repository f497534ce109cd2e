import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { StorageError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { putBytes } from './object-bytes.ts'

// Writes, looks at, reads (in part), lists and removes a small object, as a cluster does. Returns the seconds that took.
export async function tryStore(store: ArtifactStore): Promise<number> {
  const began = performance.now()
  const name = `trial/${randomUUID()}`
  const written = `longtake ${name}\n`
  await putBytes(store, name, written)
  const head = await store.head(name)
  const read = (await text(await store.get(name))) + (await text(await store.get(name, { start: 9, end: 15 })))
  const listed: string[] = []
  for await (const object of store.list('trial/')) listed.push(object.name)
  await store.remove(name)
  if (head?.bytes !== written.length || read !== `${written}trial/` || !listed.includes(name))
    throw new StorageError(`The store ${store.address} gives back other bytes than were written.`, {
      hint: 'Repair it before any work is done: results would be lost. A bucket must answer requests with a Range.',
    })
  return (performance.now() - began) / 1000
}
