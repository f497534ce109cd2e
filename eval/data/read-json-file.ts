import { StorageError } from '../../src/core/errors.ts'
import { shallowJson } from '../../src/core/json.ts'
import { readTextFile } from '../../src/store/read-file.ts'

// Undefined if there is no such file.
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file)
  if (text === undefined) return undefined
  try {
    return shallowJson(text)
  } catch (error) {
    throw new StorageError(`${file} is damaged.`, { cause: error })
  }
}
