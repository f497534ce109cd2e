import { describe, expect, test } from 'vitest'
import { splitBlocks, splitJpegs, splitSamples } from './split-bytes.ts'

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of given) list.push(one)
  return list
}

const pictures = [1, 700, 40_000].map((length, i) => new Uint8Array(length).map((_, at) => (at * 7 + i) % 256))
const head = (length: number) => `--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: ${length}\r\n\r\n`
const stream = Buffer.concat(pictures.flatMap(one => [Buffer.from(head(one.length)), one, Buffer.from('\r\n')]))

describe('a stream of bytes, however it is cut', () => {
  test.each([1, 2, 3, 65, 511, 4096, 65_536])('in pieces of %d bytes gives the same pictures', async size => {
    const found = await all(splitJpegs(cut(stream, size)))
    expect(found.map(one => Buffer.from(one).toString('hex'))).toEqual(
      pictures.map(one => Buffer.from(one).toString('hex')),
    )
  })

  test('without the end of its last picture gives those before it', async () => {
    expect(await all(splitJpegs(cut(stream.subarray(0, stream.length - 100), 4096)))).toHaveLength(2)
  })

  test.each(['--ffmpeg\r\nContent-type: image/jpeg\r\n\r\n', 'x'.repeat(5000)])(
    'with no length is refused',
    async bad => {
      await expect(all(splitJpegs(cut(Buffer.from(bad), 64)))).rejects.toThrow(/lost its frame/)
    },
  )

  test.each([1, 7, 100, 1000])('in pieces of %d bytes gives whole blocks and whole samples', async size => {
    const bytes = new Uint8Array(1001).map((_, at) => at % 256)
    const blocks = (await all(splitBlocks(cut(bytes, size), 48))).flat()
    expect(Buffer.concat(blocks)).toEqual(Buffer.from(bytes.subarray(0, 960)))
    expect(Buffer.concat(await all(splitSamples(cut(bytes, size))))).toEqual(Buffer.from(bytes.subarray(0, 1000)))
  })

  test('blocks of buffers are plain arrays, torn ones and whole ones alike', async () => {
    const blocks = (await all(splitBlocks(cut(Buffer.alloc(200, 7), 70), 48))).flat()
    expect(blocks).toEqual(Array.from({ length: 4 }, () => new Uint8Array(48).fill(7)))
    expect(blocks.some(block => Buffer.isBuffer(block))).toBe(false)
  })
})
