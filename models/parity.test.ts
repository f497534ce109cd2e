import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Frame } from '../src/core/video.ts'
import { modelFixture } from '../tests/contracts/model-fixture.ts'
import { all, rate, soundFrom } from '../tests/contracts/sound.ts'
import { closeAll, closeLater, never, testHost } from '../tests/servers/host.ts'
import { detectors } from './detect/index.ts'
import { imageEncoders } from './embed-image/index.ts'
import { textEncoders } from './embed-text/index.ts'
import { listeners } from './hear/index.ts'
import { ModelFolder, onnxFile } from './hub/hub-model.ts'
import { pictureTensor } from './pictures/picture-tensor.ts'
import { PictureConfig } from './prepare/picture-config.ts'
import { prepare } from './prepare/prepare.ts'
import { ClapSound } from './sound/clap-features.ts'
import { KaldiSound } from './sound/kaldi-features.ts'
import { WhisperSound } from './sound/whisper-features.ts'
import { lazyTokenizer } from './tokens/tokenizer.ts'
import { Generation, WhisperShape } from './transcribe/whisper/generation.ts'
import { openWhisper } from './transcribe/whisper/model.ts'
import { decoders } from './transcribe/whisper/settings.ts'

// The same pictures, sounds and texts through PyTorch and through our path (scripts/fixtures/perception.py). Some of the models are
// among the fixtures; LONGTAKE_TEST_MODELS names a folder with all of them.

afterEach(closeAll)

const precisions = ['fp32', 'fp16'] as const
type Precision = (typeof precisions)[number]
const digits = 0.00051 // of numbers that are told with three

function model<Expected>(name: string) {
  const root = process.env.LONGTAKE_TEST_MODELS
  const folder = root ? join(root, name) : modelFixture(name)
  const isThere = existsSync(join(folder, 'expected.json'))
  const skipped = isThere ? '' : ' (skipped: LONGTAKE_TEST_MODELS names no folder with it)'
  return {
    folder,
    files: new ModelFolder(folder),
    suite: (title: string, tests: () => void) => describe.skipIf(!isThere)(`${title}${skipped}`, tests),
    has: (precision: Precision) => existsSync(join(folder, onnxFile('model', precision))),
    expected: (isThere ? JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) : {}) as Expected,
  }
}

type Size = [width: number, height: number, turn: number]
type Sound = [seconds: number, turn: number]

// SigLIP 2
{
  const { suite, files, folder, expected } = model<{
    texts: string[]
    ids: number[][]
    vectors: number[][]
    pictures: Size[]
    pixels: number[]
    pictureVectors: number[][]
  }>('siglip2')
  suite('SigLIP 2', () => {
    test('tokens of texts in lower case', async () => {
      const texts = expected.texts.map(text => text.toLowerCase())
      expect(await tokens(files, { texts, maxTokens: 64, padding: 'max_length' })).toEqual(expected.ids)
    })

    test('pixels', async () => {
      const config = await files.json('preprocessor_config.json', PictureConfig)
      const { data } = await pictureTensor(expected.pictures.map(picture), config, never)
      const size = { height: 256, width: 256, rows: 17, columns: 13 }
      expectNear('pixels', sampled(data as Float32Array, size), expected.pixels, 1e-6)
    })

    test.each(precisions)('vectors of texts and pictures, %s', async precision => {
      const encoder = closeLater(await imageEncoders.open('siglip', { folder, device: 'cpu', precision }, testHost()))
      const most = precision === 'fp32' ? 1e-6 : 1e-3
      const read = await encoder.text(expected.texts, never)
      expectNear('texts', read as Float32Array[], expected.vectors, most)
      const seen = await encoder.images(expected.pictures.map(picture), never)
      expectNear('pictures', seen, expected.pictureVectors, most)
    })
  })
}

