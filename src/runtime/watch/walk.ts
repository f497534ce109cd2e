import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, errorText, forbidden } from '../../core/errors.ts'
import { type FileLook, glanceAt } from '../../media/file/file-look.ts'
import { isMedia } from '../../media/file/media-name.ts'
import { sidecarsAmong } from '../../media/file/sidecars.ts'

export interface WalkedFile extends FileLook {
  beside: string // the subtitle files that belong to it, and how they look: an index is made of these too
}

// What one walk has found. Of a folder that could not be read nothing is known: its files are not gone.
export interface Walk {
  files: ReadonlyMap<string, WalkedFile>
  unread: ReadonlyMap<string, string> // why, by folder
}

const isHidden = /^\.|^(@eaDir|#recycle)$/ // the last two are folders of network disks
const atOnce = 64 // files asked for at the same time: a network folder takes a millisecond for each

// Goes through these folders and all below them again and again. Hidden files, which copying programs write to first, are left out,
// and so is the folder of our own. Nothing is asked of inotify: network folders tell it nothing, and it runs out of watches.
export function walker(roots: readonly string[], except: string): () => Promise<Walk> {
  const places = new Map<string, string>() // where each root was when something lay in it

  return async () => {
    const files = new Map<string, WalkedFile>()
    const unread = new Map<string, string>()
    const been = new Set<string>() // a link may lead back to where we come from
    const visit = async (folder: string, isRoot: boolean): Promise<void> => {
      try {
        const location = await identifyFolder(folder)
        if (folder === except || been.has(location)) return
        been.add(location)
        const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isHidden.test(name))
        if (isRoot && entries.length === 0 && (places.get(folder) ?? location) !== location)
          throw new Error('it is empty, and another folder than before')
        if (isRoot && entries.length > 0) places.set(folder, location)
        for (const sight of await sightsIn(folder, entries)) files.set(sight.path, sight)
        for (const name of await foldersIn(folder, entries)) await visit(join(folder, name), false)
      } catch (error) {
        if (isRoot || !isGone(error)) unread.set(folder, errorText(error))
      }
    }
    for (const root of roots) await visit(root, true)
    return { files, unread }
  }
}

async function identifyFolder(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder)
  return `${dev}:${ino}`
}

async function sightsIn(folder: string, entries: readonly Dirent[]): Promise<WalkedFile[]> {
  const names = entries.filter(entry => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name)
  const otherNames = names.filter(name => !isMedia.test(name))
  const sights: WalkedFile[] = []
  const media = names.filter(name => isMedia.test(name))
  for (let at = 0; at < media.length; at += atOnce)
    for (const file of await Promise.all(
      media.slice(at, at + atOnce).map(name => lookAtFile(folder, name, otherNames)),
    ))
      if (file) sights.push(file)
  return sights
}

async function lookAtFile(folder: string, name: string, others: readonly string[]): Promise<WalkedFile | undefined> {
  const look = await glance(join(folder, name))
  if (!look) return undefined
  const beside = await Promise.all(sidecarsAmong(others, name).map(one => glance(join(folder, one))))
  return { ...look, beside: beside.map(one => one && `${one.path} ${one.bytes} ${one.modified}`).join('\n') }
}

async function glance(path: string): Promise<FileLook | undefined> {
  return glanceAt(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))
}

async function foldersIn(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const folders: string[] = []
  for (const entry of entries)
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, entry.name)))))
      folders.push(entry.name)
  return folders
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(absentAs(undefined, ...forbidden, 'ELOOP')))?.isDirectory() ?? false
}

function isGone(error: unknown): boolean {
  try {
    return absentAs(true)(error)
  } catch {
    return false
  }
}
