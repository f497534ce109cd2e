import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolvedSettings } from '../../src/core/backend.ts'
import siglip from '../embed-image/siglip.ts'
import { WhisperSettings } from '../transcribe/whisper/settings.ts'
import whisper from '../transcribe/whisper.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'longtake-auto-'))
})
afterEach(() => rmSync(cache, { recursive: true }))

const commit = 'a'.repeat(40)
const base = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']

// Empty files with the names of the hub's, of what a repository has here.
function fetched(repository: string, files: string[]): void {
  const folder = join(cache, `models--${repository.replace('/', '--')}`)
  mkdirSync(join(folder, 'snapshots', commit, 'onnx'), { recursive: true })
  mkdirSync(join(folder, 'refs'), { recursive: true })
  writeFileSync(join(folder, 'refs', 'main'), commit)
  for (const file of files) writeFileSync(join(folder, 'snapshots', commit, file), 'x')
}

const environment = () => ({ environment: { HF_HUB_CACHE: cache } })
const pictures = (settings: object) => resolvedSettings('embedImage', 'siglip', siglip, settings, environment())
const speech = async (settings: object) => {
  const all = await resolvedSettings('transcribe', 'whisper', whisper, settings, environment())
  return { precision: all.precision, decoderPrecision: all.decoderPrecision }
}
const towers = (ending: string) => [...base, `onnx/vision_model${ending}.onnx`, `onnx/text_model${ending}.onnx`]
const repository = 'onnx-community/siglip2-base-patch16-256-ONNX'

test('on a card files of 16 bits are asked for; on the processor they are not', async () => {
  expect(await pictures({ device: 'webgpu' })).toMatchObject({ precision: 'fp16' })
  expect(await pictures({ device: 'dml' })).toMatchObject({ precision: 'fp16' })
  expect(await pictures({ device: 'cpu' })).toMatchObject({ precision: 'fp32' })
  expect(await pictures({ device: 'webgpu', precision: 'q4f16' })).toMatchObject({
    precision: 'q4f16',
  })
})

test('where only files of fp32 were fetched they stay in use, until the others are there', async () => {
  fetched(repository, towers(''))
  expect(await pictures({ device: 'webgpu' })).toMatchObject({ precision: 'fp32' })
  fetched(repository, towers('_fp16'))
  expect(await pictures({ device: 'webgpu' })).toMatchObject({ precision: 'fp16' })
})

test('of a folder of the user only what is there is taken', async () => {
  fetched('own/one', towers(''))
  const folder = join(cache, 'models--own--one', 'snapshots', commit)
  expect(await pictures({ device: 'webgpu', folder })).toMatchObject({ precision: 'fp32' })
})

test('on the processor a large decoder of Whisper has 8 bits and what hears has 32; the pictures of SigLIP never have 8', async () => {
  expect(await speech({ device: 'cpu' })).toEqual({ precision: 'fp32', decoderPrecision: 'q8' })
  expect(await speech({ device: 'cpu', decoderPrecision: 'q4' })).toEqual({ precision: 'fp32', decoderPrecision: 'q4' })
  expect(await speech({ device: 'cpu', precision: 'fp32' })).toEqual({ precision: 'fp32' })
  expect(await speech({ device: 'webgpu' })).toEqual({ precision: 'fp16' })
  fetched(repository, [...towers(''), ...towers('_quantized')])
  expect(await pictures({ device: 'cpu' })).toMatchObject({ precision: 'fp32' })
  const { precision } = WhisperSettings.parse({})
  expect(precision).toBe('auto')
  const needs = whisper.needs?.(WhisperSettings.parse({ precision: 'fp32', decoderPrecision: 'q8' })) ?? []
  expect(needs[0]?.model?.files).toEqual(
    expect.arrayContaining(['onnx/encoder_model.onnx', 'onnx/decoder_model_merged_quantized.onnx']),
  )
})

const whisperFiles = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json']
const onnx = { encoder: 'onnx/encoder_model.onnx', whole: 'onnx/decoder_model_merged.onnx' }
const quantized = 'onnx/decoder_model_merged_quantized.onnx'

test('a decoder as small as those of Whisper tiny and base keeps its 32 bits, unless you set another or only 8 bits are here', async () => {
  const whole = { precision: 'fp32' }
  const ofEightBits = { precision: 'fp32', decoderPrecision: 'q8' }
  expect(await speech({ device: 'cpu', model: 'base' })).toEqual(whole)
  expect(await speech({ device: 'cpu', model: 'onnx-community/whisper-tiny.en_timestamped' })).toEqual(whole)
  expect(await speech({ device: 'cpu', model: 'base', decoderPrecision: 'q8' })).toEqual(ofEightBits)
  fetched('onnx-community/whisper-base_timestamped', [...whisperFiles, onnx.encoder, quantized])
  expect(await speech({ device: 'cpu', model: 'base' })).toEqual(ofEightBits)
  fetched('onnx-community/whisper-base_timestamped', [onnx.whole])
  expect(await speech({ device: 'cpu', model: 'base' })).toEqual(whole)
})

test('of a folder of the user the size of the decoder decides which of two is taken', async () => {
  fetched('own/one', [...whisperFiles, onnx.encoder, onnx.whole, quantized])
  const folder = join(cache, 'models--own--one', 'snapshots', commit)
  expect(await speech({ device: 'cpu', folder })).toEqual({ precision: 'fp32' })
  truncateSync(join(folder, onnx.whole), 615e6)
  expect(await speech({ device: 'cpu', folder })).toEqual({ precision: 'fp32', decoderPrecision: 'q8' })
  rmSync(join(folder, quantized))
  expect(await speech({ device: 'cpu', folder })).toEqual({ precision: 'fp32' })
})
