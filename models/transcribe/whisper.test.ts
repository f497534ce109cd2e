import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import { speak } from '../../src/media/speak.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { all, hasFlite, rate, soundFrom } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { transcribers } from './index.ts'

afterEach(closeAll)

const folder = modelFixture('whisper')
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
  text: string
  starts: number
  tokens: number[]
  words: [string, number, number][]
}
const tokenizer = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
  model: { vocab: Record<string, number> }
}
const pieces = new Map(Object.entries(tokenizer.model.vocab).map(([piece, id]) => [id, piece]))
// What PyTorch wrote of this very window, without the times between the lines.
const reference = expected.tokens
  .map(token => (pieces.get(token) ?? '').replaceAll('Ġ', ' '))
  .join('')
  .trim()

// One window of eight seconds, as the reference was given it.
async function transcribed(settings: object): Promise<Finding[]> {
  const spoken = await speak(expected.text, 'rms')
  const first = spoken.findIndex(sample => Math.abs(sample) > 0.003)
  const samples = new Float32Array(8 * rate)
  samples.set(spoken.subarray(first, first + 7 * rate), expected.starts * rate)
  const model = closeLater(await transcribers.open('whisper', { folder, device: 'cpu', ...settings }, testHost()))
  const spans = [{ start: 0.2, end: 7.8 }]
  return all(model.transcribe({ audio: soundFrom(samples), spans, language: 'en' }, never))
}

describe.skipIf(!hasFlite)(`Whisper${hasFlite ? '' : ' (skipped: flite is not installed)'}`, () => {
  test.each(['merged', 'with-past'])(
    'writes what the reference writes, from files of the layout "%s"',
    async decoder => {
      const lines = await transcribed({ decoder })
      expect(lines.map(line => line.text).join(' ')).toBe(reference)
    },
  )

  test('with a prompt both layouts write the same, and not what they write without', async () => {
    const written: string[] = []
    for (const decoder of ['merged', 'with-past']) {
      const lines = await transcribed({ decoder, prompt: 'The doctor asked him about the price of bread.' })
      written.push(lines.map(line => line.text).join(' '))
    }
    expect(written[0]).toBe(written[1])
    expect(written[0]).not.toBe(reference)
  })

  test('tells when each word was said', async () => {
    const [line] = await transcribed({})
    expect(line).toMatchObject({ track: 'speech', text: expect.stringMatching(/^The children walked slowly/) })
    const words = line!.words ?? []
    expect(words.map(word => word.text.toLowerCase().replace(/\W/g, ''))).toEqual(expected.words.map(([word]) => word))
    for (const [i, word] of words.entries()) {
      expect(word.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? line!.span.start)
      expect(word.end).toBeLessThanOrEqual(line!.span.end)
    }
  })

  test('says nothing of a sound in which nobody speaks', async () => {
    const model = closeLater(await transcribers.open('whisper', { folder, device: 'cpu' }, testHost()))
    expect(await all(model.transcribe({ audio: soundFrom(new Float32Array(4 * rate)), spans: [] }, never))).toEqual([])
  })
})

test('turbo is the repository with times of words, in 16 bits too, and a prompt needs one file more', async () => {
  const whisper = await transcribers.load('whisper')
  const files = (settings: object) => whisper.needs?.(whisper.settings.parse(settings))[0]?.model
  const turbo = files({ model: 'turbo', precision: 'fp16' })
  expect(turbo?.repository).toBe('onnx-community/whisper-large-v3-turbo_timestamped')
  expect(turbo?.files).toEqual(expect.arrayContaining(['onnx/encoder_model_fp16.onnx']))
  expect(turbo?.files).toEqual(expect.arrayContaining(['onnx/decoder_model_merged_fp16.onnx']))
  expect(turbo?.files).not.toContain('tokenizer_config.json')
  expect(files({ prompt: 'Zähringen' })?.files).toContain('tokenizer_config.json')
})

test('a tokenizer that is damaged is an error that names the file', async () => {
  const own = mkdtempSync(join(tmpdir(), 'longtake-whisper-'))
  cpSync(folder, own, { recursive: true })
  writeFileSync(join(own, 'tokenizer.json'), '{"model": {')
  const opening = transcribers.open('whisper', { folder: own, device: 'cpu' }, testHost())
  await expect(opening).rejects.toMatchObject({
    message: expect.stringContaining('tokenizer.json cannot be read'),
    exitCode: 2,
  })
  rmSync(own, { recursive: true })
})
