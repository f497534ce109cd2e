import { ArchiveError } from './member.ts'

export const blockSize = 512

// What fills the last block of so many bytes.
export function tarPadding(bytes: number): number {
  return (blockSize - (bytes % blockSize)) % blockSize
}

export interface TarHeader {
  type: string
  name: Buffer
  link: Buffer // what a link leads to
  size: number // of what follows
  sparseMore: boolean // an old GNU sparse map goes on in the next block
}

export function readTarHeader(header: Buffer): TarHeader {
  if (!hasRightSum(header)) throw new ArchiveError('it is damaged, or a piece is missing')
  const type = header.toString('latin1', 156, 157)
  return {
    type,
    name: readName(header),
    link: trimPadding(header.subarray(157, 257)),
    size: numberAt(header, 124, 12, 'size'),
    sparseMore: type === 'S' && header[482] === 1,
  }
}

export interface PaxFields {
  name?: Buffer
  link?: Buffer
  size?: number
  sparse?: boolean
}

// "27 path=a/long/name.mp4\n": the length counts itself.
export function paxFields(content: Buffer): PaxFields {
  const fields: PaxFields = {}
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const digits = content.toString('latin1', at, Math.max(at, Math.min(space, at + 12)))
    const end = at + Number(digits)
    const equals = content.indexOf(0x3d, space)
    const whole = space >= 0 && /^[1-9]\d*$/.test(digits) && equals > space && equals < end && end <= content.length
    if (!whole || content[end - 1] !== 0x0a) throw new ArchiveError('an extended header in it is damaged')
    const key = content.toString('latin1', space + 1, equals)
    const value = content.subarray(equals + 1, end - 1)
    if (key === 'path' || key === 'GNU.sparse.name') fields.name = Buffer.from(value)
    else if (key === 'linkpath') fields.link = Buffer.from(value)
    else if (key === 'size') fields.size = paxSize(value.toString('latin1'))
    if (key.startsWith('GNU.sparse.')) fields.sparse = true
    at = end
  }
  return fields
}

// Up to the first NUL.
export function trimPadding(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end))
}

function paxSize(text: string): number {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(size)) throw noSize('size of an extended header', text)
  return size
}

function readName(header: Buffer): Buffer {
  const name = trimPadding(header.subarray(0, 100))
  const isPosix = header.toString('latin1', 257, 262) === 'ustar' && header[263] !== 0x20
  const prefix = isPosix ? trimPadding(header.subarray(345, 500)) : Buffer.alloc(0)
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name])
}

// Octal digits, or where those do not suffice the number itself in base 256, marked by its highest bit.
function numberAt(header: Buffer, at: number, length: number, what: string): number {
  const field = header.subarray(at, at + length)
  const first = field[0] ?? 0
  if ((first & 0x80) === 0) {
    const text = trimPadding(field).toString('latin1').trim()
    if (!/^[0-7]*$/.test(text)) throw noSize(what, text)
    return Number.parseInt(text || '0', 8)
  }
  if ((first & 0x40) !== 0) throw noSize(what, 'a negative number')
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x3f)
  if (!Number.isSafeInteger(value)) throw noSize(what, 'more than 2^53')
  return value
}

function noSize(what: string, found: string): ArchiveError {
  return new ArchiveError(
    `the ${what} in it must be a whole number from 0 up, not ${JSON.stringify(found.slice(0, 30))}`,
  )
}

// Old programs summed signed bytes.
function hasRightSum(header: Buffer): boolean {
  const stated = numberAt(header, 148, 8, 'checksum')
  const sum = (value: (byte: number) => number) =>
    header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : value(byte)), 0)
  return stated === sum(byte => byte) || stated === sum(byte => (byte << 24) >> 24)
}
