import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { contentId } from '../../src/media/file/content-id.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import { type VideoFile, videoExtensions } from '../data/find-videos.ts'

// Finds videos by what they hold: a file under the right name, or else one under any name below the folder with that content id.
export async function findCopies(
  ids: Readonly<Record<string, string>>, // by the names in the data
  names: readonly string[],
  find: (name: string) => VideoFile,
  root: string,
): Promise<(name: string) => VideoFile> {
  const namesById = new Map<string, string[]>()
  for (const name of new Set(names)) {
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined
    if (id === undefined) continue
    const file = find(name)
    if ('path' in file && (await readId(file.path)) === id) continue
    namesById.set(id, [...(namesById.get(id) ?? []), name])
  }
  const copies = new Map<string, VideoFile>()
  if (namesById.size === 0) return find
  for (const path of await filesBelow(root, 6)) {
    if (!videoExtensions.includes(extname(path).toLowerCase())) continue
    for (const name of namesById.get(await readId(path)) ?? []) copies.set(name, { path })
  }
  return name => copies.get(name) ?? find(name)
}

async function readId(path: string): Promise<string> {
  return contentId(path, (await stat(path)).size)
}
