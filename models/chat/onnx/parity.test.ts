import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tensor } from '@xenova/transformers'
import { describe, expect, test } from 'vitest'
import type { ContentPart } from '../../../src/core/chat.ts'
import { wavBytes } from '../../../src/media/audio.ts'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { templateFile, templateMessages } from '../onnx.ts'
import { openChat, promptInputs } from './chat-worker.ts'
import type { OnnxChatKind } from './messages.ts'

// The same pictures, sounds and words through PyTorch and through our path (scripts/fixtures/true_model.py).

interface Written {
  ids: number[]
  logits: number[]
  tokens: number[]
}
interface Expected extends Written {
  pictures: string[] // PNG
  question: string
  pixel_values: number[] // some of them
  words: Written
  sound: Written & { features: number[] }
}

const most = { logits: 2e-5, pixels: 1e-5, features: 1e-3 }

async function open(name: string, model: OnnxChatKind) {
  const folder = modelFixture(name)
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected
  const template = await templateFile(folder)
  const opening = { folder, model, providers: ['cpu' as const], threads: 1, precision: {}, template }
  const chat = await openChat(opening, call => call())
  const write = async (shown: ContentPart[]) => {
    const content = [...shown, { type: 'text' as const, text: expected.question }]
    const asked = await templateMessages([{ role: 'user', content }], model)
    const inputs = await promptInputs(chat, { ...asked, temperature: 0, maxTokens: 6, context: 4096 })
    const ids = numbers(inputs.input_ids)
    const { logits } = await chat.model.forward({ ...inputs })
    const greedy = { max_new_tokens: 6, min_new_tokens: 6, do_sample: false }
    const output = await chat.model.generate({ ...inputs, ...greedy })
    const written = {
      ids,
      logits: numbers(logits).slice(-(logits.dims.at(-1) ?? 0)),
      tokens: numbers(output).slice(ids.length),
    }
    return { inputs, written }
  }
  const pictures = expected.pictures.map(png => ({ type: 'image' as const, jpeg: Buffer.from(png, 'base64') }))
  return { expected, write, pictures }
}

describe('true architectures write what they write in PyTorch', () => {
  test('Qwen3', async () => {
    const { expected, write } = await open('qwen3', 'text')
    sameAs((await write([])).written, expected)
  })

  test.each(['smolvlm2', 'gemma3n', 'qwen2.5-vl'])('%s, shown two pictures and none', async name => {
    const { expected, write, pictures } = await open(name, 'vision')
    const { inputs, written } = await write(pictures)
    sameAs(written, expected)
    const values = inputs.pixel_values as Tensor
    expect(largestError(sampled(values, 5, 7), expected.pixel_values)).toBeLessThan(most.pixels)
    sameAs((await write([])).written, expected.words)
  })

  test('Gemma 3n, played a sound', async () => {
    const { expected, write } = await open('gemma3n', 'vision')
    const { inputs, written } = await write([{ type: 'audio', wav: wavBytes(risingTone()) }])
    const features = (inputs as { input_features?: Tensor }).input_features!
    expect(largestError(sampled(features, 20, 3), expected.sound.features)).toBeLessThan(most.features)
    sameAs(written, expected.sound)
  })
})

function sameAs(written: Written, wanted: Written): void {
  expect(written.ids).toEqual(wanted.ids)
  expect(largestError(written.logits, wanted.logits)).toBeLessThan(most.logits)
  expect(written.tokens).toEqual(wanted.tokens)
}

function numbers(tensor: unknown): number[] {
  return Array.from((tensor as Tensor).data as BigInt64Array, Number)
}

// Every so many rows and columns of the last two dimensions.
function sampled(tensor: Tensor, rows: number, columns: number): number[] {
  const [height = 0, width = 0] = tensor.dims.slice(-2) as number[]
  return numbers(tensor).filter(
    (_, at) => (Math.floor(at / width) % height) % rows === 0 && (at % width) % columns === 0,
  )
}

function largestError(values: readonly number[], wanted: readonly number[]): number {
  expect(values.length).toBe(wanted.length)
  return values.reduce((largest, value, i) => Math.max(largest, Math.abs(value - wanted[i]!)), 0)
}

// As scripts/fixtures/gemma3n.py makes it.
function risingTone(): Float32Array {
  return Float32Array.from({ length: 32_000 }, (_, i) => {
    const at = i / 16_000
    const tone = 0.4 * Math.sin(2 * Math.PI * (220 * at + 80 * at ** 2)) * (1 + Math.sin(2 * Math.PI * 3 * at))
    return Math.trunc((tone / 2) * 32_767) / 32_768
  })
}
