import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'

// The JSON files that a path names: itself, or those of a folder.
export async function jsonFiles(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const names = (await readdir(path)).filter(name => extname(name).toLowerCase() === '.json').sort()
  if (names.length > 0) return names.map(name => join(path, name))
  throw new UsageError(`The folder ${path} holds no JSON file.`, { hint: 'Name the folder of the prediction files.' })
}

// How released tools name a model in files: the last part of its path with everything but letters and digits as underscores.
export function fileModelName(model: string): string {
  const parts = model.split('/')
  const last = parts.at(-1)?.trim() === '' ? parts.at(-2) : parts.at(-1)
  return (last ?? '').replace(/[^a-zA-Z0-9]/g, '_')
}
