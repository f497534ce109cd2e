import { StorageError } from '../../../src/core/errors.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { putBytes } from './object-bytes.ts'

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
