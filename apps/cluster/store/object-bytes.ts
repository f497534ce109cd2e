import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ArtifactStore } from './artifact-store.ts'

// Small objects, which fit in memory.
export function putBytes(store: ArtifactStore, name: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  return store.put(name, () => Readable.from([bytes], { objectMode: false }), bytes.length)
}

export async function getBytes(store: ArtifactStore, name: string): Promise<Buffer> {
  return buffer(await store.get(name))
}
