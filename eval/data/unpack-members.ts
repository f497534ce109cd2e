import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { absentAs, forbidden, UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { ArchiveError, type Member, safePath, spellings } from '../../src/store/archive/member.ts'
import type { Archive } from '../../src/store/archive/open-archive.ts'
import { saveStream } from '../../src/store/create-file.ts'
import type { VideoFile } from './find-videos.ts'

// Where the members of an archive go below a folder. Names that some file systems hold for one (by case, by Unicode form, or as
// a folder of another's) go into folders of their own, so that none is taken for the other.
export function memberPlaces(members: readonly Member[], folder: string): (member: Member) => string {
  const used = new Map<string, number>()
  for (const member of members) {
    const name = folded(member)
    used.set(name, (used.get(name) ?? 0) + 1)
    for (const above of listParentFolders(name)) used.set(`${above}/`, 1)
  }
  const clashes = (name: string) =>
    (used.get(name) ?? 0) > 1 || used.has(`${name}/`) || listParentFolders(name).some(above => used.has(above))
  return member => {
    const parts = safeParts(member) ?? []
    return join(folder, ...(clashes(folded(member)) ? [contentHash(member.name).slice(0, 16)] : []), ...parts)
  }
}

// The folders and the name of a member, in the first spelling that leads nowhere else.
export function safeParts(member: Member): string[] | undefined {
  const named = safePath(member.name)
  if (named || !member.raw) return named
  return spellings(member)
    .map(({ name }) => safePath(name))
    .find(parts => parts !== undefined)
}

function folded(member: Member): string {
  return (safeParts(member) ?? []).join('/').normalize('NFKC').toLowerCase()
}

function listParentFolders(name: string): string[] {
  return name.split('/').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]))
}

// Whether a member lies unpacked, as large as the archive says.
export function isUnpacked(path: string, { size }: Member): Promise<boolean> {
  return stat(path).then(found => found.isFile() && found.size === size, absentAs(false))
}

// Unpacks what is not there yet. A member that is damaged has a fault, and the others come out.
export async function unpackMembers(
  archive: Archive,
  places: ReadonlyMap<Member, string>,
  signal: AbortSignal,
): Promise<Map<string, VideoFile>> {
  const files = new Map<string, VideoFile>()
  const pathByName = new Map([...places].map(([member, path]) => [member.name, path]))
  try {
    await archive.each(new Set(pathByName.keys()), async ({ name }, content) => {
      const path = pathByName.get(name) ?? ''
      try {
        await saveStream(path, content, signal)
        files.set(name, { path })
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof ArchiveError)) throw error
        files.set(name, { fault: `${archive.label}: ${error.message}` })
      }
    })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const name of pathByName.keys()) if (!files.has(name)) files.set(name, { fault: error.message })
  }
  return files
}

// Of the disk on which a folder lies, or will.
export async function freeBytes(folder: string): Promise<number> {
  const space = await statfs(folder).catch(absentAs(undefined, ...forbidden))
  if (space) return space.bavail * space.bsize
  return folder === dirname(folder) ? Number.POSITIVE_INFINITY : freeBytes(dirname(folder))
}
