import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../src/core/chat.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { testHost } from '../../tests/servers/host.ts'
import { hasPackage, packageFolder } from '../../tests/support/counterparts.ts'
import { chatModels } from './index.ts'
import { grammarSchema, withoutNulls } from './llama-cpp/grammar-schema.ts'

const search = {
  type: 'object',
  properties: { query: { type: 'string' }, tracks: { type: 'array', items: { enum: ['speech', 'text'] } }, k: {} },
  required: ['query'],
}

describe('a schema for the grammar of node-llama-cpp', () => {
  test('has what may be left out as what may be null', () => {
    expect(grammarSchema(search)).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        tracks: { oneOf: [{ type: 'array', items: { enum: ['speech', 'text'] } }, { type: 'null' }] },
        k: { oneOf: [{ type: ['string', 'number', 'boolean', 'null'] }, { type: 'null' }] },
      },
    })
    expect(grammarSchema({ anyOf: [{ const: 'a' }, { type: ['string', 'null'] }] })).toEqual({
      oneOf: [{ const: 'a' }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
    })
  })

  test('gives back what was left out, and keeps a null that the schema asks for', () => {
    expect(withoutNulls({ query: 'x', tracks: null, k: null }, search)).toEqual({ query: 'x' })
    const step = { type: 'object', properties: { answer: { anyOf: [search, { type: 'null' }] } }, required: ['answer'] }
    expect(withoutNulls({ answer: null }, step)).toEqual({ answer: null })
    expect(withoutNulls({ answer: { query: 'x', k: null } }, step)).toEqual({ answer: { query: 'x' } })
  })
})

const user = (text: string): ChatMessage[] => [{ role: 'user', content: [{ type: 'text', text }] }]
const own = { folder: modelFixture('gguf-random'), file: 'random.gguf', packageFolder, device: 'cpu', threads: 1 }
const open = (more: object = {}) =>
  chatModels.open('llama-cpp', { ...own, contextTokens: 2048, temperature: 1, thinkingTokens: 0, ...more }, testHost())
const { signal } = new AbortController()

test('without the package the error names it and the command', async () => {
  await expect(open({ packageFolder: '/nowhere' })).rejects.toMatchObject({
    message: 'chat/llama-cpp needs the package node-llama-cpp, which is not there.',
    hint: expect.stringContaining('npm install node-llama-cpp'),
    exitCode: 2,
  })
})

describe.skipIf(!hasPackage('node-llama-cpp'))(
  'random weights (skipped: node-llama-cpp is not in LONGTAKE_TEST_PACKAGES)',
  () => {
    test('every reply is of its schema, whatever the seed', async () => {
      const schema = {
        type: 'object',
        properties: { verdict: { enum: ['yes', 'no'] }, rows: { type: 'array', items: { type: 'integer' } } },
        required: ['verdict'],
      }
      const model = await open()
      for (let seed = 1; seed <= 8; seed++) {
        const { text, usage } = await model.reply(
          { purpose: 'check', messages: user('Is it so?'), schema: { name: 'verdict', schema }, maxTokens: 300, seed },
          signal,
        )
        expect(['yes', 'no']).toContain(JSON.parse(text).verdict)
        expect(usage.outputTokens).toBeGreaterThan(5)
      }
      await model.close?.()
    })

    test('calls of tools have names that exist and arguments of their form', async () => {
      const model = await open()
      const tools = [{ name: 'search', description: 'Finds moments.', parameters: search }]
      let calls = 0
      for (let seed = 1; seed <= 12 && calls === 0; seed++) {
        const reply = await model
          .reply({ purpose: 'plan', messages: user('Find it.'), tools, maxTokens: 600, seed }, signal)
          .catch(() => undefined) // noise may also be an empty step
        for (const call of reply?.calls ?? []) {
          calls++
          expect(call.name).toBe('search')
          expect(call.arguments).toMatchObject({ query: expect.any(String) })
        }
      }
      expect(calls).toBeGreaterThan(0)
      await model.close?.()
    })

    test('a prompt that is too long is that error, and an abort ends the reply', async () => {
      const model = await open({ contextTokens: 256 })
      const long = { purpose: 'write' as const, messages: user('word '.repeat(600)) }
      await expect(model.reply(long, signal)).rejects.toMatchObject({ reason: 'context-overflow' })
      const stopping = new AbortController()
      const endless = await open({ contextTokens: 16_384 })
      const reply = endless.reply({ purpose: 'write', messages: user('go'), maxTokens: 15_000 }, stopping.signal, () =>
        stopping.abort(),
      )
      await expect(reply).rejects.toMatchObject({ exitCode: 130 })
      await Promise.all([model.close?.(), endless.close?.()])
    })
  },
)
