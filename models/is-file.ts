import { stat } from 'node:fs/promises'
import { absentAs } from '../src/core/errors.ts'

// Whether a model file exists and is not empty.
export async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(absentAs(undefined, 'ENOTDIR', 'ENAMETOOLONG'))
  return Boolean(found?.isFile() && found.size > 0)
}
