import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatModel, ContentPart } from '../../src/core/chat.ts'
import { textContent } from '../../src/core/chat.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { never, testHost } from '../../tests/servers/host.ts'
import { chatModels } from './index.ts'

let model: ChatModel
beforeAll(async () => {
  const settings = { folder: modelFixture('chat-vision'), kind: 'vision', device: 'cpu' }
  model = await chatModels.open('onnx', settings, testHost())
})
afterAll(() => model.close?.())

async function plain(red: number, green: number, blue: number): Promise<ContentPart> {
  const rgb = new Uint8Array(64 * 48 * 3)
  for (let at = 0; at < rgb.length; at += 3) rgb.set([red, green, blue], at)
  return { type: 'image', jpeg: await encodeJpeg({ time: 0, width: 64, height: 48, rgb }, 95) }
}

const look = (...content: ContentPart[]) =>
  model.reply({ purpose: 'look', messages: [{ role: 'user', content }] }, never)

describe('a vision-language model on this machine', () => {
  test('sees the picture that it is shown', async () => {
    const question = textContent('Which colour fills this picture? One word.')
    expect((await look(await plain(200, 30, 30), ...question)).text).toBe('Red.')
    expect((await look(await plain(30, 60, 200), ...question)).text).toBe('Blue.')
  })

  test('sees several, in their order', async () => {
    const question = textContent('Which colours, in their order?')
    const reply = await look(await plain(40, 160, 60), await plain(200, 30, 30), ...question)
    expect(reply.text).toBe('Green, then red.')
    expect(reply.usage.inputTokens).toBeGreaterThan(15)
  })

  test('answers without any picture too', async () => {
    expect(model.accepts).toEqual(new Set(['text', 'image']))
    expect((await look(...textContent('Who are you?'))).text).toBe('I am a very small model that sees.')
  })
})
