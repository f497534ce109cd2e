import { join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { type ArchiveFiles, findArchives, unpackCommand } from '../../src/store/archive/find-archives.ts'
import type { Member } from '../../src/store/archive/member.ts'
import { spellings } from '../../src/store/archive/member.ts'
import { type Archive, formatLabel, openArchive } from '../../src/store/archive/open-archive.ts'
import { nameFinder, type VideoFile } from './find-videos.ts'
import { freeBytes, isUnpacked, memberPlaces, safeParts, unpackMembers } from './unpack-members.ts'

interface PackedWork {
  names: readonly string[] // videos, clips and subtitles that the data name
  find(name: string): VideoFile // as they lie unpacked
  roots: readonly string[] // where archives may lie
  folder: string // where to unpack: nothing is ever put beside the archives
  dryRun?: boolean // only report what would be unpacked
  limits?: { unpack: number; lookInto: number; free?: number } // bytes
  say(line: string): void
  signal: AbortSignal
}

const defaults = {
  unpack: 8_000_000_000, // more than this is left to the person
  lookInto: 2_000_000_000, // of compressed tars, all together: one must be read whole to know what is in it
}
const leftFree = 500_000_000 // bytes of the disk that unpacking does not touch

const maxNotes = 3
const worthReporting = 100_000_000 // bytes; reading them takes seconds

// A finder that also knows what lies in archives below the data folders. What is needed is unpacked at once where that is little;
// else the fault says in which archive it is and what to type.
export async function withPacked(work: PackedWork): Promise<(name: string) => VideoFile> {
  const { find, signal } = work
  const limits = work.limits ?? defaults
  const missing = [...new Set(work.names)].filter(name => 'fault' in find(name))
  if (missing.length === 0) return find
  const archives = (await Promise.all(work.roots.map(root => findArchives(root)))).flat()
  if (archives.length === 0) return find

  const closed: string[] = [] // archives that may hold what is still missing
  const planned: Plan[] = []
  let readable = limits.lookInto
  for (const files of archives) {
    signal.throwIfAborted()
    const unplanned = missing.filter(name => !planned.some(({ names }) => names.has(name)))
    if (unplanned.length === 0) break
    const toRead = files.sort === 'tar.gz' ? files.bytes : 0
    if (toRead > readable) {
      closed.push(
        `It may be in ${formatLabel(files)} (${size(files.bytes)}), which is too large to look into; unpack it: ${unpackCommand(files)}`,
      )
      continue
    }
    readable -= toRead
    if (toRead > worthReporting) work.say(`Looking into ${formatLabel(files)} (${size(files.bytes)}).`)
    const archive = await openArchive(files, signal).catch(error => {
      if (!(error instanceof UsageError)) throw error
      closed.push(`It may be in an archive that is broken: ${error.message}`)
    })
    if (archive) planned.push(await planArchive(files, archive, unplanned, work))
  }

  const unpacked = await carryOut(planned, limits, work)
  return name => {
    const file = unpacked.get(name) ?? find(name)
    if ('path' in file || unpacked.has(name) || closed.length === 0) return file
    const more = closed.length > maxNotes ? [`(and ${closed.length - maxNotes} more archives)`] : []
    return { fault: [file.fault, ...closed.slice(0, maxNotes), ...more].join(' ') }
  }
}

interface Plan {
  files: ArchiveFiles
  archive: Archive
  folder: string
  names: Map<string, Member> // what the data name, and what it is in the archive
  paths: Map<Member, string> // where each of them goes
  missing: Member[] // what does not lie there yet
}

async function planArchive(
  files: ArchiveFiles,
  archive: Archive,
  wanted: readonly string[],
  { folder: root, say }: PackedWork,
): Promise<Plan> {
  const folder = join(root, contentHash([files.files, files.bytes]).slice(0, 16))
  const names = needed(archive, wanted, say)
  const placeOf = memberPlaces(archive.members, folder)
  const paths = new Map([...names.values()].map(member => [member, placeOf(member)]))
  const missing: Member[] = []
  for (const [member, path] of paths) if (!(await isUnpacked(path, member))) missing.push(member)
  return { files, archive, folder, names, paths, missing }
}

// Which members the names mean. A member whose name leads out of the archive's folder is none; a hard link is its target.
function needed(archive: Archive, names: readonly string[], say: (line: string) => void): Map<string, Member> {
  const memberByName = new Map<string, Member>()
  const look = (places: ReadonlyMap<string, Member>) => {
    const find = nameFinder([...places.keys()], '/')
    for (const name of names) {
      const packedMember = memberByName.has(name) ? undefined : find(name)
      const member = packedMember && 'path' in packedMember ? places.get(packedMember.path) : undefined
      if (member) memberByName.set(name, member.target ?? member)
    }
  }
  const safe = archive.members.filter(member => safeParts(member.target ?? member))
  look(new Map(safe.map(member => [`/${member.name}`, member])))
  if (memberByName.size === names.length) return memberByName
  for (const [encoding, places] of spelled(safe)) {
    const before = memberByName.size
    look(places)
    if (memberByName.size > before) say(`Names in ${archive.label} are read as ${encoding}.`)
  }
  return memberByName
}

// The members whose names are in an encoding that the archive does not name, by each that they could be in.
function spelled(members: readonly Member[]): Map<string, Map<string, Member>> {
  const by = new Map<string, Map<string, Member>>()
  for (const member of members)
    for (const { name, encoding } of spellings(member)) {
      const places = by.get(encoding) ?? new Map<string, Member>()
      by.set(encoding, places.set(`/${name}`, member))
    }
  return by
}

// Unpacks the smallest first, while all of them together fit.
async function carryOut(
  planned: readonly Plan[],
  limits: NonNullable<PackedWork['limits']>,
  work: PackedWork,
): Promise<Map<string, VideoFile>> {
  const unpacked = new Map<string, VideoFile>()
  const total = planned.reduce((sum, { missing }) => sum + sumSizes(missing), 0)
  const room = limits.free ?? (await freeBytes(work.folder))
  const free = room - leftFree
  const freeText = `${size(Math.max(0, room))} free`
  let bytesLeft = Math.min(limits.unpack, free)
  for (const plan of [...planned].sort((a, b) => sumSizes(a.missing) - sumSizes(b.missing))) {
    const { files, archive, folder, names, paths, missing } = plan
    const pathByMember = new Map(missing.map(member => [member, paths.get(member) ?? '']))
    const needed = sumSizes(missing)
    bytesLeft -= needed
    const isRun = bytesLeft >= 0 && !work.dryRun && missing.length > 0
    if (isRun)
      work.say(
        `Unpacking ${missing.length} files (${size(needed)}) from ${archive.label} to ${folder} (${size(total)} in all, ${freeText}).`,
      )
    const unpackedFiles = isRun ? await unpackMembers(archive, pathByMember, work.signal) : undefined
    const fault = (name: string, member: Member): VideoFile => {
      const lies = `${name} is in ${archive.label}`
      if (isRun) return { fault: `${name} could not be unpacked.` }
      if (bytesLeft >= 0) return { fault: `${lies} (${size(member.size)}); a run unpacks it.`, packed: true }
      const full = needed > free ? `, and ${work.folder} has ${freeText}` : ''
      return { fault: `${lies} (as ${member.name})${full}; unpack it: ${unpackCommand(files)}` }
    }
    for (const [name, member] of names)
      unpacked.set(
        name,
        pathByMember.has(member)
          ? (unpackedFiles?.get(member.name) ?? fault(name, member))
          : { path: paths.get(member) ?? '' },
      )
  }
  return unpacked
}

function sumSizes(members: readonly Member[]): number {
  return members.reduce((sum, member) => sum + member.size, 0)
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`
}
