import { dictionary } from '../dictionary.ts'
import type { Draw } from './draw.ts'

export const maxInput = 48 * 1024

const numbers = [
  ...[0, 1, 2, 7, 8, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff],
  ...[0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff],
]

// Changes that need no knowledge of the format: bits, bytes, numbers of every width, runs cut out, doubled, swapped or taken from
// another input, digits replaced, the end cut off.
export function mutateBytes(input: Buffer, draw: Draw, other: Buffer, words: readonly string[] = []): Buffer {
  let bytes: Buffer = Buffer.from(input)
  for (let changesLeft = 1 + draw.below(draw.chance(0.2) ? 8 : 3); changesLeft > 0; changesLeft--)
    bytes = change(bytes, draw, other, words)
  return bytes.subarray(0, maxInput)
}

function change(bytes: Buffer, draw: Draw, other: Buffer, words: readonly string[]): Buffer {
  if (bytes.length === 0) return Buffer.from(other)
  const at = draw.below(bytes.length)
  const length = 1 + draw.below(Math.min(bytes.length - at, draw.of([4, 16, 64, 512])))
  switch (draw.below(words.length > 0 ? 12 : 11)) {
    case 0:
      bytes[at] = bytes.readUInt8(at) ^ (1 << draw.below(8))
      return bytes
    case 1:
      bytes[at] = draw.below(256)
      return bytes
    case 2:
    case 3:
      return withNumber(bytes, at, draw)
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 5:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    case 6:
      bytes.copy(bytes, draw.below(bytes.length), at, at + length)
      return bytes
    case 7:
      return Buffer.concat([bytes.subarray(0, at), other.subarray(draw.below(other.length + 1))])
    case 8:
      return bytes.subarray(0, draw.chance(0.5) ? bytes.length - draw.below(Math.min(64, bytes.length)) : at)
    case 9:
      return withDigits(bytes, draw)
    case 10:
      bytes.fill(draw.of([0, 0xff, 0x20, 0x41]), at, at + length)
      return bytes
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(draw.of(words)), bytes.subarray(at)])
  }
}

// A number of 1, 2, 4 or 8 bytes, in either order, becomes one that is interesting or near the length of the input.
function withNumber(bytes: Buffer, at: number, draw: Draw): Buffer {
  const width = draw.of([1, 2, 4, 4, 8])
  if (at + width > bytes.length) return bytes
  const near = draw.of([bytes.length, bytes.length - at, at]) + draw.below(5) - 2
  const chosen = draw.chance(0.25) ? Math.max(0, near) : draw.of(numbers)
  const value = BigInt.asUintN(8 * width, draw.chance(0.1) ? -BigInt(chosen) : BigInt(chosen))
  const digits = value.toString(16).padStart(2 * width, '0')
  const ordered = draw.chance(0.5) ? digits : (digits.match(/../g) ?? []).reverse().join('')
  bytes.write(ordered, at, 'hex')
  return bytes
}

function withDigits(bytes: Buffer, draw: Draw): Buffer {
  const runs = [...bytes.toString('latin1').matchAll(/\d+/g)]
  if (runs.length === 0) return bytes
  const run = draw.of(runs)
  const after = run.index + run[0].length
  return Buffer.concat([
    bytes.subarray(0, run.index),
    Buffer.from(draw.of(dictionary.digitRuns)),
    bytes.subarray(after),
  ])
}
