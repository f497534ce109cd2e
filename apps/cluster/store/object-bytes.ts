import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BackendError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'

// Small objects, which fit in memory.
export function putBytes(store: ArtifactStore, name: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  return store.put(name, () => Readable.from([bytes], { objectMode: false }), bytes.length)
}

export async function getBytes(
  store: Pick<ArtifactStore, 'get'>,
  name: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  return buffer(await store.get(name, range))
}

// Reads a part of an object as of a file: what lies beyond its end is empty.
export function partReader(store: Pick<ArtifactStore, 'get'>, name: string, bytes: number) {
  return async (start: number, length: number): Promise<Buffer> => {
    const end = Math.min(bytes, start + length)
    return end > start ? getBytes(store, name, { start, end }) : Buffer.alloc(0)
  }
}

// Passes a body on, and fails at its end where it has not just as many bytes as were promised.
export function exactBytes(bytes: number, name: string) {
  return async function* (body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let seen = 0
    for await (const piece of body) {
      seen += piece.length
      if (seen > bytes) break
      yield piece
    }
    if (seen !== bytes)
      throw new BackendError(`${name} has ${seen > bytes ? 'more than' : `${seen} in place of`} ${bytes} bytes.`, {
        hint: 'Something wrote to it while it was sent; run the same command again.',
      })
  }
}
