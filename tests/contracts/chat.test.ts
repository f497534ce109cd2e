import { afterEach, describe, expect, test } from 'vitest'
import { chatModels } from '../../models/chat/index.ts'
import type { ChatMessage, ChatModel, ChatRequest, ToolCard } from '../../src/core/chat.ts'
import { textContent } from '../../src/core/chat.ts'
import { BackendError, InterruptedError, UsageError } from '../../src/core/errors.ts'
import { closeAll, closeLater, never, testHost } from '../servers/host.ts'
import * as langchain from '../servers/langchain-model.ts'
import { jpeg, wav } from '../servers/media.ts'
import { startOllamaServer } from '../servers/ollama-server.ts'
import { startOpenaiServer } from '../servers/openai-server.ts'
import type { Line } from '../servers/script.ts'

interface Opened {
  model: ChatModel
  say(...lines: (Line | string)[]): void
  slow(seconds: number): void // the next reply takes this long
  complaints(): string[] // of the server about what it was sent
}

// Every chat backend that reaches a language model, over a server or object that plays a script.
const backends: Record<string, () => Promise<Opened>> = {
  async openai() {
    const server = await startOpenaiServer()
    closeLater(server)
    const model = await open('openai', { url: server.url, model: 'test-model', limits })
    return {
      model,
      say: server.script.say,
      slow: seconds => server.misbehave({ fault: 'slow', seconds }),
      complaints: () => server.complaints,
    }
  },
  async ollama() {
    const server = await startOllamaServer()
    closeLater(server)
    const model = await open('ollama', { url: server.url, model: 'qwen3:4b', limits })
    return {
      model,
      say: server.script.say,
      slow: seconds => server.misbehave({ fault: 'slow', seconds }),
      complaints: () => server.complaints,
    }
  },
  async langchain() {
    const module = new URL('../servers/langchain-model.ts', import.meta.url).pathname
    const model = await open('langchain', { module, export: 'ScriptedModel', limits })
    const { say } = langchain.script
    return { model, say, slow: seconds => say({ text: 'late', seconds }), complaints: () => [] }
  },
}

const limits = { backoffSeconds: 0.01 }

async function open(name: string, settings: unknown): Promise<ChatModel> {
  return closeLater(await chatModels.open(name, settings, testHost()))
}

afterEach(async () => {
  langchain.script.say()
  await closeAll()
})

// Those that play no script: they reach no language model, or a tiny one of their own. Their tests lie beside them.
const offline = ['rules', 'scripted', 'recorded', 'onnx', 'llama-cpp']

test('every backend of the family is held to this contract', () => {
  expect([...Object.keys(backends), ...offline].sort()).toEqual([...chatModels.names].sort())
})

const tools: ToolCard[] = [
  {
    name: 'search',
    description: 'Finds moments.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, k: { type: 'number' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  {
    name: 'overview',
    description: 'The whole video.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
]
const schema = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { verdict: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
    required: ['verdict', 'reason'],
    additionalProperties: false,
  },
}
const question: ChatMessage[] = [
  { role: 'system', content: textContent('You answer questions about a video.') },
  { role: 'user', content: textContent('Where is the red car? Größe 🎬') },
]
const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({ purpose: 'plan', messages: question, ...more })
const called = { name: 'search', arguments: { query: 'red car', k: 3 } }

