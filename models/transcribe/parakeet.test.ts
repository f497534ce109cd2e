import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import { speak } from '../../src/media/speak.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { all, hasFlite, rate, soundFrom } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { openOnnxSession } from '../onnx/session.ts'
import { nemoFeatures } from '../sound/nemo-features.ts'
import { transcribers } from './index.ts'
import { openParakeet, readVocabulary } from './parakeet/transcriber.ts'

afterEach(closeAll)

const folder = modelFixture('parakeet')
const { pieces, blank } = readVocabulary(readFileSync(join(folder, 'vocab.txt'), 'utf8'))

// Written by scripts/fixtures/parakeet.py: what transformers and onnx-asr make of the same sound.
interface Reference {
  text: string
  before: number
  after: number
  said: string
  tokens: string[]
  frames: number[]
  durations: number[]
  onnxAsr: { tokens: string[]; frames: number[] }
  features: number[]
  hidden: number[]
}
const references = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Reference[]
const first = references[0]!
const onCpu = { device: 'cpu', threads: 1 } as const

async function soundOf({ text, before, after }: Reference): Promise<Float32Array> {
  const spoken = await speak(text, 'rms')
  const lead = Math.floor(before * rate)
  const samples = new Float32Array(lead + spoken.length + Math.floor(after * rate))
  samples.set(spoken, lead)
  return samples
}

async function transcribed(samples: Float32Array, settings: object = {}, spans = [{ start: 0, end: 1e3 }]) {
  const options = { folder, device: 'cpu', precision: 'fp32', ...settings }
  const model = closeLater(await transcribers.open('parakeet', options, testHost()))
  const audio = soundFrom(samples)
  const inside = spans.map(({ start, end }) => ({ start, end: Math.min(end, audio.duration) }))
  return all(model.transcribe({ audio, spans: inside }, never))
}
const textOf = (lines: Finding[]) => lines.map(line => line.text).join(' ')

describe.skipIf(!hasFlite)(`Parakeet${hasFlite ? '' : ' (skipped: flite is not installed)'}`, () => {
  test.each(references)(
    'features, tokens, times and durations of "$text" are those of PyTorch and onnx-asr',
    async at => {
      const features = nemoFeatures(await soundOf(at), 128)
      const some: number[] = []
      for (let frame = 0; frame < features.frames; frame += 29)
        for (let mel = 0; mel < 128; mel += 17) some.push(features.data[mel * features.frames + frame]!)
      expect(some).toHaveLength(at.features.length)
      expect(Math.max(...some.map((value, i) => Math.abs(value - at.features[i]!)))).toBeLessThan(5e-4)

      const { frames, data } = features
      const encoder = closeLater(await openOnnxSession(join(folder, 'encoder-model.onnx'), onCpu, testHost()))
      const { outputs } = await encoder.run({
        audio_signal: { type: 'float32', data, dims: [1, 128, frames] },
        length: { type: 'int64', data: BigInt64Array.of(BigInt(frames - 1)), dims: [1] },
      })
      const [, size = 0, steps = 0] = outputs!.dims
      const hidden: number[] = []
      for (let step = 0; step < steps; step += 5)
        for (let i = 0; i < size; i += 7) hidden.push(outputs!.data[i * steps + step] as number)
      expect(hidden).toHaveLength(at.hidden.length)
      expect(Math.max(...hidden.map((value, i) => Math.abs(value - at.hidden[i]!)))).toBeLessThan(5e-4)

      const files = { encoder: join(folder, 'encoder-model.onnx'), decoder: join(folder, 'decoder_joint-model.onnx') }
      const model = await openParakeet({ name: 'parakeet', ...files }, blank, onCpu, testHost())
      closeLater(model)
      const [said] = await model.write([features], never)
      expect(said!.map(({ token }) => pieces[token])).toEqual(at.tokens)
      expect(said!.map(({ frame }) => frame)).toEqual(at.frames)
      expect(said!.map(({ frames }) => frames)).toEqual(at.durations)
      expect(at.onnxAsr.tokens).toEqual(at.tokens)
      expect(at.onnxAsr.frames).toEqual(at.frames)
    },
  )

  test('sounds of several lengths in one batch are heard as they are alone', async () => {
    const alone: string[] = []
    const spans: { start: number; end: number }[] = []
    const samples: number[] = []
    for (const reference of references) {
      const sound = await soundOf(reference)
      alone.push(textOf(await transcribed(sound)))
      spans.push({ start: samples.length / rate, end: (samples.length + sound.length) / rate })
      samples.push(...sound, ...new Float32Array(2 * rate))
    }
    const together = await transcribed(Float32Array.from(samples), { batch: 3, windowSeconds: 5 }, spans)
    expect(textOf(together)).toBe(alone.join(' '))
    for (const [i, { start, end }] of spans.entries()) {
      expect(together[i]!.span.start).toBeGreaterThanOrEqual(start - 0.25)
      expect(together[i]!.span.end).toBeLessThanOrEqual(end + 0.25)
    }
  })
})

