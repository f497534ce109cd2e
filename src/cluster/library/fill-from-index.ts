import type { IndexedVideo } from '../../app/index/find-index.ts'
import { libraryRows } from '../../app/index/library-rows.ts'
import type { Models } from '../../app/models/models.ts'
import type { Database } from '../data/sql.ts'
import { fillVideo } from './library-table.ts'
import { encoderVersion } from './picture-query.ts'

// Puts a finished index into the tables of the cluster: what a LibraryJob does.
export async function fillFromIndex(
  database: Pick<Database, 'transaction'>,
  indexed: IndexedVideo,
  models: Models,
  config?: string,
): Promise<void> {
  const { pictures, ...rows } = await libraryRows(indexed)
  const shots = pictures && { ...pictures, version: await encoderVersion(models) }
  await fillVideo(database, { ...rows, ...(shots && { shots }), ...(config !== undefined && { config }) })
}
