import { expect, test } from 'vitest'
import { cutBytes, seeded } from '../../tests/servers/pieces.ts'
import { serverEvents } from './events.ts'
import { textLines } from './text-lines.ts'

async function* stream(pieces: Uint8Array[]) {
  yield* pieces
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

test('lines are the same however the bytes are cut, also in the middle of a character', async () => {
  const text = 'Grüße 🎬 映画\r\nzwei\n\ndrei 🎞️'
  for (let seed = 0; seed < 40; seed++) {
    const lines = await all(textLines(stream(cutBytes(Buffer.from(text), seeded(seed), 1 + (seed % 5)))))
    expect(lines.map(line => line.line)).toEqual(['Grüße 🎬 映画', 'zwei', '', 'drei 🎞️'])
    expect(lines.map(line => line.whole)).toEqual([true, true, true, false])
  }
})

test('bytes that are not UTF-8 are an error, not a replacement character', async () => {
  await expect(all(textLines(stream([Buffer.from([0x61, 0xff, 0x0a])])))).rejects.toBeInstanceOf(TypeError)
  await expect(all(textLines(stream([Buffer.from([0x61, 0xe6, 0x98])])))).rejects.toBeInstanceOf(TypeError)
})

test('events keep their name, join their data lines and skip comments', async () => {
  const text = ': ping\n\nevent: error\ndata: {"a":\ndata: 1}\n\nid: 4\nretry: 10\ndata:plain\n\ndata: torn'
  const events = await all(serverEvents(stream(cutBytes(Buffer.from(text), seeded(3), 4))))
  expect(events).toEqual([
    { name: 'error', data: '{"a":\n1}', whole: true },
    { name: 'message', data: 'plain', whole: true },
    { name: 'message', data: 'torn', whole: false },
  ])
})
