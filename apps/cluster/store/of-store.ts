import { Readable } from 'node:stream'
import { InputError, LongtakeError, StorageError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { MissingObject, splitObjectName } from './object-names.ts'

// The store as a worker sees it: keys that do not hold here, or a server that is away, say nothing about a video.
export function ofStore(store: ArtifactStore): ArtifactStore {
  return {
    address: store.address,
    put: (...object) => storeFault(store.put(...object)),
    async get(name, range) {
      splitObjectName(name) // a wrong name is nobody's fault but its own
      return translated(await storeFault(store.get(name, range)))
    },
    head: name => storeFault(store.head(name)),
    list: prefix => passed(store.list(prefix)),
    remove: name => storeFault(store.remove(name)),
    unfinished: () => passed(store.unfinished()),
  }
}

// What it refuses is a StorageError; what is not there, and a file here that was replaced, stay what they are.
export function storeFault<T>(work: Promise<T>): Promise<T> {
  return work.catch(error => {
    throw asFault(error)
  })
}

function asFault(error: unknown): unknown {
  const isOther = !(error instanceof LongtakeError) || error instanceof StorageError
  if (isOther || error instanceof MissingObject || error instanceof InputError) return error
  return new StorageError(error.message, { hint: error.hint, cause: error })
}

async function* passed<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* source
  } catch (error) {
    throw asFault(error)
  }
}

function translated(body: Readable): Readable {
  const counted = Readable.from(passed(body), { objectMode: false, highWaterMark: 1 << 20 })
  body.on('error', () => {}) // told by the reading of it
  return counted.once('close', () => body.destroy())
}
