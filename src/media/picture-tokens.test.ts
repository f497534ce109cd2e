import { expect, test } from 'vitest'
import { encodeJpeg } from './image.ts'
import { countPictureTokens } from './picture-tokens.ts'

const jpegOf = (width: number, height: number) =>
  encodeJpeg({ time: 0, width, height, rgb: new Uint8Array(width * height * 3) })

test('a picture costs what the family of its model takes', async () => {
  const wide = await jpegOf(1280, 720)
  const costs: [model: string, tokens: number][] = [
    ['chat/openai/Qwen/Qwen3-VL-8B-Instruct', 40 * 23 + 2],
    ['chat/ollama/qwen3.5:4b', 40 * 23 + 2],
    ['chat/ollama/qwen2.5vl:7b', 46 * 26 + 2],
    ['chat/ollama/gemma3:4b', 256],
    ['chat/openai/google/gemma-4-e4b-it', 280],
    ['chat/openai/gpt-4o', 85 + 170 * 6],
    ['chat/openai/o3', 85 + 170 * 6],
    ['chat/openai/gemini-2.5-flash', 258 * 2],
    ['chat/openai/my-own', 46 * 26],
  ]
  for (const [model, tokens] of costs) expect([model, countPictureTokens(model, wide)]).toEqual([model, tokens])
  expect(countPictureTokens('gpt-4o', await jpegOf(2100, 4200))).toBe(85 + 170 * 6)
  expect(countPictureTokens('gemini-2.5-pro', await jpegOf(300, 200))).toBe(258)
})

test('the size is read from the header of a JPEG or PNG; a picture without one counts as one of 768 pixels', async () => {
  const png = new Uint8Array(24)
  png.set([0x89, 0x50, 0x4e, 0x47])
  png.set([0, 0, 0, 64, 0, 0, 0, 32], 16)
  expect(countPictureTokens('qwen3-vl', png)).toBe(2 + 2)
  const whole = await jpegOf(64, 32)
  expect(countPictureTokens('qwen3-vl', whole)).toBe(2 + 2)
  const commented = new Uint8Array([...whole.subarray(0, 2), 0xff, 0xfe, 0, 4, 1, 2, 0xff, ...whole.subarray(2)])
  expect(countPictureTokens('qwen3-vl', commented)).toBe(2 + 2)
  for (const other of [new Uint8Array(), new Uint8Array([1, 2, 3]), whole.subarray(0, 20), png.subarray(0, 20)])
    expect(countPictureTokens('qwen3-vl', other)).toBe(24 * 24 + 2)
})
