import { ArchiveError, exactly, type Member, memberName, type ReadableMember } from './member.ts'
import type { Pieces } from './pieces.ts'
import { type TarBytes, type TarReading, tarBytes } from './tar-bytes.ts'
import {
  blockSize,
  type PaxFields,
  paxFields,
  readTarHeader,
  type TarHeader,
  tarPadding,
  trimPadding,
} from './tar-header.ts'

// The files of a tar stream, one after another, plain or through gzip. `read` may be called for the member at hand, before the
// next one is asked for. A hard link is the file that it leads to. Symbolic links, devices and folders are passed over; what has
// content of an unknown form is a member with a fault.
export async function* tarMembers(file: Pieces, reading: TarReading): AsyncIterable<ReadableMember> {
  const source = tarBytes(file, reading)
  const seen = new Map<string, Member>()
  try {
    let currentFields: PaxFields = {} // by the headers that stand before that of the file
    for (;;) {
      reading.signal?.throwIfAborted()
      const bytes = await source.take(blockSize)
      if (bytes.length === 0) return
      if (bytes.length < blockSize) throw new ArchiveError('it ends in the middle of a header')
      if (bytes.every(byte => byte === 0)) return // two such blocks are the end; what follows is padding
      const header = readTarHeader(bytes)
      if (before.has(header.type)) {
        currentFields = { ...currentFields, ...(await readBefore(source, header)) }
        continue
      }
      const size = header.type === '1' ? 0 : (currentFields.size ?? header.size) // GNU tar: a link has no content, whatever it says
      if (header.sparseMore) await skipSparseMap(source)
      if (size > source.left) throw new ArchiveError('it ends in the middle of a file; a piece is missing')
      const member = buildMember(header, currentFields, size, seen)
      currentFields = {}
      let read = 0
      if (member) {
        seen.set(member.name, member)
        const content = async function* () {
          for await (const piece of source.stream(size)) {
            read += piece.length
            yield piece
          }
        }
        yield { ...member, read: () => memberContent(member, content) }
      }
      await source.skip(size - read + tarPadding(size))
    }
  } finally {
    source.close()
  }
}

const before = new Set(['L', 'K', 'x', 'X', 'g'])
const passedOver = new Set(['2', '3', '4', '5', '6', 'D', 'V']) // links, devices, folders, pipes, the label of a volume
const maxExtension = 1_000_000

async function readBefore(source: TarBytes, { type, size }: TarHeader): Promise<PaxFields> {
  if (size > maxExtension) throw new ArchiveError('it has a name of more than a megabyte')
  const content = Buffer.from(await source.take(size))
  if (content.length < size) throw new ArchiveError('it ends in the middle of a header')
  await source.skip(tarPadding(size))
  if (type === 'L') return { name: trimPadding(content) }
  if (type === 'K') return { link: trimPadding(content) }
  return type === 'g' ? {} : paxFields(content)
}

// Old GNU tar: as long as the last byte of a map says so, another block of it follows.
async function skipSparseMap(source: TarBytes): Promise<void> {
  for (;;) {
    const map = await source.take(blockSize)
    if (map.length < blockSize) throw new ArchiveError('it ends in the middle of a header')
    if (map[504] !== 1) return
  }
}

function buildMember(
  header: TarHeader,
  given: PaxFields,
  size: number,
  seen: ReadonlyMap<string, Member>,
): Member | undefined {
  const { type } = header
  if (passedOver.has(type)) return undefined
  const named = memberName(given.name ?? header.name, 'latin1')
  if (type === '1') return linked(named, memberName(given.link ?? header.link, 'latin1').name, seen)
  if (type === 'S' || given.sparse)
    return {
      ...named,
      size,
      fault: `${named.name} is stored as a sparse file of GNU tar, which is not read; unpack it with tar`,
    }
  if (type === '0' || type === '\0' || type === '7') return { ...named, size }
  return { ...named, size, fault: `${named.name} is of an unknown type (${JSON.stringify(type)}) in the tar file` }
}

function linked(named: Pick<Member, 'name' | 'raw'>, to: string, seen: ReadonlyMap<string, Member>): Member {
  const target = seen.get(to)
  if (target) return { ...named, size: target.size, target: target.target ?? target, fault: target.fault }
  return {
    ...named,
    size: 0,
    fault: `${named.name} is a hard link to ${to}, which does not stand before it in the archive`,
  }
}

async function* memberContent(member: Member, stream: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (member.fault !== undefined) throw new ArchiveError(member.fault)
  yield* exactly(stream(), member)
}
