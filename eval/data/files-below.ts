import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

// The files of a person's folder, links followed; what cannot be read there is not found.
export async function filesBelow(folder: string, levels: number): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    const kind = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry
    if (kind?.isFile()) found.push(path)
    else if (kind?.isDirectory() && levels > 0) found.push(...(await filesBelow(path, levels - 1)))
  }
  return found
}
