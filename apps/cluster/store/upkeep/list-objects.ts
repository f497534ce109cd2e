import { knownObjects } from '../../data/catalogue/artifacts.ts'
import type { Database } from '../../data/sql.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'

interface ListedObject {
  object: StoredObject
  prefix: string
  isKnown: boolean // a row names it
}

const pageSize = 500 // objects whose rows are looked up together

// The objects of the store, and which of them count.
export async function* listObjects(
  { database, store, signal }: { database: Database; store: ArtifactStore; signal: AbortSignal },
  prefixes: readonly string[],
): AsyncIterable<ListedObject> {
  for (const prefix of prefixes) {
    let page: StoredObject[] = []
    const looked = async () => {
      const names = page.map(({ name }) => name)
      const knownNames = await knownObjects(database, names)
      const listed = page.map(object => ({ object, prefix, isKnown: knownNames.has(object.name) }))
      page = []
      return listed
    }
    for await (const object of store.list(prefix)) {
      signal.throwIfAborted()
      if (page.push(object) === pageSize) yield* await looked()
    }
    yield* await looked()
  }
}
