import { errorText, UsageError } from '../../../src/core/errors.ts'
import { type ArchiveFiles, unpackCommand } from './find-archives.ts'
import { ArchiveError, type Member } from './member.ts'
import { joinPieces } from './pieces.ts'
import { tarMembers } from './tar.ts'
import { readZipMember, zipMembers } from './zip.ts'

export interface Archive {
  label: string
  members: Member[]
  // Hands over the members of these names, in the order in which they lie.
  each(
    names: ReadonlySet<string>,
    take: (member: Member, content: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>
}

// Looks up what is in an archive. A zip lists it at its end; a tar must be gone through, and a compressed one read whole.
export async function openArchive(files: ArchiveFiles, signal?: AbortSignal): Promise<Archive> {
  const label = labelOf(files)
  const readable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      throw new UsageError(`${label} cannot be read: ${errorText(error)}.`, {
        hint: 'Fetch it again, with all its pieces in one folder.',
        cause: error,
      })
    }
  }
  const pieces = await joinPieces(files.files)
  if (files.sort === 'zip') {
    const all = await readable(() => zipMembers(pieces))
    const last = lastOfName(all)
    return {
      label,
      members: [...last.keys()],
      each: (names, take) =>
        readable(async () => {
          for (const member of last.keys()) {
            signal?.throwIfAborted()
            if (names.has(member.name)) await take(member, readZipMember(pieces, member))
          }
        }),
    }
  }
  const reading = { gzip: files.sort === 'tar.gz', signal, most: Math.max(leastBound, files.bytes * densest) }
  const all: Member[] = []
  await readable(async () => {
    for await (const { read: _, ...member } of tarMembers(pieces, reading)) all.push(member)
  })
  const last = lastOfName(all)
  const places = new Set(last.values())
  return {
    label,
    members: [...last.keys()],
    each: (names, take) =>
      readable(async () => {
        let left = names.size
        let at = 0
        for await (const member of tarMembers(pieces, reading)) {
          if (!places.has(at++) || !names.has(member.name)) continue
          await take(member, member.read())
          if (--left === 0) return
        }
      }),
  }
}

// What videos and subtitles never reach, and zeros do at once: a compressed tar is read whole to know what is in it.
const densest = 50
const leastBound = 1_000_000_000

// An archive that was added to has a name more than once: the last is what unpacking leaves. With its place among all.
function lastOfName<M extends Member>(members: readonly M[]): Map<M, number> {
  const places = new Map(members.map((member, at) => [member.name, at]))
  return new Map([...places.values()].sort((a, b) => a - b).map(at => [members[at], at]))
}

export function labelOf({ files }: ArchiveFiles): string {
  return files.length === 1
    ? files[0]
    : `${files[0]} and its other ${files.length === 2 ? 'piece' : `${files.length - 1} pieces`}`
}

export { unpackCommand }
