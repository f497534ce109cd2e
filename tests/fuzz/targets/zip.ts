import { zipOf } from '../../support/archives.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import type { Draw } from '../mutate/draw.ts'
import type { Target } from '../target.ts'
import { readArchive } from './archive.ts'

const zip: Target = {
  name: 'zip',
  summary: 'zip files, also of more than 4 GB',
  guided: /src\/store\/archive\//,
  seeds: async () => [packed, stored, Buffer.concat([Buffer.from('before'), packed]), withWideEnd(stored)],
  mutate: (input, draw, other) =>
    draw.chance(0.5)
      ? mutateRecord(Buffer.from(input), draw)
      : mutateBytes(input, draw, other, ['PK\x01\x02', 'PK\x05\x06']),
  run: input => readArchive('zip', input),
}

export default zip

const files = [
  { name: 'a/one.txt', content: Buffer.from('one') },
  { name: 'two.bin', content: Buffer.alloc(700, 2) },
]
const packed = zipOf(files)
const stored = zipOf(files, 0)

// The longer end and what leads to it, before the short one.
function withWideEnd(file: Buffer): Buffer {
  const at = file.length - 22
  const wide = Buffer.alloc(56)
  wide.writeUInt32LE(0x06064b50, 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeBigUInt64LE(BigInt(files.length), 24)
  wide.writeBigUInt64LE(BigInt(files.length), 32)
  wide.writeBigUInt64LE(BigInt(file.readUInt32LE(at + 12)), 40)
  wide.writeBigUInt64LE(BigInt(file.readUInt32LE(at + 16)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([file.subarray(0, at), wide, locator, file.subarray(at)])
}

const marks = [0x02014b50, 0x04034b50, 0x06054b50, 0x06064b50, 0x07064b50]
const values = [0, 1, 2, 8, 9, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xffff, 0x10000]

// A number of one of the records changed.
function mutateRecord(bytes: Buffer, draw: Draw): Buffer {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(draw.of(marks))
  const at = draw.chance(0.5) ? bytes.indexOf(mark) : bytes.lastIndexOf(mark)
  if (at < 0 || at + 60 > bytes.length) return mutateBytes(bytes, draw, bytes)
  const value = draw.chance(0.3) ? Math.max(0, bytes.length - draw.below(100)) : draw.of(values)
  if (draw.chance(0.5)) bytes.writeUInt16LE(value & 0xffff, at + 4 + 2 * draw.below(26))
  else bytes.writeUInt32LE(value, at + 4 + 2 * draw.below(26))
  return bytes
}
