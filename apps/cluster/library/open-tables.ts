import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import type { SearchTables } from '../../../src/runtime/index/search-library.ts'
import { openDatabase } from '../data/database.ts'
import type { Database } from '../data/sql.ts'
import { databaseAddress } from '../open-cluster.ts'
import { searchTables } from './search-tables.ts'

export interface Tables {
  search: SearchTables
  close(): Promise<void>
}

// The search of a cluster for who asks on this machine. Where the database does not answer, that is said, and the videos of this machine
// are searched.
export function openTables(
  settings: ClusterSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Tables {
  let opened: Promise<Database> | undefined
  return {
    async search(work, query, options) {
      try {
        opened ??= openDatabase(databaseAddress(settings), { environment, connections: 2, patience: 3 })
        const hits = await searchTables(await opened, work, query, options)
        return hits.tables?.searched === 0 ? undefined : hits
      } catch (error) {
        if (work.signal.aborted || error instanceof UsageError) throw error
        opened = undefined
        const text = `The cluster cannot be searched, so only the videos of this machine are: ${errorText(error)}`
        options.watch?.({ type: 'note', text })
        return undefined
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}