// Whisper with 80 mels, and with 128 and its attention among the outputs
for (const name of ['whisper-plain', 'whisper-timed']) {
  const { suite, files, expected } = model<{
    sounds: Sound[]
    features: number[]
    tokens: number[][]
    attention: number[][]
  }>(name)
  const layouts = (['merged', 'with-past'] as const).flatMap(layout =>
    precisions.map(precision => ({ layout, precision })),
  )
  suite(name, () => {
    test.each(layouts)('features of two windows, and what is written of them: $layout, $precision', async how => {
      const config = await files.json('preprocessor_config.json', WhisperSound)
      const windows = await Promise.all(expected.sounds.map(one => prepare('whisper', [sound(one), config], never)))
      const size = { height: config.feature_size, width: 3000, rows: 7, columns: 111 }
      const features = windows.flatMap(({ data }) => sampled(data, size))
      expectNear('features', features, expected.features, 1e-4)
      const { opened, writing } = await openedWhisper(files, how.layout, how.precision)
      const written = await opened.write(windows, writing, never)
      expect(written.map(one => one.tokens)).toEqual(expected.tokens)
      for (const [i, wanted] of expected.attention.entries()) {
        const { data, dims } = written[i]!.attention!
        const rows = { height: dims[1], width: dims[2], rows: 3, columns: 41 }
        expectNear('attention', sampled(data, rows), wanted, how.precision === 'fp32' ? 1e-6 : 1e-4)
      }
    })
  })
}

async function openedWhisper(files: ModelFolder, layout: 'merged' | 'with-past', precision: Precision) {
  const generation = await files.json('generation_config.json', Generation)
  const shape = await files.json('config.json', WhisperShape)
  const path = (part: string) => files.file(onnxFile(part, precision))
  const [first, withPast] = decoders[layout]
  const parts = { encoder: path('encoder_model'), decoder: path(first), decoderWithPast: withPast && path(withPast) }
  const settings = { device: 'cpu', threads: 1 } as const
  const opened = closeLater(await openWhisper({ name: 'whisper', ...parts }, shape, settings, testHost()))
  const { no_timestamps_token_id: noTimestamps, lang_to_id = {}, task_to_id = {} } = generation
  const writing = {
    prompt: [generation.decoder_start_token_id, lang_to_id!['<|en|>']!, task_to_id!.transcribe!],
    start: 0,
    rules: {
      begin: noTimestamps + 1,
      noTimestamps,
      end: generation.eos_token_id,
      latestFirst: generation.max_initial_timestamp_index ?? undefined,
      suppress: generation.suppress_tokens ?? [],
      suppressFirst: generation.begin_suppress_tokens ?? [],
    },
    maxTokens: 40,
    heads: generation.alignment_heads ?? [],
    temperature: 0,
    seed: 1,
  }
  return { opened, writing }
}

// Encoders of sentences
for (const [name, title] of [
  ['e5', 'multilingual E5: BERT with the tokens of XLM-R'],
  ['embeddinggemma', 'EmbeddingGemma'],
  ['qwen3-embedding', 'Qwen3-Embedding'],
] as const) {
  const { suite, files, folder, has, expected } = model<{
    prefix: string
    texts: string[]
    ids: number[][]
    vectors: number[][]
  }>(name)
  suite(title, () => {
    test('tokens', async () => {
      const texts = expected.texts.map(text => expected.prefix + text)
      expect(await tokens(files, { texts })).toEqual(expected.ids)
    })

    test.each(precisions.filter(has))('vectors, %s', async precision => {
      const settings = { folder, device: 'cpu', precision, passagePrefix: expected.prefix }
      const encoder = closeLater(await textEncoders.open('onnx', settings, testHost()))
      const most = precision === 'fp32' ? 1e-6 : 1e-3
      expectNear('vectors', await encoder.passages(expected.texts, never), expected.vectors, most)
    })
  })
}