describe.skipIf(!hasFlite)(`a transcript of Parakeet${hasFlite ? '' : ' (skipped: flite is not installed)'}`, () => {
  test('has its words, its marks and when each was said', async () => {
    const [line] = await transcribed(await soundOf(first))
    expect(line).toMatchObject({ track: 'speech', text: 'The children walked slowly across the frozen river.' })
    const words = line!.words ?? []
    expect(words.map(word => word.text.toLowerCase().replace(/\W/g, ''))).toEqual(first.text.split(' '))
    for (const [i, word] of words.entries()) {
      expect(word.start).toBeGreaterThanOrEqual(words[i - 1]?.end ?? 0)
      expect(word.confidence).toBeGreaterThan(0.3)
    }
  })

  // The tiny model knows whole sentences; of parts it writes something, of which only the order is right.
  test('where long speech is cut, the words of the two windows follow one another', async () => {
    const sounds = await Promise.all([...references, ...references].map(({ text }) => speak(text, 'rms')))
    const length = sounds.reduce((sum, sound) => sum + sound.length, 0) / rate
    const lines = await transcribed(Float32Array.from(sounds.flatMap(sound => [...sound])), {
      windowSeconds: 4,
      overlapSeconds: 1,
    })
    const words = lines.flatMap(line => line.words ?? [])
    expect(words.every((word, i) => word.start >= (words[i - 1]?.end ?? 0))).toBe(true)
    for (let at = 0; at + 4 < length; at += 4)
      expect(words.some(({ start }) => start >= at && start < at + 4)).toBe(true)
  })

  test('the files of 8 bits have their own names', async () => {
    const own = mkdtempSync(join(tmpdir(), 'longtake-parakeet-'))
    cpSync(folder, own, { recursive: true })
    const opening = transcribers.open('parakeet', { folder: own, device: 'cpu' }, testHost())
    await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining('encoder-model.int8.onnx') })
    for (const part of ['encoder', 'decoder_joint'])
      renameSync(join(own, `${part}-model.onnx`), join(own, `${part}-model.int8.onnx`))
    rmSync(join(own, 'config.json'))
    expect(textOf(await transcribed(await soundOf(first), { folder: own, precision: undefined }))).toMatch(/^The child/)
    rmSync(own, { recursive: true })
  })
})

test('a language that it does not know is refused, and one that it knows by any name is not', async () => {
  const asked = async (model: string, language: string) => {
    const wanted = { model, device: 'cpu', precision: 'fp32' }
    const home = mkdtempSync(join(tmpdir(), 'longtake-hub-'))
    const repository = join(home, `models--istupakov--parakeet-tdt-0.6b-${model}-onnx`)
    const commit = 'a'.repeat(40)
    cpSync(folder, join(repository, 'snapshots', commit), { recursive: true })
    cpSync(folder, join(repository, 'refs'), { recursive: true })
    writeFileSync(join(repository, 'refs', 'main'), commit)
    const host = { ...testHost(), environment: { HF_HUB_CACHE: home } }
    const open = closeLater(await transcribers.open('parakeet', wanted, host))
    const audio = soundFrom(new Float32Array(rate))
    return all(open.transcribe({ audio, spans: [], language }, never)).finally(() => rmSync(home, { recursive: true }))
  }
  await expect(asked('v3', 'ja')).rejects.toMatchObject({ hint: expect.stringContaining('Choose the backend whisper') })
  expect(await asked('v3', 'German')).toEqual([])
  expect(await asked('v3', 'ukr')).toEqual([])
  await expect(asked('v2', 'de')).rejects.toThrow('does not know the language "de"')
  expect(await asked('v2', 'en')).toEqual([])
})

test('a vocabulary that does not end with the blank is an error that names the file', async () => {
  const own = mkdtempSync(join(tmpdir(), 'longtake-parakeet-'))
  cpSync(folder, own, { recursive: true })
  writeFileSync(join(own, 'vocab.txt'), '<blk> 0\nab 1\n')
  const opening = transcribers.open('parakeet', { folder: own, device: 'cpu', precision: 'fp32' }, testHost())
  await expect(opening).rejects.toMatchObject({
    message: expect.stringContaining('vocab.txt cannot be read'),
    exitCode: 2,
  })
  rmSync(own, { recursive: true })
})
