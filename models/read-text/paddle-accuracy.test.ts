import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../src/core/errors.ts'
import { decodeImage } from '../../src/media/image.ts'
import { host } from '../../tests/contracts/backends.ts'
import { paddleCase } from '../../tests/contracts/paddle.ts'
import { textReaders } from './index.ts'

const folder = fileURLToPath(new URL('../../../shared/assets/ocr/', import.meta.url))
const models = fileURLToPath(new URL('../../../shared/assets/models/', import.meta.url))
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
  })

  test('a model of the hub is read by its name, with the keys of its description', async () => {
    const { detector, recognizer, keys, ...settings } = paddleCase.settings as Record<string, string>
    const cache = mkdtempSync(join(tmpdir(), 'longtake-hub-'))
    const put = (part: string, file: string, from: string) => {
      const repository = join(cache, `models--PaddlePaddle--PP-OCRv5_mobile_${part}_onnx`)
      const commit = 'c'.repeat(40)
      for (const inside of ['refs', `snapshots/${commit}`]) mkdirSync(join(repository, inside), { recursive: true })
      writeFileSync(join(repository, 'refs/main'), commit)
      if (file.endsWith('.yml')) writeFileSync(join(repository, `snapshots/${commit}`, file), from)
      else copyFileSync(from, join(repository, `snapshots/${commit}`, file))
    }
    const quoted = (key: string) => `  - '${key.replaceAll("'", "''")}'\n`
    const characters = readFileSync(keys!, 'utf8').replace(/\n$/, '').split('\n')
    put('det', 'inference.onnx', detector!)
    put('rec', 'inference.onnx', recognizer!)
    put('rec', 'inference.yml', `PostProcess:\n  character_dict:\n${characters.map(quoted).join('')}`)
    const own = { ...host, environment: { HF_HUB_CACHE: cache } }
    const reader = await textReaders.open('paddle', { ...settings, model: 'ppocr-v5-mobile' }, own)
    const [lines] = await reader.read([await decodeImage(readFileSync(`${folder}tess-phototest.tif`))], host.signal)
    expect(plain(lines!.map(line => line.text).join(' '))).toBe(plain(truthIn('tess-phototest.gold.txt')))
    await reader.close?.()
    rmSync(cache, { recursive: true })
  })

  test('lines that are upside down are read where there is a classifier', async () => {
    const picture = await decodeImage(readFileSync(`${folder}tess-phototest.tif`))
    const { rgb } = picture
    const turned = { ...picture, rgb: rgb.map((_, i) => rgb[rgb.length - 3 - i + 2 * (i % 3)]!) }
    const wrongIn = async (settings: object) => {
      const reader = await textReaders.open('paddle', { ...(paddleCase.settings as object), ...settings }, host)
      const [lines] = await reader.read([turned], host.signal)
      await reader.close?.()
      const wanted = plain(truthIn('tess-phototest.gold.txt'))
      const read = plain(
        lines!
          .map(line => line.text)
          .reverse()
          .join(' '),
      )
      return editDistance(wanted, read) / wanted.length
    }
    expect(await wrongIn({})).toBeGreaterThan(0.5)
    expect(await wrongIn({ classifier: `${models}ppocr_mobile_v2.0_cls.onnx` })).toBeLessThan(0.05)
  })
})

// Real PP-OCRv4, as the package rapidocr_onnxruntime brings it: its two files, and keys.txt with the characters that its recogniser
// holds. The share of wrong characters, spaces apart, that this package itself has.
const v4 = process.env.LONGTAKE_TEST_PPOCR_V4
const rapid: [file: string, truth: string, wrong: number][] = [
  ['tess-phototest.tif', truthIn('tess-phototest.gold.txt'), 0],
  ['tess-eurotext.tif', truthIn('tess-eurotext.txt'), 0.029],
  ['rapid-en.jpg', movies, 0],
]

describe.skipIf(!v4 || !there)(`PP-OCRv4${v4 ? '' : ' (skipped: LONGTAKE_TEST_PPOCR_V4 names no folder)'}`, () => {
  test('reads at least as well as the package that brings it', async () => {
    const files = {
      detector: `${v4}/ch_PP-OCRv4_det_infer.onnx`,
      recognizer: `${v4}/ch_PP-OCRv4_rec_infer.onnx`,
      keys: `${v4}/keys.txt`,
    }
    const reader = await textReaders.open('paddle', { ...files, device: 'cpu' }, host)
    for (const [file, truth, wrong] of rapid) {
      const [lines] = await reader.read([await decodeImage(readFileSync(folder + file))], host.signal)
      const bare = (text: string) => text.replace(/\s/g, '')
      const read = bare(lines!.map(line => line.text).join(''))
      expect(editDistance(bare(truth), read) / bare(truth).length, file).toBeLessThanOrEqual(wrong)
    }
    await reader.close?.()
  })
})

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
