import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { prepare } from '../prepare/prepare.ts'
import { ClapSound, clapFeatures, upsample } from './clap-features.ts'
import { powerSpectrum } from './fourier.ts'
import { KaldiSound, kaldiFeatures } from './kaldi-features.ts'
import { WhisperSound, whisperFeatures } from './whisper-features.ts'

// Made by scripts/fixtures/reference_sounds.py with numpy.
const reference = JSON.parse(
  readFileSync(new URL('../../tests/fixtures/parity/whisper-features.json', import.meta.url), 'utf8'),
) as { mels: number; window: number; seconds: number; frames: number; every: number; values: string }[]
const { signal } = new AbortController()

function sound(seconds: number): Float32Array {
  const length = Math.trunc(seconds * 16_000)
  return Float32Array.from({ length }, (_, i) => {
    const t = i / 16_000
    const glide = 0.3 * Math.sin(2 * Math.PI * (200 * t + 400 * t ** 2))
    const noise = (((i * 7919) % 1009) / 1009 - 0.5) * 0.05
    return i < 0.8 * length ? glide + (i % 4000 === 0 ? 0.8 : 0) + noise : 0
  })
}

describe.each(reference)('log-mel of $seconds s in a window of $window s with $mels bins', reference => {
  test('is that of the reference within 1e-4', () => {
    const config = WhisperSound.parse({ feature_size: reference.mels, chunk_length: reference.window })
    const features = whisperFeatures(sound(reference.seconds), config)
    expect(features.frames).toBe(reference.frames)
    const bytes = Buffer.from(reference.values, 'base64')
    const wanted = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    const columns = Math.ceil(features.frames / reference.every)
    let worst = 0
    for (let mel = 0; mel < features.mels; mel++)
      for (let column = 0; column < columns; column++) {
        const found = features.data[mel * features.frames + column * reference.every]!
        worst = Math.max(worst, Math.abs(found - wanted[mel * columns + column]!))
      }
    expect(worst).toBeLessThan(1e-4)
  })
})

const others = JSON.parse(
  readFileSync(new URL('../../tests/fixtures/parity/sound-features.json', import.meta.url), 'utf8'),
) as Record<'kaldi' | 'clap', { seconds: number; frames: number; longest: number; values: string }[]>

function worstRow(found: Float32Array, mels: number, every: number, values: string): number {
  const bytes = Buffer.from(values, 'base64')
  const wanted = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  expect(Math.ceil(found.length / mels / every)).toBe(wanted.length / mels)
  return wanted.reduce((most, value, i) => {
    const row = Math.floor(i / mels) * every
    return Math.max(most, Math.abs(value - found[row * mels + (i % mels)]!))
  }, 0)
}

test('the filter banks of audio spectrogram transformers are those of the reference within 1e-4', () => {
  for (const { seconds, frames, values } of others.kaldi) {
    const found = kaldiFeatures(sound(seconds), KaldiSound.parse({ max_length: frames }))
    expect(worstRow(found, 128, 13, values)).toBeLessThan(1e-4)
  }
})

test('the decibels of CLAP are those of the reference within 1e-3', () => {
  for (const { seconds, longest, values } of others.clap) {
    const found = clapFeatures(sound(seconds), ClapSound.parse({ nb_max_samples: longest }))
    expect(worstRow(found, 64, 7, values)).toBeLessThan(1e-3)
  }
})

test('a tone at three times the rate is the same tone', () => {
  const pitch = 3000
  const wave = (rate: number) =>
    Float32Array.from({ length: rate / 10 }, (_, i) => Math.sin((2 * Math.PI * pitch * i) / rate))
  const found = upsample(wave(16_000), 16_000, 48_000)
  const wanted = wave(48_000)
  expect(found).toHaveLength(wanted.length)
  for (let i = 200; i < wanted.length - 200; i++) expect(Math.abs(found[i]! - wanted[i]!)).toBeLessThan(2e-3)
})

test('the power spectrum of any even size is that of the plain sum', () => {
  for (const size of [2, 6, 400, 512, 1024, 70]) {
    const samples = Float64Array.from({ length: size }, (_, i) => Math.sin(i * 1.7) + ((i * 31) % 7))
    const power = new Float64Array(size / 2 + 1)
    powerSpectrum(size)(samples, power)
    for (let k = 0; k <= size / 2; k++) {
      let re = 0
      let im = 0
      samples.forEach((sample, i) => {
        re += sample * Math.cos((2 * Math.PI * k * i) / size)
        im -= sample * Math.sin((2 * Math.PI * k * i) / size)
      })
      expect(Math.abs(power[k]! - (re ** 2 + im ** 2))).toBeLessThan(1e-6 * size ** 2)
    }
  }
})

test('thirty seconds are made without holding up other work for long', async () => {
  const config = WhisperSound.parse({})
  const samples = sound(30)
  await prepare('whisper', [sound(1), config], signal) // starts the thread
  let longest = 0
  let last = performance.now()
  let beating = true
  const beat = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (beating) setImmediate(beat)
  }
  beat()
  const before = process.cpuUsage()
  await prepare('whisper', [samples, config], signal)
  beating = false
  const used = process.cpuUsage(before)
  expect((used.user + used.system) / 1e6).toBeLessThan(3)
  expect(longest).toBeLessThan(250) // on a machine that is busy with other things; 20 ms on one that is not
})