// CLAP
{
  const { suite, files, folder, expected } = model<{
    sounds: Sound[]
    features: number[]
    names: string[]
    texts: string[]
    ids: number[][]
    scores: number[][]
  }>('clap-true')
  suite('CLAP', () => {
    test('tokens', async () => {
      expect(await tokens(files, { texts: expected.texts })).toEqual(expected.ids)
    })

    test('features of what is less than 50 decibels below the loudest', async () => {
      const config = await files.json('preprocessor_config.json', ClapSound)
      const size = { height: 1001, width: 64, rows: 53, columns: 3 }
      const made: number[] = []
      for (const one of expected.sounds) made.push(...sampled(await prepare('clap', [sound(one), config], never), size))
      const loudest = expected.features.reduce((most, value) => Math.max(most, value))
      const isHeard = (_: number, i: number) => expected.features[i]! > loudest - 50
      expectNear('features', made.filter(isHeard), expected.features.filter(isHeard), 0.01)
    })

    test.each(precisions)('shares of sounds, %s', async precision => {
      const names = expected.names.map(name => /of (.*)\./.exec(name)![1]!)
      const settings = { labels: names.slice(0, -1), others: names.slice(-1), threshold: 0.001, windowSeconds: 20 }
      const listener = closeLater(
        await listeners.open('clap', { folder, device: 'cpu', precision, ...settings }, testHost()),
      )
      for (const [i, one] of expected.sounds.entries()) {
        const found = await all(listener.hear({ audio: soundFrom(sound(one)), span: { start: 0, end: one[0] } }, never))
        const shares = settings.labels.map(name => found.find(({ text }) => text === name)?.confidence ?? 0)
        const weights = expected.scores[i]!.map(score => Math.exp(score * 14.3))
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const wanted = weights.slice(0, -1).map(weight => weight / sum)
        expectNear('shares', shares, wanted, precision === 'fp32' ? digits : 2e-3)
      }
    })
  })
}

// The spectrogram transformer
{
  const { suite, files, folder, has, expected } = model<{
    sounds: Sound[]
    features: number[]
    labels: string[]
    shares: number[][]
  }>('ast-true')
  suite('AST', () => {
    test('features', async () => {
      const config = await files.json('preprocessor_config.json', KaldiSound)
      const size = { height: 1024, width: 128, rows: 41, columns: 3 }
      const made: number[] = []
      for (const one of expected.sounds)
        made.push(...sampled(await prepare('kaldi', [sound(one), config], never), size))
      expectNear('features', made, expected.features, 1e-6)
    })

    test.each(precisions.filter(has))('shares of names, %s', async precision => {
      const settings = { folder, device: 'cpu', precision, threshold: 0.001, windowSeconds: 30 }
      const listener = closeLater(await listeners.open('ast', settings, testHost()))
      for (const [i, one] of expected.sounds.entries()) {
        const found = await all(listener.hear({ audio: soundFrom(sound(one)), span: { start: 0, end: one[0] } }, never))
        const shares = expected.labels.map(name => found.find(({ text }) => text === name)?.confidence ?? 0)
        const wanted = expected.shares[i]!.map(share => (share < 0.001 ? 0 : share))
        expectNear('shares', shares, wanted, precision === 'fp32' ? digits * 2 : 5e-3)
      }
    })
  })
}

