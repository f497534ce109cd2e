import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editDistance } from '../../src/core/errors.ts'
import type { TextReader } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { decodeImage, resizeFrame } from '../../src/media/image.ts'
import { host } from '../../tests/contracts/backends.ts'
import { textFrame } from '../../tests/contracts/pictures.ts'
import { textReaders } from './index.ts'

let reader: TextReader
beforeAll(async () => {
  reader = await textReaders.open('ppocr', {}, host)
})
afterAll(() => reader.close?.())

async function textsIn(frame: Frame): Promise<string[]> {
  const [lines = []] = await reader.read([frame], host.signal)
  return lines.map(({ text }) => text)
}

test('scores, code and the dash of a dialogue are read whatever their form', async () => {
  const lines = ['ARS 2 - 1 CHE', 'if a[i] == b[j]', '- Where were you?']
  const frame = await textFrame(
    'color=0x102030',
    lines.map((text, i) => ({ text, size: 40, x: 80, y: 80 + 120 * i, colour: 'white' })),
  )
  expect(await textsIn(frame)).toEqual(lines)
})

test('the letters of a small frame are read as those of a large one', async () => {
  const frame = await textFrame('color=white', [
    { text: 'Serial number 77413', size: 40, x: 40, y: 60, colour: 'black' },
    { text: 'Water level is low', size: 40, x: 40, y: 200, colour: 'black' },
  ])
  expect(await textsIn(await resizeFrame(frame, 320, 180))).toEqual(['Serial number 77413', 'Water level is low'])
})

test('lines that are tilted are read one by one, from above', async () => {
  const level = await textFrame('color=white', [
    { text: 'Museum closed on Mondays', size: 44, x: 100, y: 120, colour: 'black' },
    { text: 'Entrance 12 euro', size: 44, x: 100, y: 200, colour: 'black' },
    { text: 'Students 6 euro', size: 44, x: 100, y: 280, colour: 'black' },
  ])
  for (const degrees of [-7, 9])
    expect(await textsIn(turned(level, degrees))).toEqual([
      'Museum closed on Mondays',
      'Entrance 12 euro',
      'Students 6 euro',
    ])
})

const folder = fileURLToPath(new URL('../../../shared/assets/ocr/hard/', import.meta.url))
const there = existsSync(folder)

describe.skipIf(!there)(`hard frames${there ? '' : ' (skipped: the shared files are not here)'}`, () => {
  test('nine of ten lines are read whole, and not three of a hundred letters wrong', async () => {
    const truth: Record<string, string[]> = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8'))
    const sums = { lines: 0, whole: 0, letters: 0, wrong: 0 }
    for (const [file, wanted] of Object.entries(truth).filter((_, i) => i % 2 === 0)) {
      const read = bare((await textsIn(await decodeImage(readFileSync(folder + file)))).join(''))
      sums.lines += wanted.length
      sums.whole += wanted.filter(line => read.includes(bare(line))).length
      sums.letters += bare(wanted.join('')).length
      sums.wrong += editDistance(bare(wanted.join('')), read)
    }
    expect(sums.whole / sums.lines).toBeGreaterThanOrEqual(0.9)
    expect(sums.wrong / sums.letters).toBeLessThanOrEqual(0.03)
  })

  // At the size at which a frame is looked at first, "Norway" and "only" lose a letter.
  test('small print is read letter by letter', async () => {
    const truth: Record<string, string[]> = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8'))
    const file = '19-small.png'
    const read = await textsIn(await decodeImage(readFileSync(folder + file)))
    expect(read.map(bare)).toEqual(truth[file]!.map(bare))
  })
})

function bare(text: string): string {
  return text.replaceAll('：', ':').replace(/\s/g, '')
}

// Turned about its middle, by the nearest pixel; what comes in at the corners is white.
function turned({ width, height, rgb, time }: Frame, degrees: number): Frame {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const out = new Uint8Array(rgb.length).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [right, down] = [x - width / 2, y - height / 2]
      const from = [Math.round(width / 2 + right * cos + down * sin), Math.round(height / 2 + down * cos - right * sin)]
      const [fromX = 0, fromY = 0] = from
      if (fromX < 0 || fromX >= width || fromY < 0 || fromY >= height) continue
      const at = (fromY * width + fromX) * 3
      out.set(rgb.subarray(at, at + 3), (y * width + x) * 3)
    }
  }
  return { width, height, time, rgb: out }
}
