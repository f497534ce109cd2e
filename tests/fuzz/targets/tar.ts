import { gunzipSync, gzipSync } from 'node:zlib'
import { tarOf } from '../../support/archives.ts'
import { dictionary } from '../dictionary.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import type { Draw } from '../mutate/draw.ts'
import type { Target } from '../target.ts'
import { readArchive } from './archive.ts'

const block = 512

const tar: Target = {
  name: 'tar',
  summary: 'tar files, plain and through gzip',
  guided: /src\/store\/archive\//,
  seeds: async () => [plain, long, pax, wide, gzipSync(plain)],
  mutate(input, draw, other) {
    if (!isGzip(input)) return mutatePlain(input, draw, other)
    if (draw.chance(0.3)) return mutateBytes(input, draw, other)
    return gzipSync(mutatePlain(inside(input), draw, isGzip(other) ? inside(other) : other), { level: 1 })
  },
  run: input => readArchive(isGzip(input) ? 'tar.gz' : 'tar', input),
}

export default tar

const plain = tarOf([
  { name: 'a/one.txt', content: Buffer.from('one') },
  { name: 'two.bin', content: Buffer.alloc(700, 2) },
  { name: 'link', content: Buffer.alloc(0), link: 'a/one.txt' },
])
const long = tarOf([{ name: `${'deep/'.repeat(25)}name.txt`, content: Buffer.from('long') }])
const pax = Buffer.concat([extended('20 path=other/a.txt\n11 size=3\n'), plain])
const wide = withField(Buffer.from(plain), 0, 124, Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]))

function extended(fields: string): Buffer {
  const file = tarOf([{ name: 'pax', content: Buffer.from(fields) }]).subarray(0, 2 * block)
  return withField(Buffer.from(file), 0, 156, Buffer.from('x'))
}

const kinds = ['0', '\0', '1', '2', '3', '5', '7', 'L', 'K', 'x', 'g', 'S', 'V', 'N', 'D', 'A']

// A field of a header changed with its sum made right again, a PAX record put in, or any bytes.
function mutatePlain(input: Buffer, draw: Draw, other: Buffer): Buffer {
  if (input.length < block || draw.chance(0.25)) return mutateBytes(input, draw, other)
  const at = block * draw.below(Math.floor(input.length / block))
  const bytes = Buffer.from(input)
  switch (draw.below(5)) {
    case 0:
      return withField(bytes, at, 124, Buffer.from(draw.of(dictionary.tarSizes), 'latin1'))
    case 1:
      return withField(bytes, at, 156, Buffer.from(draw.of(kinds)))
    case 2: {
      const field = ` ${draw.of(dictionary.paxFields)}\n`
      const length = draw.chance(0.8) ? String(field.length + 2) : draw.of(['0', '-1', '999', '1', ''])
      return Buffer.concat([bytes.subarray(0, at), extended(length + field), bytes.subarray(at)])
    }
    case 3:
      return withField(bytes, at, draw.below(500), Buffer.from([draw.below(256)]))
    default:
      return Buffer.concat([bytes.subarray(0, at), other.subarray(0, block * (1 + draw.below(3))), bytes.subarray(at)])
  }
}

function withField(bytes: Buffer, header: number, at: number, value: Buffer): Buffer {
  value.copy(bytes, header + at, 0, Math.max(0, Math.min(value.length, bytes.length - header - at)))
  const end = header + block
  if (end > bytes.length) return bytes
  bytes.write('        ', header + 148)
  const sum = bytes.subarray(header, end).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, header + 148)
  return bytes
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function inside(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: 64 * 1024 })
  } catch {
    return plain
  }
}
