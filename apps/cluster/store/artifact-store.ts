import type { Readable } from 'node:stream'

// Where results and uploaded sources lie for everyone. No conditional write and no coherent listing is relied on: a row of the
// catalogue says what counts.
export interface ArtifactStore {
  readonly address: string // as users write it, without secrets
  // Whole or not at all: whoever reads `name` sees all bytes of one `put`.
  put(name: string, body: () => Readable, bytes: number): Promise<void>
  get(name: string, range?: { start: number; end: number }): Promise<Readable> // `end` is not part of it
  head(name: string): Promise<{ bytes: number; modified: Date } | undefined>
  list(prefix: string): AsyncIterable<StoredObject>
  remove(name: string): Promise<void>
  unfinished(): AsyncIterable<StoredObject & { remove(): Promise<void> }> // what killed writers left behind
}

export interface StoredObject {
  name: string
  bytes: number
  modified: Date
}
