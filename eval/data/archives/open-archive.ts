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
export async function openArchive(files: ArchiveFiles): Promise<Archive> {
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
    const members = await readable(() => zipMembers(pieces))
    return {
      label,
      members,
      each: (names, take) =>
        readable(async () => {
          for (const member of members) if (names.has(member.name)) await take(member, readZipMember(pieces, member))
        }),
    }
  }
  const gzip = files.sort === 'tar.gz'
  const members: Member[] = []
  await readable(async () => {
    for await (const { name, size } of tarMembers(pieces, gzip)) members.push({ name, size })
  })
  return {
    label,
    members,
    each: (names, take) =>
      readable(async () => {
        let left = names.size
        for await (const member of tarMembers(pieces, gzip)) {
          if (!names.has(member.name)) continue
          await take(member, member.read())
          if (--left === 0) return
        }
      }),
  }
}

export function labelOf({ files }: ArchiveFiles): string {
  return files.length === 1
    ? files[0]
    : `${files[0]} and its other ${files.length === 2 ? 'piece' : `${files.length - 1} pieces`}`
}

export { unpackCommand }
