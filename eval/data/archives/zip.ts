import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ArchiveError, exactly, type Member } from './member.ts'
import type { Pieces } from './pieces.ts'

export interface ZipMember extends Member {
  crc: number
  method: number
  packed: number // bytes in the archive
  offset: number // of its local header, in the whole file
  encrypted: boolean
}

// The end of a zip file says where its list of members lies.
interface End {
  at: number
  disks: number // numbered from 0: the last one
  entries: number
  listDisk: number
  listSize: number
  listOffset: number
}

const endLength = 22
const longestComment = 65_535

// PKWARE's APPNOTE 6.3: also larger than 4 GB, split into .z01, .z02, ..., .zip, or with something put before it.
export async function zipMembers(file: Pieces): Promise<ZipMember[]> {
  const end = await findEnd(file)
  if (!end) throw new ArchiveError('it has no end that lists its members; a piece is missing, or it is cut short')
  const base = end.disks > 0 ? 0 : Math.max(0, end.at - end.listSize - end.listOffset)
  const place = (disk: number, offset: number) => (end.disks > 0 ? (file.starts[disk] ?? Number.NaN) : base) + offset
  const list = await file.read(place(end.listDisk, end.listOffset), end.listSize)
  const members: ZipMember[] = []
  let at = 0
  for (let n = 0; n < end.entries; n++) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50)
      throw new ArchiveError('its list of members is damaged; a piece is missing, or the pieces are in another order')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(field => list.readUInt16LE(at + field))
    const next = at + 46 + nameLength + extraLength + commentLength
    if (next > list.length) throw new ArchiveError('its list of members is cut short')
    const name = list.toString('utf8', at + 46, at + 46 + nameLength)
    const wide = wideFields(list.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength), {
      size: list.readUInt32LE(at + 24),
      packed: list.readUInt32LE(at + 20),
      offset: list.readUInt32LE(at + 42),
      disk: list.readUInt16LE(at + 34),
    })
    if (!name.endsWith('/') && !isLink(list, at))
      members.push({
        name,
        size: wide.size,
        packed: wide.packed,
        offset: place(wide.disk, wide.offset),
        crc: list.readUInt32LE(at + 16),
        method: list.readUInt16LE(at + 10),
        encrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      })
    at = next
  }
  return members
}

export async function* readZipMember(file: Pieces, member: ZipMember): AsyncIterable<Uint8Array> {
  const { name, offset, packed, method, crc, encrypted } = member
  if (encrypted) throw new ArchiveError(`${name} is encrypted.`)
  if (method !== 0 && method !== 8)
    throw new ArchiveError(`${name} is compressed in a way (${method}) that is not read.`)
  const header = await file.read(offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50)
    throw new ArchiveError(`${name} is not where the archive says.`)
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const bytes = file.stream(start, start + packed)
  let sum = 0
  for await (const piece of exactly(method === 0 ? bytes : inflated(bytes, name), member)) {
    sum = crc32(piece, sum)
    yield piece
  }
  if (sum !== crc) throw new ArchiveError(`${name} is damaged in the archive.`)
}

async function* inflated(bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
  const source = Readable.from(bytes)
  const inflate = createInflateRaw()
  source.on('error', error => inflate.destroy(error))
  try {
    yield* source.pipe(inflate)
  } catch (error) {
    throw new ArchiveError(`${name} is damaged in the archive.`, { cause: error })
  } finally {
    source.destroy()
  }
}

async function findEnd(file: Pieces): Promise<End | undefined> {
  const length = Math.min(file.size, endLength + longestComment)
  const tail = await file.read(file.size - length, length)
  for (let i = tail.length - endLength; i >= 0; i--) {
    if (tail.readUInt32LE(i) !== 0x06054b50 || i + endLength + tail.readUInt16LE(i + 20) > tail.length) continue
    const end: End = {
      at: file.size - length + i,
      disks: tail.readUInt16LE(i + 4),
      listDisk: tail.readUInt16LE(i + 6),
      entries: tail.readUInt16LE(i + 10),
      listSize: tail.readUInt32LE(i + 12),
      listOffset: tail.readUInt32LE(i + 16),
    }
    return (await wideEnd(file, end)) ?? end
  }
  return undefined
}

// Where a field is too small for its value, a longer end stands before the short one.
async function wideEnd(file: Pieces, end: End): Promise<End | undefined> {
  const locator = await file.read(Math.max(0, end.at - 20), 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return undefined
  const disk = locator.readUInt32LE(4)
  const inPiece = Number(locator.readBigUInt64LE(8))
  for (const at of [(file.starts[disk] ?? 0) + inPiece, end.at - 20 - 56]) {
    const wide = await file.read(at, 56)
    if (wide.length < 56 || wide.readUInt32LE(0) !== 0x06064b50) continue
    return {
      at,
      disks: wide.readUInt32LE(16),
      listDisk: wide.readUInt32LE(20),
      entries: Number(wide.readBigUInt64LE(32)),
      listSize: Number(wide.readBigUInt64LE(40)),
      listOffset: Number(wide.readBigUInt64LE(48)),
    }
  }
  return undefined
}

interface Fields {
  size: number
  packed: number
  offset: number
  disk: number
}

// Sizes of 4 GB and more stand in an extra field, those that need it and in this order.
function wideFields(extra: Buffer, fields: Fields): Fields {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let from = at + 4
    const wide = { ...fields }
    for (const name of ['size', 'packed', 'offset'] as const) {
      if (fields[name] !== 0xffffffff || from + 8 > extra.length) continue
      wide[name] = Number(extra.readBigUInt64LE(from))
      from += 8
    }
    if (fields.disk === 0xffff && from + 4 <= extra.length) wide.disk = extra.readUInt32LE(from)
    return wide
  }
  return fields
}

// A symbolic link of a Unix system: its "content" is where it leads, and nothing is to be put there.
function isLink(list: Buffer, at: number): boolean {
  return list[at + 5] === 3 && list.readUInt32LE(at + 38) >>> 28 === 0xa
}
