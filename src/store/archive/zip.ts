import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ArchiveError, exactly, type Member, memberName, unicodePath } from './member.ts'
import type { Pieces } from './pieces.ts'

interface ZipMember extends Member {
  crc: number
  method: number
  packed: number // bytes in the archive
  offset: number // of its local header, in the whole file
  encrypted: boolean
  nameBytes: Buffer // as they must stand before its content too
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
const maxComment = 65_535

// PKWARE's APPNOTE 6.3: also larger than 4 GB, split into .z01, .z02, ..., .zip, or with something put before it.
export async function zipMembers(file: Pieces): Promise<ZipMember[]> {
  const end = await findEnd(file)
  if (!end) throw new ArchiveError('it has no end that lists its members; a piece is missing, or it is cut short')
  const base = end.disks > 0 ? 0 : Math.max(0, end.at - end.listSize - end.listOffset)
  const absoluteOffset = (disk: number, offset: number) =>
    (end.disks > 0 ? (file.starts[disk] ?? Number.NaN) : base) + offset
  const listAt = absoluteOffset(end.listDisk, end.listOffset)
  const fits = listAt >= 0 && listAt + end.listSize <= end.at && end.entries * entryLength <= end.listSize
  if (!fits) throw new ArchiveError('its end states a list of members that does not fit into it')
  if (end.listSize > maxList) throw new ArchiveError(`its list of members is longer than ${maxList / 1e6} MB`)
  const list = await file.read(listAt, end.listSize)
  const members: ZipMember[] = []
  let at = 0
  for (let n = 0; n < end.entries; n++) {
    const entry = entryAt(list, at)
    if (!entry) throw new ArchiveError(damagedList)
    const { fields, isFile, next, ...member } = entry
    if (isFile) members.push({ ...member, offset: absoluteOffset(fields.disk, fields.offset) })
    at = next
  }
  if (entryAt(list, at)) throw new ArchiveError('it lists more members than its end counts')
  checkPlaces(members, listAt)
  return members
}

const entryLength = 46
const maxList = 128_000_000
const damagedList = 'its list of members is damaged; a piece is missing, or the pieces are in another order'

function entryAt(list: Buffer, at: number) {
  if (at + entryLength > list.length || list.readUInt32LE(at) !== 0x02014b50) return undefined
  const afterName = at + entryLength + list.readUInt16LE(at + 28)
  const afterExtra = afterName + list.readUInt16LE(at + 30)
  const next = afterExtra + list.readUInt16LE(at + 32)
  if (next > list.length) throw new ArchiveError('its list of members is cut short')
  const rawName = list.subarray(at + entryLength, afterName)
  const extra = list.subarray(afterName, afterExtra)
  const flags = list.readUInt16LE(at + 8)
  const utf8 = (flags & 0x800) !== 0 ? undefined : unicodePath(extra, rawName)
  const named = memberName(utf8 ?? rawName, 'cp437', (flags & 0x800) !== 0 || utf8 !== undefined)
  const fields = wideFields(extra, {
    size: list.readUInt32LE(at + 24),
    packed: list.readUInt32LE(at + 20),
    offset: list.readUInt32LE(at + 42),
    disk: list.readUInt16LE(at + 34),
  })
  return {
    ...named,
    fields,
    next,
    isFile: !named.name.endsWith('/') && isPlain(list, at),
    size: fields.size,
    packed: fields.packed,
    crc: list.readUInt32LE(at + 16),
    method: list.readUInt16LE(at + 10),
    encrypted: (flags & 0x2001) !== 0,
    nameBytes: Buffer.from(rawName),
  }
}

// Every member lies before the list, by itself, and can hold what it says.
function checkPlaces(members: readonly ZipMember[], listAt: number): void {
  let free = 0
  for (const { name, offset, packed, size, method, nameBytes } of [...members].sort((a, b) => a.offset - b.offset)) {
    const end = offset + localLength + nameBytes.length + packed
    if (!(offset >= 0 && end <= listAt)) throw new ArchiveError(`${name} does not lie within the file`)
    if (offset < free) throw new ArchiveError(`${name} overlaps another member`)
    if (size > (method === 0 ? packed : packed * maxDensity + 100))
      throw new ArchiveError(`${name} is said to hold ${size} bytes, more than ${packed} can be unpacked to`)
    free = end
  }
}

const localLength = 30
const maxDensity = 1033 // of deflate: 258 bytes in two bits

export async function* readZipMember(file: Pieces, member: ZipMember): AsyncIterable<Uint8Array> {
  const { name, nameBytes, offset, packed, method, crc, encrypted } = member
  if (encrypted) throw new ArchiveError(`${name} is encrypted.`)
  if (method !== 0 && method !== 8)
    throw new ArchiveError(`${name} is compressed in a way (${method}) that is not read.`)
  const header = await file.read(offset, localLength + nameBytes.length)
  const isThere = header.length === localLength + nameBytes.length && header.readUInt32LE(0) === 0x04034b50
  if (!isThere || header.readUInt16LE(26) !== nameBytes.length || !header.subarray(localLength).equals(nameBytes))
    throw new ArchiveError(`${name} is not where the archive says.`)
  const start = offset + header.length + header.readUInt16LE(28)
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
  const length = Math.min(file.size, endLength + maxComment)
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
  const inPiece = wholeAt(locator, 8)
  for (const at of [(file.starts[disk] ?? 0) + inPiece, end.at - 20 - 56]) {
    const wide = await file.read(at, 56)
    if (wide.length < 56 || wide.readUInt32LE(0) !== 0x06064b50) continue
    return {
      at,
      disks: wide.readUInt32LE(16),
      listDisk: wide.readUInt32LE(20),
      entries: wholeAt(wide, 32),
      listSize: wholeAt(wide, 40),
      listOffset: wholeAt(wide, 48),
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
    const end = Math.min(extra.length, from + extra.readUInt16LE(at + 2))
    for (const name of ['size', 'packed', 'offset'] as const) {
      if (fields[name] !== 0xffffffff) continue
      if (from + 8 > end) throw new ArchiveError(noWideField)
      wide[name] = wholeAt(extra, from)
      from += 8
    }
    if (fields.disk === 0xffff && from + 4 <= end) wide.disk = extra.readUInt32LE(from)
    return wide
  }
  if ([fields.size, fields.packed, fields.offset].includes(0xffffffff)) throw new ArchiveError(noWideField)
  return fields
}

const noWideField = 'its list of members lacks a number of more than 4 GB'

function wholeAt(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at))
  if (!Number.isSafeInteger(value)) throw new ArchiveError(`it states a number of more than 2^53 (${value})`)
  return value
}

// The "content" of a symbolic link of a Unix system is where it leads; nothing is to be put there, nor for a pipe or device.
function isPlain(list: Buffer, at: number): boolean {
  const isUnix = list[at + 5] === 3 || list[at + 5] === 19
  const kind = list.readUInt32LE(at + 38) >>> 28
  return !isUnix || kind === 0 || kind === 8
}
