import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { absentAs, InputError, UsageError } from '../../../src/core/errors.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import { videoExtensions } from '../../data/find-videos.ts'

// The videos that --from names: files, folders (not those below them), and lists, one path a line.
export async function videosFrom(given: readonly string[], cwd: string): Promise<string[]> {
  const videoPaths = (await Promise.all(given.map(path => videosAt(resolve(cwd, path))))).flat()
  const unique = [...new Set(videoPaths)]
  if (unique.length === 0)
    throw new UsageError('--from names no video.', { hint: 'Name videos, a folder of videos, or a list of paths.' })
  return unique
}

async function videosAt(path: string): Promise<string[]> {
  const kind = await stat(path).catch(absentAs(undefined))
  if (!kind) throw new InputError(`There is nothing at ${path}.`, { hint: 'Correct --from.' })
  if (kind.isDirectory()) {
    const names = (await readdir(path)).filter(name => videoExtensions.includes(extname(name).toLowerCase()))
    return names.sort().map(name => join(path, name))
  }
  if (!/\.(txt|lst)$/i.test(path)) return [path]
  const named = filledLines(await readBoundedText(path, 64e6)).filter(line => !line.startsWith('#'))
  refuseAddresses(named)
  return named.map(line => resolve(path, '..', line))
}

// The files of a set link to those that it is made from; also a set, NAME:FOLDER, has its videos in a folder.
export function refuseAddresses(named: readonly string[]): void {
  const address = named.find(one => one.includes('://'))
  if (address === undefined) return
  throw new UsageError(`--from takes files and folders, and ${address} is an address.`, {
    hint: 'Copy the videos into a folder, or mount the bucket there, and name that folder. With --queue it must lie below a root of cluster.roots.',
  })
}

// "Talk 1.mp4" as "talk_1": what questions and files of the set call it.
export function videoIds(paths: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (const path of paths) {
    const id = basename(path, extname(path))
      .toLowerCase()
      .replace(/[^\p{L}\p{N}-]+/gu, '_')
      .replace(/^_+|_+$/g, '')
    const other = ids.get(id)
    if (other !== undefined || id === '')
      throw new UsageError(`${path} and ${other ?? 'another file'} would both be called "${id}" in the set.`, {
        hint: 'Rename one of them.',
      })
    ids.set(id, path)
  }
  return ids
}

// Lines of the files that --exclude names.
export async function idsIn(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map(file => readBoundedText(file, 256e6).catch(absentAs(undefined))))
  return texts.flatMap((text, at) => {
    if (text === undefined) throw new UsageError(`There is no file at ${files[at]}.`, { hint: 'Correct --exclude.' })
    return filledLines(text)
  })
}

function filledLines(text: string): string[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '')
}
