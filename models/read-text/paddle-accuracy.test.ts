import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../src/core/errors.ts'
import { decodeImage } from '../../src/media/image.ts'
import { host } from '../../tests/contracts/backends.ts'
import { paddleCase } from '../../tests/contracts/paddle.ts'
import { textReaders } from './index.ts'

const folder = fileURLToPath(new URL('../../../shared/assets/ocr/', import.meta.url))
const there = existsSync(folder) && !paddleCase.skip
const truthIn = (file: string) => (there ? readFileSync(folder + file, 'utf8') : '')
const movies =
  '3 MovieShots Dataset To facilitate the shot type analysis in videos, we collect MovieShots, a large-scale shot type annotation set that contains 46K shots from 7858 movies. The details of this dataset are specified as follows.'

// The share of wrong characters that Tesseract has on the same picture (docs/models.md): PP-OCR reads at least as well.
const pictures: [file: string, truth: string, tesseract: number][] = [
  ['tess-phototest.tif', truthIn('tess-phototest.gold.txt'), 0.0005],
  ['tess-eurotext.tif', truthIn('tess-eurotext.txt'), 0.034],
  ['tjs-cosmic.png', 'HellO World from beyond the Cosmic Void', 0.026],
  ['rapid-en.jpg', movies, 0.018],
]

describe.skipIf(!there)(`PP-OCR${there ? '' : ' (skipped: the shared files are not here)'}`, () => {
  test('reads real pictures at least as well as Tesseract, and nothing where nothing is', async () => {
    const reader = await textReaders.open('paddle', paddleCase.settings, host)
    for (const [file, truth, tesseract] of pictures) {
      const [lines] = await reader.read([await decodeImage(readFileSync(folder + file))], host.signal)
      const read = plain(lines!.map(line => line.text).join(' '))
      const wanted = plain(truth)
      expect(editDistance(wanted, read) / wanted.length, file).toBeLessThanOrEqual(tesseract)
    }
    const black = await decodeImage(readFileSync(`${folder}rapid-empty_black.jpg`))
    expect(await reader.read([black], host.signal)).toEqual([[]])
    await reader.close?.()
  }, 60_000)
})

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
