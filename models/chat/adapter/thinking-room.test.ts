import { expect, test } from 'vitest'
import { decorate } from '../../../src/core/chat.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { chatModels } from '../index.ts'
import { chatOverTransport } from './chat-over-transport.ts'

const rooms: [string, object, number | undefined][] = [
  ['openai', { url: 'http://127.0.0.1:1/v1', model: 'qwen3' }, 4096],
  ['openai', { url: 'http://127.0.0.1:1/v1' }, 4096],
  ['openai', { url: 'http://127.0.0.1:1/v1', model: 'gpt-4o' }, 0],
  ['openai', { url: 'http://127.0.0.1:1/v1', model: 'qwen3', thinkingTokens: 300 }, 300],
  ['ollama', { model: 'qwen3' }, 4096],
  ['ollama', { model: 'qwen3', thinkingTokens: 0 }, 0],
  ['rules', {}, undefined],
]

test.each(rooms)('%s with %j tells a forecast that it gives thinking %j tokens', async (name, settings, room) => {
  const backend = await chatModels.load(name)
  expect(backend.thinkingTokens?.(backend.settings.parse(settings))).toBe(room)
})

test('a model tells its room for thinking, and a reply that cannot be used what its two tries took', async () => {
  const model = chatOverTransport(
    {
      id: 'chat/test',
      accepts: new Set(['text'] as const),
      send: async () => ({
        text: 'no JSON',
        calls: [],
        stop: 'end' as const,
        model: 'm',
        usage: { inputTokens: 10, outputTokens: 7 },
      }),
    },
    { toolMode: 'auto', schemaBy: 'server', defaults: {}, thinkingTokens: 500, say: () => {} },
  )
  expect(model.thinkingTokens).toBe(500)
  expect(decorate(model, model.reply).thinkingTokens).toBe(500)
  const asked = model.reply(
    { purpose: 'summarise', messages: [], schema: { name: 's', schema: { type: 'object' } } },
    new AbortController().signal,
  )
  const error = await asked.catch(error => error)
  expect(error).toBeInstanceOf(BackendError)
  expect(error).toMatchObject({ reason: 'bad-reply', usage: { inputTokens: 20, outputTokens: 14 } })
})