for (const [name, start] of Object.entries(backends)) {
  describe(`chat/${name}`, () => {
    test('answers in words, with what it cost and who answered', async () => {
      const { model, say, complaints } = await start()
      say({ text: 'At the gate. 🎬', usage: { input: 21, output: 5 } })
      const reply = await model.reply(ask({ temperature: 0, maxTokens: 100, seed: 7 }), never)
      expect(reply).toMatchObject({
        text: 'At the gate. 🎬',
        calls: [],
        stop: 'end',
        usage: { inputTokens: 21, outputTokens: 5 },
      })
      expect(reply.model).not.toBe('')
      expect(model.id).toMatch(new RegExp(`^chat/${name}/`))
      expect(complaints()).toEqual([])
    })

    test('streams pieces that add up to the answer, without the thinking', async () => {
      const { model, say } = await start()
      say({ text: 'The red car stands at the gate – größer 🎬 than the wall.', thinking: 'Where is it?' })
      const pieces: string[] = []
      const reply = await model.reply(ask(), never, piece => pieces.push(piece))
      expect(pieces.join('')).toBe('The red car stands at the gate – größer 🎬 than the wall.')
      expect(pieces.length).toBeGreaterThan(3)
      expect(reply).toMatchObject({ text: pieces.join(''), thinking: 'Where is it?' })
    })

    test('calls tools, streamed or not', async () => {
      const { model, say, complaints } = await start()
      for (const onText of [undefined, () => {}]) {
        say({ calls: [called, { name: 'overview', arguments: {} }] })
        const reply = await model.reply(ask({ tools }), never, onText)
        expect(reply.stop).toBe('calls')
        expect(reply.calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual([
          called,
          { name: 'overview', arguments: {} },
        ])
        expect(new Set(reply.calls.map(call => call.id)).size).toBe(2)
      }
      expect(complaints()).toEqual([])
    })

    test('takes results of its calls, with pictures, and goes on; ids are never used twice', async () => {
      const { model, say, complaints } = await start()
      const messages = [...question]
      const ids: string[] = []
      for (let round = 0; round < 3; round++) {
        say({ calls: [called, called] })
        const { calls } = await model.reply(ask({ messages, tools }), never)
        messages.push({ role: 'assistant', content: [], calls })
        for (const call of calls)
          messages.push({
            role: 'tool',
            call: call.id,
            name: call.name,
            content: [...textContent('found'), { type: 'image', jpeg, time: 3 }],
          })
        ids.push(...calls.map(call => call.id))
      }
      say('At the gate.')
      expect((await model.reply(ask({ messages, tools, toolChoice: 'none' }), never)).text).toBe('At the gate.')
      expect(new Set(ids).size).toBe(6)
      expect(complaints()).toEqual([])
    })

    test('understands a tool call that comes as text, and shows nothing of it', async () => {
      const { model, say } = await start()
      for (const written of [
        '<tool_call>{"name":"search","arguments":{"query":"red car","k":3}}</tool_call>',
        '```json\n{"name": "search", "parameters": {"query": "red car", "k": 3}}\n```',
      ]) {
        say(`<think>I should search.</think>\n${written}`)
        let shown = ''
        const reply = await model.reply(ask({ tools }), never, piece => {
          shown += piece
        })
        expect(reply).toMatchObject({ text: '', thinking: 'I should search.', stop: 'calls', calls: [called] })
        expect(shown).toBe('')
      }
    })

    test('takes no call where it was told to answer', async () => {
      const { model, say } = await start()
      say({ calls: [called] }, 'At the gate.')
      const reply = await model.reply(ask({ tools, toolChoice: 'none' }), never)
      expect(reply).toMatchObject({ text: 'At the gate.', calls: [], stop: 'end' })
    })

    test('arguments that are not JSON reach the caller as they were written', async () => {
      const { model, say } = await start()
      say('<tool_call>{"name":"search","arguments":{"query": red}}</tool_call>')
      const [call] = (await model.reply(ask({ tools }), never)).calls
      expect(call!.name).toBe('search')
      expect(call!.arguments).toBeTypeOf('string')
    })

    test('holds a schema: strict JSON comes out of a code block, and what does not fit is asked for once more', async () => {
      const { model, say, complaints } = await start()
      const good = '{"verdict":"yes","reason":"seen"}'
      say(`\`\`\`json\n${good}\n\`\`\``)
      expect((await model.reply(ask({ purpose: 'check', schema }), never)).text).toBe(good)
      say(
        { text: '{"verdict":"perhaps"}', usage: { input: 10, output: 10 } },
        { text: good, usage: { input: 30, output: 10 } },
      )
      const mended = await model.reply(ask({ purpose: 'check', schema }), never)
      expect(mended).toMatchObject({ text: good, usage: { inputTokens: 40, outputTokens: 20 } })
      say('I think so.', 'Well, yes.')
      await expect(model.reply(ask({ purpose: 'check', schema }), never)).rejects.toThrow(/not JSON of the schema/)
      expect(complaints()).toEqual([])
    })

    test('takes JSON that came as thinking, where the reply is empty and nothing else was thought', async () => {
      const { model, say } = await start()
      const good = '{"verdict":"yes","reason":"seen"}'
      say({ thinking: `${good}\n` })
      expect(await model.reply(ask({ purpose: 'check', schema }), never)).toMatchObject({ text: good, stop: 'end' })
      const drafts = { thinking: `${good}, or rather {"verdict":"no","reason":"unseen"}` }
      say(drafts, drafts)
      await expect(model.reply(ask({ purpose: 'check', schema }), never)).rejects.toThrow(/never came to an answer/)
      say({ thinking: `Yes?</think>\`\`\`json\n${good}\n\`\`\`` })
      expect((await model.reply(ask({ purpose: 'check', schema }), never)).text).toBe(good)
      say({ thinking: good }, 'Yes.')
      expect((await model.reply(ask(), never)).text).toBe('Yes.')
    })

    test('parts thinking from the answer; thinking without an end is no answer', async () => {
      const { model, say } = await start()
      say('<think>Hm.</think>Yes.')
      expect(await model.reply(ask(), never)).toMatchObject({ text: 'Yes.', thinking: 'Hm.' })
      say('<think>I never stop', 'Yes.')
      expect((await model.reply(ask(), never)).text).toBe('Yes.')
      say('<think>I never stop', '<think>and never will')
      await expect(model.reply(ask(), never)).rejects.toThrow(/never came to an answer/)
      say({ text: '<think>I never st', finish: 'length' })
      await expect(model.reply(ask(), never)).rejects.toMatchObject({
        hint: expect.stringContaining('maxTokens'),
        retryable: false,
      })
    })

    test('an empty reply is asked for once more, then it is an error', async () => {
      const { model, say } = await start()
      say('', 'Yes.')
      expect((await model.reply(ask(), never)).text).toBe('Yes.')
      say('', '  \n')
      await expect(model.reply(ask(), never)).rejects.toBeInstanceOf(BackendError)
    })

    test('says when the reply was cut at its length limit', async () => {
      const { model, say } = await start()
      say({ text: 'The red car stands', finish: 'length' })
      expect(await model.reply(ask(), never)).toMatchObject({ text: 'The red car stands', stop: 'length' })
    })

    test('shows pictures to the model', async () => {
      const { model, say, complaints } = await start()
      say('Red.')
      const messages: ChatMessage[] = [
        { role: 'user', content: [...textContent('Which colour?'), { type: 'image', jpeg }, { type: 'image', jpeg }] },
      ]
      expect((await model.reply(ask({ messages, purpose: 'look' }), never)).text).toBe('Red.')
      expect(complaints()).toEqual([])
    })

    test('refuses what the model cannot take, and names the setting', async () => {
      const { model } = await start()
      const messages: ChatMessage[] = [{ role: 'user', content: [{ type: 'audio', wav }] }]
      const refused = model.reply(ask({ messages }), never)
      await expect(refused).rejects.toBeInstanceOf(UsageError)
      await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining('accepts') })
    })

    test('counts by length where nothing is counted', async () => {
      const { model, say } = await start()
      say({ text: 'x'.repeat(400), usage: 'none' })
      const { usage } = await model.reply(ask(), never)
      expect(usage.outputTokens).toBe(100)
      expect(usage.inputTokens).toBeGreaterThan(10)
    })

    test('stops at once when it is interrupted', async () => {
      const { model, slow } = await start()
      slow(20)
      const stop = new AbortController()
      setTimeout(() => stop.abort(), 50)
      const began = performance.now()
      await expect(model.reply(ask(), stop.signal)).rejects.toBeInstanceOf(InterruptedError)
      expect(performance.now() - began).toBeLessThan(1000)
    })
  })
}
