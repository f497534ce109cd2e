import { join } from 'node:path'
import { contentHash } from '../../../src/core/json.ts'

// Where the calls of one question are kept. Ids of samples come from data sets: they become folder names, and two must never
// become one.
export function callFolder(runFolder: string, key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)
  return join(runFolder, 'calls', plain === key ? plain : `${plain}-${contentHash(key).slice(0, 10)}`)
}
