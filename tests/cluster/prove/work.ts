import type { Database } from '../../../apps/cluster/data/sql.ts'
import type { Start } from './start.ts'

// What the cluster is to do, beside the same done by one process.
export interface ProofWork {
  alone(start: Start): Promise<Map<string, string>> // files by name, with what is in them
  words(): string[] // of the command that asks the cluster; asked again it goes on
  together(database: Database, asker: Start): Promise<Map<string, string>>
}
