import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

// The sha256 of every file below the folder whose name fits, by its path.
export async function fileHashes(folder: string, fits: (path: string) => boolean): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => !entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  const hashes: Record<string, string> = {}
  for (const path of paths.sort()) {
    const name = relative(folder, path)
    if (fits(name))
      hashes[name] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
  }
  return hashes
}
