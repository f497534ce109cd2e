import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { StorageError } from '../../core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'

// Writes, reads and removes a small object, as a worker does. Returns the seconds that took.
export async function tryStore(store: ArtifactStore): Promise<number> {
  const began = performance.now()
  const name = `trial/${randomUUID()}`
  const written = Buffer.from(`longtake ${name}\n`)
  await store.put(name, () => Readable.from([written]), written.length)
  const read = await buffer(await store.get(name))
  await store.remove(name)
  if (!read.equals(written))
    throw new StorageError(`The store ${store.address} gives back other bytes than were written.`, {
      hint: 'Repair it before any work is done: results would be lost.',
    })
  return (performance.now() - began) / 1000
}