// OWLv2
{
  const { suite, files, folder, has, expected } = model<{
    labels: string[]
    texts: string[]
    ids: number[][]
    pictures: Size[]
    pixels: number[]
    found: { scores: number[]; labels: number[]; boxes: number[] }[]
  }>('owlv2')
  suite('OWLv2', () => {
    test('tokens', async () => {
      const { texts } = expected
      expect(await tokens(files, { texts, maxTokens: 16, padding: 'max_length' })).toEqual(expected.ids)
    })

    test('pixels of pictures that are wide, high and square', async () => {
      const config = await files.json('preprocessor_config.json', PictureConfig)
      const size = { height: 240, width: 240, rows: 29, columns: 23 }
      const made: number[] = []
      for (const one of expected.pictures) {
        const { data } = await pictureTensor([picture(one)], config, never)
        made.push(...sampled(data as Float32Array, size))
      }
      expectNear('pixels', made, expected.pixels, 2e-6)
    })

    test.each(precisions.filter(has))('names, scores and boxes, %s', async precision => {
      const settings = { folder, device: 'cpu', precision, threshold: 0, most: 1000 }
      const detector = closeLater(await detectors.open('owl', settings, testHost()))
      const most = precision === 'fp32' ? 2e-5 : 1e-2
      for (const [i, one] of expected.pictures.entries()) {
        const frame = picture(one)
        const edge = Math.max(frame.width, frame.height)
        const { scores, labels, boxes } = expected.found[i]!
        const wanted = scores.map((score, at) => {
          const [left, top, right, bottom] = boxes.slice(at * 4, at * 4 + 4)
          const across = [left!, right!].map(x => inside((x * edge) / frame.width))
          const down = [top!, bottom!].map(y => inside((y * edge) / frame.height))
          return { label: expected.labels[labels[at]!], numbers: [score, across[0]!, down[0]!, across[1]!, down[1]!] }
        })
        const [found = []] = await detector.detect([frame], expected.labels, never)
        expect(found.length).toBeGreaterThan(scores.length / 4)
        const pairs = found.map(({ label, confidence, box }) => {
          const numbers = [confidence, box.x, box.y, box.x + box.width, box.y + box.height]
          const same = wanted.filter(one => one.label === label).map(one => one.numbers)
          const errors = same.map(one => largestError(numbers, one))
          return { numbers, nearest: same[errors.indexOf(Math.min(...errors))] ?? [] }
        })
        const [mine, theirs] = [pairs.map(pair => pair.numbers), pairs.map(pair => pair.nearest)]
        expectNear('scores and boxes', mine, theirs, most)
      }
    })
  })
}

// Pictures of whole numbers and sounds as the script makes them.
function picture([width, height, turn]: Size): Frame {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let at = 0; at < 3; at++) {
        const bent = x * x * (turn + 1) + Math.floor((y * y * 5) / (at + 2)) + Math.floor((x * y) / 3)
        rgb[(y * width + x) * 3 + at] = Math.floor((bent + 60 * at) / 16) % 256
      }
  return { time: 0, width, height, rgb }
}

function sound([seconds, turn]: Sound): Float32Array {
  return Float32Array.from({ length: Math.trunc(seconds * rate) }, (_, i) => {
    const at = i / rate
    const rising = Math.sin(2 * Math.PI * (220 * at + (80 + 300 * turn) * at ** 2))
    return 0.2 * rising * (1 + Math.sin(2 * Math.PI * 3 * at)) + 0.05 * Math.sin(2 * Math.PI * 2500 * at + turn)
  })
}

// Every so many rows and columns of tables of one size.
function sampled(
  data: ArrayLike<number>,
  { height, width, rows, columns }: { height: number; width: number; rows: number; columns: number },
): number[] {
  return Array.from(data).filter(
    (_, at) => (Math.floor(at / width) % height) % rows === 0 && (at % width) % columns === 0,
  )
}

async function tokens(
  files: ModelFolder,
  wanted: { texts: string[]; maxTokens?: number; padding?: 'max_length' },
): Promise<number[][]> {
  const tokenizer = closeLater(lazyTokenizer(files, testHost()))
  const { texts, maxTokens = 512, padding } = wanted
  const rows: number[][] = []
  for (const text of texts) {
    const { ids } = await tokenizer.encode([text], { maxTokens, padding }, never)
    rows.push(Array.from(ids, Number))
  }
  return rows
}

type Numbers = readonly number[] | readonly ArrayLike<number>[]

function expectNear(what: string, values: Numbers, wanted: Numbers, most: number): void {
  const error = largestError(flat(values), flat(wanted))
  if (process.env.LONGTAKE_TEST_MODELS) console.log(expect.getState().currentTestName, what, error.toExponential(1))
  expect(error).toBeLessThan(most)
}

function flat(values: Numbers): number[] {
  return values.flatMap(row => (typeof row === 'number' ? row : Array.from(row)))
}

function largestError(values: readonly number[], wanted: readonly number[]): number {
  expect(values.length).toBe(wanted.length)
  return values.reduce((largest, value, i) => Math.max(largest, Math.abs(value - wanted[i]!)), 0)
}

function inside(share: number): number {
  return Math.min(1, Math.max(0, share))
}
