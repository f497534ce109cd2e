import { join } from 'node:path'
import { Usage } from '../../../src/core/chat.ts'
import { listNames } from '../../../src/store/read-file.ts'
import { readJsonFile } from '../../data/read-json-file.ts'

export const indexCosts = 'indexes' // in the folder of a run: a file for each video

// What the indexes of a run took when they were made, one for each video; none if it had no index, or other machines made them.
export async function readIndexCosts(folder: string): Promise<Usage[]> {
  const names = await listNames(join(folder, indexCosts))
  const files = await Promise.all(names.map(name => readJsonFile(join(folder, indexCosts, name))))
  return files.flatMap(file => Usage.safeParse(file).data ?? [])
}
