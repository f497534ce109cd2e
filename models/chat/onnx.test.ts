import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { RanOn } from '../../src/core/backend.ts'
import type { ChatMessage, ChatRequest, ToolCard } from '../../src/core/chat.ts'
import { textContent } from '../../src/core/chat.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { chatModels } from './index.ts'

afterEach(closeAll)

const folder = modelFixture('chat')
const { replies } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as { replies: [string, string][] }
const user = (words: string): ChatMessage => ({ role: 'user', content: textContent(words) })
const ask = (words: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  purpose: 'plan',
  messages: [user(words)],
  ...more,
})
const search: ToolCard = {
  name: 'search',
  description: 'Find a moment.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

async function open(more: object = {}, host = testHost()) {
  return closeLater(await chatModels.open('onnx', { folder, device: 'cpu', ...more }, host))
}

describe('a language model on this machine', () => {
  test('says what the reference says, with what it cost and where it ran', async () => {
    const ran: RanOn[] = []
    const model = await open({}, { ...testHost(), ran: report => void ran.push(report) })
    for (const [question, answer] of replies.slice(0, 4)) {
      const reply = await model.reply(ask(question), never)
      expect(reply).toMatchObject({ text: answer, calls: [], stop: 'end' })
      expect(reply.usage.inputTokens).toBeGreaterThan(10)
      expect(reply.usage.outputTokens).toBeGreaterThan(3)
    }
    expect(ran).toEqual([{ model: model.id, device: 'cpu', provider: 'cpu', threads: 1, precision: 'fp32' }])
  })

  test('streams pieces that add up, letters of two bytes and more whole', async () => {
    const model = await open()
    const pieces: string[] = []
    const reply = await model.reply(ask('Größe?'), never, piece => pieces.push(piece))
    expect(reply.text).toBe('Größe: 12 m² – schön 🎬.')
    expect(pieces.join('')).toBe(reply.text)
    expect(pieces.length).toBeGreaterThan(2)
  })

  test('calls a tool and reads its result', async () => {
    const model = await open()
    const messages = [user('When does the bell ring?')]
    const { calls, stop } = await model.reply({ purpose: 'plan', messages, tools: [search] }, never)
    expect(stop).toBe('calls')
    expect(calls).toEqual([{ id: expect.any(String), name: 'search', arguments: { query: 'bell' } }])
    messages.push(
      { role: 'assistant', content: [], calls },
      { role: 'tool', call: calls[0]!.id, name: 'search', content: textContent('bell at 0:45') },
    )
    const after = await model.reply({ purpose: 'plan', messages, tools: [search] }, never)
    expect(after).toMatchObject({ text: 'The bell rings at 0:45.', calls: [], stop: 'end' })
  })

  test('says when its reply was cut, and when the prompt is too long', async () => {
    const model = await open({ contextTokens: 80 })
    const cut = await model.reply(ask('Count to twenty.', { maxTokens: 6 }), never)
    expect(cut.stop).toBe('length')
    const long = model.reply(ask('one two three four five '.repeat(40)), never)
    await expect(long).rejects.toMatchObject({ reason: 'context-overflow' })
  })

  test('one whose template thinks has room for it, and short steps ask for none', async () => {
    const own = mkdtempSync(join(tmpdir(), 'longtake-thinking-'))
    cpSync(folder, own, { recursive: true })
    const file = join(own, 'tokenizer_config.json')
    const { chat_template, ...config } = JSON.parse(readFileSync(file, 'utf8')) as { chat_template: string }
    const asked = '{% if enable_thinking is defined and not enable_thinking %}think{% endif %}'
    writeFileSync(file, JSON.stringify({ ...config, chat_template: asked + chat_template }))
    const [question, answer] = replies[0]!
    const plain = await open()
    expect((await plain.reply(ask(question, { maxTokens: 2 }), never)).stop).toBe('length')
    const model = await open({ folder: own })
    const planned = await model.reply(ask(question, { maxTokens: 2 }), never)
    expect(planned).toMatchObject({ text: answer, stop: 'end' })
    const checked = await model.reply(ask(question, { purpose: 'check', maxTokens: 2 }), never)
    expect(checked.usage.inputTokens).toBeGreaterThan(planned.usage.inputTokens)
    rmSync(own, { recursive: true, force: true })
  })

  test('replies come one after another; an abort ends the one that it belongs to', async () => {
    const model = await open()
    const stop = new AbortController()
    const first = model.reply(ask('Count to twenty.'), stop.signal)
    const second = model.reply(ask('Who are you?'), never)
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect((await second).text).toBe('I am a very small model.')
  })

  test('the event loop goes on within 50 ms while it writes', async () => {
    const model = await open()
    await model.reply(ask('Who are you?'), never)
    const delayWhile = async (work: () => Promise<unknown>) => {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      await work()
      delay.disable()
      return delay.percentile(99) / 1e6
    }
    // On a busy machine every process waits for its turn: what it waits while nothing is done is not the model's.
    const idle = await delayWhile(() => wait(500))
    const writing = await delayWhile(() => model.reply(ask('Count to twenty.'), never))
    expect(writing - 2 * idle).toBeLessThan(50)
  })

  test('refuses pictures where it cannot see, and says which files are missing', async () => {
    const model = await open()
    const jpeg = await encodeJpeg({ time: 0, width: 8, height: 8, rgb: new Uint8Array(192) })
    const shown = model.reply(
      { purpose: 'look', messages: [{ role: 'user', content: [{ type: 'image', jpeg }] }] },
      never,
    )
    await expect(shown).rejects.toThrow('takes text')
    const other = chatModels.open('onnx', { folder, kind: 'vision' }, testHost())
    await expect(other).rejects.toMatchObject({ hint: expect.stringContaining('vision_encoder.onnx') })
  })
})
