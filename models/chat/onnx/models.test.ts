import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ChatRequest, ContentPart } from '../../../src/core/chat.ts'
import { textContent } from '../../../src/core/chat.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { closeAll, closeLater, never, testHost } from '../../../tests/servers/host.ts'
import { chatModels } from '../index.ts'
import { onnxChatSettings } from '../onnx.ts'
import { wantedChatModel } from './models.ts'

const scratch = mkdtempSync(join(tmpdir(), 'longtake-parts-'))
afterEach(async () => {
  await closeAll()
  rmSync(scratch, { recursive: true, force: true })
})

function copyOf(name: string): string {
  cpSync(modelFixture(name), scratch, { recursive: true })
  return scratch
}

async function open(folder: string, more: object = {}) {
  return closeLater(await chatModels.open('onnx', { folder, kind: 'vision', device: 'cpu', ...more }, testHost()))
}

const ask = (...content: ContentPart[]): ChatRequest => ({
  purpose: 'look',
  messages: [{ role: 'user', content: [...content, ...textContent('What does this picture show?')] }],
  maxTokens: 4,
})

async function frame(): Promise<ContentPart> {
  const rgb = Uint8Array.from({ length: 64 * 48 * 3 }, (_, i) => i % 251)
  return { type: 'image', jpeg: await encodeJpeg({ time: 0, width: 64, height: 48, rgb }) }
}

test('a short name says what the model is and which file of each part is known to work; settings go before', () => {
  const files = (given: object) =>
    wantedChatModel(onnxChatSettings.parse(given)).files.filter(file => file.endsWith('.onnx'))
  expect(files({ model: 'gemma-3n-e2b' })).toEqual([
    'onnx/embed_tokens_quantized.onnx',
    'onnx/vision_encoder_fp16.onnx',
    'onnx/decoder_model_merged_q4.onnx',
  ])
  expect(files({ model: 'gemma-3n-e2b', precision: { vision_encoder: 'fp32' } })).toContain('onnx/vision_encoder.onnx')
  expect(files({ model: 'gemma-3n-e2b', precision: 'q4f16' })).toContain('onnx/embed_tokens_q4f16.onnx')
  expect(files({ model: 'somebody/else' })).toEqual(['onnx/model.onnx'])
  const { optional } = wantedChatModel(onnxChatSettings.parse({ model: 'gemma-3n-e2b' }))
  expect(optional).toEqual([
    'generation_config.json',
    'chat_template.jinja',
    'chat_template.json',
    'preprocessor_config.json',
    'processor_config.json',
    'onnx/audio_encoder_quantized.onnx',
  ])
})

test('a model without the files that are optional works, and with parts of different precision', async () => {
  const folder = copyOf('qwen2.5-vl') // which has no processor_config.json, no chat_template.jinja and no audio encoder
  rmSync(join(folder, 'generation_config.json'))
  renameSync(join(folder, 'onnx/embed_tokens.onnx'), join(folder, 'onnx/embed_tokens_quantized.onnx'))
  renameSync(join(folder, 'onnx/decoder_model_merged.onnx'), join(folder, 'onnx/decoder_model_merged_q4.onnx'))
  const lacking = open(folder, { precision: { embed_tokens: 'q8' } })
  await expect(lacking).rejects.toThrow('needs the model files')
  const model = await open(folder, { precision: { embed_tokens: 'q8', decoder_model_merged: 'q4' } })
  expect(model.accepts).toEqual(new Set(['text', 'image']))
  const { usage } = await model.reply(ask(), never)
  expect(usage.outputTokens).toBeGreaterThan(0)
})

test('several pictures are refused, with the reason, by a type of model that is not known to take them', async () => {
  const folder = copyOf('chat-vision')
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as object
  const architectures = ['LlavaForConditionalGeneration']
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, model_type: 'llava', architectures }))
  const model = await open(folder)
  const two = model.reply(ask(await frame(), await frame()), never)
  await expect(two).rejects.toThrow('is of the type "llava" and was given 2 pictures')
})
