import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/hash.ts'
import { saveStream } from '../../src/store/save-stream.ts'
import { type ArchiveFiles, findArchives } from '../data/archives/find-archives.ts'
import { ArchiveError, type Member, safePath } from '../data/archives/member.ts'
import { type Archive, labelOf, openArchive, unpackCommand } from '../data/archives/open-archive.ts'
import { type Found, nameFinder } from './find-videos.ts'

export interface PackedWork {
  names: readonly string[] // videos, clips and subtitles that the data name
  find(name: string): Found // as they lie unpacked
  roots: readonly string[] // where archives may lie
  folder: string // where to unpack: nothing is ever put beside the archives
  limits?: { unpack: number; lookInto: number } // bytes
  say(line: string): void
  signal: AbortSignal
}

const usual = {
  unpack: 8_000_000_000, // more than this is left to the person
  lookInto: 2_000_000_000, // of compressed tars, all together: one must be read whole to know what is in it
}

const mostNotes = 3
const worthSaying = 100_000_000 // bytes; reading them takes seconds

// A finder that also knows what lies in archives below the data folders. What is needed is unpacked at once where that is little;
// else the fault says in which archive it is and what to type.
export async function withPacked(work: PackedWork): Promise<(name: string) => Found> {
  const { find, signal } = work
  const limits = work.limits ?? usual
  const missing = [...new Set(work.names)].filter(name => 'fault' in find(name))
  if (missing.length === 0) return find
  const archives = (await Promise.all(work.roots.map(root => findArchives(root)))).flat()
  if (archives.length === 0) return find

  const unpacked = new Map<string, Found>()
  const closed: string[] = [] // archives that may hold what is still missing
  const planned: { files: ArchiveFiles; archive: Archive; members: Map<string, Member>; names: Map<string, string> }[] =
    []
  let readable = limits.lookInto
  for (const files of archives) {
    signal.throwIfAborted()
    const left = missing.filter(name => !planned.some(({ names }) => names.has(name)))
    if (left.length === 0) break
    const toRead = files.sort === 'tar.gz' ? files.bytes : 0
    if (toRead > readable) {
      closed.push(
        `It may be in ${labelOf(files)} (${size(files.bytes)}), which is too large to look into; unpack it: ${unpackCommand(files)}`,
      )
      continue
    }
    readable -= toRead
    if (toRead > worthSaying) work.say(`Looking into ${labelOf(files)} (${size(files.bytes)}).`)
    const archive = await openArchive(files).catch(error => {
      if (!(error instanceof UsageError)) throw error
      closed.push(`It may be in an archive that is broken: ${error.message}`)
    })
    if (archive) planned.push({ files, archive, ...needed(archive, left) })
  }

  let left = limits.unpack
  for (const { files, archive, members, names } of planned.sort((a, b) => sizeOf(a.members) - sizeOf(b.members))) {
    if (names.size === 0) continue
    left -= sizeOf(members)
    if (left < 0) {
      for (const [name, member] of names)
        unpacked.set(name, {
          fault: `${name} is in ${archive.label} (as ${member}); unpack it: ${unpackCommand(files)}`,
        })
      continue
    }
    const folder = join(work.folder, contentHash([files.files, files.bytes]).slice(0, 16))
    const paths = await unpack(archive, members, folder, work)
    for (const [name, member] of names)
      unpacked.set(name, paths.get(member) ?? { fault: `${name} could not be unpacked.` })
  }
  return name => {
    const found = unpacked.get(name) ?? find(name)
    if ('path' in found || unpacked.has(name) || closed.length === 0) return found
    const more = closed.length > mostNotes ? [`(and ${closed.length - mostNotes} more archives)`] : []
    return { fault: [found.fault, ...closed.slice(0, mostNotes), ...more].join(' ') }
  }
}

// Which members the names mean. A member whose name leads out of the archive's folder is none.
function needed(
  archive: Archive,
  names: readonly string[],
): { members: Map<string, Member>; names: Map<string, string> } {
  const safe = new Map(archive.members.filter(({ name }) => safePath(name)).map(member => [`/${member.name}`, member]))
  const find = nameFinder([...safe.keys()], '/')
  const found = new Map<string, string>()
  const members = new Map<string, Member>()
  for (const name of names) {
    const place = find(name)
    const member = 'path' in place ? safe.get(place.path) : undefined
    if (!member) continue
    found.set(name, member.name)
    members.set(member.name, member)
  }
  return { members, names: found }
}

// What was unpacked before, whole, is taken as it is.
async function unpack(
  archive: Archive,
  members: ReadonlyMap<string, Member>,
  folder: string,
  { say, signal }: PackedWork,
): Promise<Map<string, Found>> {
  const places = new Map([...members.keys()].map(name => [name, join(folder, ...(safePath(name) ?? ['']))]))
  const found = new Map<string, Found>()
  const wanted = new Set<string>()
  for (const [name, path] of places) {
    if (await isThere(path)) found.set(name, { path })
    else wanted.add(name)
  }
  if (wanted.size === 0) return found
  say(`Unpacking ${wanted.size} files (${size(sizeOf(members))}) from ${archive.label} to ${folder}.`)
  try {
    await archive.each(wanted, async ({ name }, content) => {
      const path = places.get(name) ?? ''
      try {
        await saveStream(path, content, signal)
        found.set(name, { path })
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error
        found.set(name, { fault: `${archive.label}: ${error.message}` })
      }
    })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const name of wanted) if (!found.has(name)) found.set(name, { fault: error.message })
  }
  return found
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  )
}

function sizeOf(members: ReadonlyMap<string, Member>): number {
  return [...members.values()].reduce((sum, member) => sum + member.size, 0)
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`
}
