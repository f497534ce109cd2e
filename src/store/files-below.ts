import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, forbidden } from '../core/errors.ts'

// The files of a person's folder, links followed; what may not be read there is not found.
export async function filesBelow(folder: string, levels: number): Promise<string[]> {
  const paths: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(absentAs([], ...forbidden))) {
    const path = join(folder, entry.name)
    const kind = entry.isSymbolicLink() ? await stat(path).catch(absentAs(undefined, 'ELOOP', ...forbidden)) : entry
    if (kind?.isFile()) paths.push(path)
    else if (kind?.isDirectory() && levels > 0) paths.push(...(await filesBelow(path, levels - 1)))
  }
  return paths
}
