import { errorText, UsageError } from '../../core/errors.ts'
import type { ArchiveFiles } from './find-archives.ts'
import { ArchiveError, type Member, type ReadableMember } from './member.ts'
import { joinArchive, type Pieces } from './pieces.ts'
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

// Looks up what is in an archive. A zip lists it at its end; a tar must be gone through, and a compressed one read whole. Of an
// archive that was added to and has a name more than once, the last is what unpacking leaves.
export async function openArchive(files: ArchiveFiles, signal?: AbortSignal): Promise<Archive> {
  const label = formatLabel(files)
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
  const pieces = await joinArchive(files.files)
  const all: Member[] = []
  const walk = await readable(async () => {
    const walk = files.sort === 'zip' ? await zipWalk(pieces, signal) : tarWalk(pieces, files, signal)
    for await (const { read: _, ...member } of walk()) all.push(member)
    return walk
  })
  const last = new Set(new Map(all.map((member, at) => [member.name, at])).values())
  return {
    label,
    members: all.filter((_, at) => last.has(at)),
    each: (names, take) =>
      readable(async () => {
        let membersLeft = names.size
        let at = 0
        for await (const member of walk()) {
          if (!last.has(at++) || !names.has(member.name)) continue
          await take(member, member.read())
          if (--membersLeft === 0) return
        }
      }),
  }
}

type Walk = () => AsyncIterable<ReadableMember>

async function zipWalk(pieces: Pieces, signal?: AbortSignal): Promise<Walk> {
  const members = await zipMembers(pieces)
  return async function* () {
    for (const member of members) {
      signal?.throwIfAborted()
      yield { ...member, read: () => readZipMember(pieces, member) }
    }
  }
}

function tarWalk(pieces: Pieces, { sort, bytes }: ArchiveFiles, signal?: AbortSignal): Walk {
  const max = Math.max(minBound, bytes * maxDensity)
  return () => tarMembers(pieces, { gzip: sort === 'tar.gz', signal, max })
}

// What videos and subtitles never reach, and zeros do at once: a compressed tar is read whole to know what is in it.
const maxDensity = 50
const minBound = 1_000_000_000

export function formatLabel({ files: [first = '', ...others] }: ArchiveFiles): string {
  if (others.length === 0) return first
  return `${first} and its other ${others.length === 1 ? 'piece' : `${others.length} pieces`}`
}
