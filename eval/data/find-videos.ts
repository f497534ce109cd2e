import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { filesBelow } from '../../src/store/files-below.ts'

// `packed`: a run unpacks it from an archive, and so far it did not.
export type VideoFile = { path: string } | { fault: string; packed?: true }

export const videoExtensions = [
  '.mp4',
  '.mkv',
  '.webm',
  '.avi',
  '.mov',
  '.m4v',
  '.ts',
  '.flv',
  '.mpg',
  '.mpeg',
  '.wav',
  '.mp3',
]

// Finds the files that the data name: where they should lie, else anywhere below the folder by name, with the extension they
// have. Symbolic links are followed; two files of one name are told apart by the folders they lie in.
export async function videoFinder(data: string, videos?: string): Promise<(name: string) => VideoFile> {
  const root = await findVideoRoot(data, videos)
  return nameFinder(await filesBelow(root, 6), root)
}

// The folder in which videos and subtitles are looked for.
export async function findVideoRoot(data: string, videos?: string): Promise<string> {
  if (videos !== undefined) return videos
  const there = await stat(data).catch(absentAs(undefined))
  if (!there)
    throw new UsageError(`There is nothing at ${data}.`, {
      hint: 'Name the file or the folder of the data with --data.',
    })
  return there.isDirectory() ? data : dirname(data)
}

// Finds among these files, which lie below the root.
export function nameFinder(files: readonly string[], root: string): (name: string) => VideoFile {
  const byName = new Map<string, string[]>()
  const byStem = new Map<string, string[]>()
  for (const file of files) {
    add(byName, basename(file), file)
    if (videoExtensions.includes(extname(file).toLowerCase())) add(byStem, removeVideoExtension(file), file)
  }
  const there = new Set(files)
  return name => {
    if (name.trim() === '') return { fault: 'The data name no video.' }
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return { fault: `${name} is an address, not a file.` }
    const direct = join(root, name)
    if (there.has(direct)) return { path: direct }
    const alike = byName.get(basename(name)) ?? byStem.get(removeVideoExtension(name)) ?? []
    const [best, rival] = closest(alike, name)
    if (best === undefined) return { fault: `${name} is nowhere below ${root}.` }
    if (rival !== undefined) return { fault: `${name} could be ${best} or ${rival}.` }
    return { path: best }
  }
}

// Those that share the most folders with the name; more than one where they share equally many.
function closest(files: readonly string[], name: string): string[] {
  const folders = dirname(name).split('/').reverse()
  const shared = (file: string) => {
    const folderNames = dirname(file).split('/').reverse()
    let count = 0
    while (count < folders.length && folders[count] !== '.' && folders[count] === folderNames[count]) count++
    return count
  }
  const most = Math.max(0, ...files.map(shared))
  return files.filter(file => shared(file) === most)
}

export function removeVideoExtension(file: string): string {
  const name = basename(file)
  return videoExtensions.includes(extname(name).toLowerCase()) ? name.slice(0, -extname(name).length) : name
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value])
}
