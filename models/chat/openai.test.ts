import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { backendSettings, family, type Host } from '../../src/core/backend.ts'
import { type ChatMessage, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { Fault } from '../../tests/servers/fault-server.ts'
import { jpeg, wav } from '../../tests/servers/media.ts'
import { type OpenaiServer, type OpenaiServerOptions, startOpenaiServer } from '../../tests/servers/openai-server.ts'
import type { ServerChatModel } from './adapter/chat-over-transport.ts'
import openai from './openai.ts'

const never = new AbortController().signal
const closing: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of closing.splice(0)) await thing.close?.()
})

interface Started {
  server: OpenaiServer
  model: ServerChatModel
  said: string[]
}

async function start(options: OpenaiServerOptions = {}, settings: object = {}, environment = {}): Promise<Started> {
  const server = await startOpenaiServer(options)
  const said: string[] = []
  const host: Host = { folder: '', environment, signal: never, say: line => said.push(line) }
  const limits = { backoffSeconds: 0.01, stallSeconds: 0.2 }
  const all = backendSettings('chat', 'openai', openai, { url: server.url, model: 'test-model', limits, ...settings })
  const model = (await openai.open(all, host)) as ServerChatModel
  closing.push(model, server)
  return { server, model, said }
}

const tools: ToolCard[] = [
  {
    name: 'search',
    description: 'Finds moments.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
]
const messages: ChatMessage[] = [{ role: 'user', content: textContent('Where is the car?') }]
const ask: ChatRequest = { purpose: 'plan', messages }
const called = { name: 'search', arguments: { query: 'car' } }
const lastBody = (server: OpenaiServer) => server.seen.at(-1)?.body as Record<string, unknown>

test('a call that is JSON of a schema and came as thinking is made', async () => {
  const { server, model } = await start({}, { toolMode: 'schema' })
  server.script.say({ thinking: JSON.stringify({ thought: '', calls: [called], answer: null }) })
  expect(await model.reply({ ...ask, tools }, never)).toMatchObject({ stop: 'calls', calls: [called] })
})

describe('the length of a reply', () => {
  const bodies = (server: OpenaiServer) => server.seen.map(({ body }) => (body as { max_tokens?: number }).max_tokens)

  test('thinking comes on top of what a request says; the number of the settings is a minimum', async () => {
    const usual = await start()
    await usual.model.reply({ ...ask, maxTokens: 600 }, never)
    await usual.model.reply(ask, never)
    expect(bodies(usual.server)).toEqual([600 + 4096, undefined])
    const told = await start({}, { maxTokens: 2000, thinkingTokens: 100 })
    await told.model.reply({ ...ask, maxTokens: 600 }, never)
    await told.model.reply({ ...ask, maxTokens: 3000 }, never)
    await told.model.reply(ask, never)
    expect(bodies(told.server)).toEqual([2100, 3100, 2100])
    for (const name of ['Qwen/Qwen3-VL-8B-Instruct', 'gpt-4o-mini', 'openai/gpt-4.1']) {
      const plain = await start({ models: [name] }, { model: name })
      await plain.model.reply({ ...ask, maxTokens: 600 }, never)
      expect(bodies(plain.server)).toEqual([600])
    }
  })

  test('an empty reply that ended at it is asked for once more, with four times the room', async () => {
    const { server, model } = await start({}, { thinkingTokens: 400 })
    const cramped = { thinking: 'The car, the car', finish: 'length' as const }
    server.script.say(cramped, 'At the gate.')
    expect((await model.reply({ ...ask, maxTokens: 600 }, never)).text).toBe('At the gate.')
    expect(bodies(server)).toEqual([1000, 4000])
    server.script.say(cramped, cramped, 'At the gate.')
    await expect(model.reply({ ...ask, maxTokens: 600 }, never)).rejects.toThrow(/never came to an answer/)
    expect(bodies(server).slice(2)).toEqual([1000, 4000])
  })

  test('thinking that never ended was cut, whatever the server says', async () => {
    const { server, model } = await start({}, { thinkingTokens: 400 })
    server.script.say({ text: '<think>The car, the car', finish: 'end' }, 'At the gate.')
    expect((await model.reply({ ...ask, maxTokens: 600 }, never)).text).toBe('At the gate.')
    expect(bodies(server)).toEqual([1000, 4000])
  })

  test.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", [600 + 4096, 600]],
    ['max_tokens is too large: 4696. This model supports at most 4096 output tokens.', [600]],
  ])('where there is no room for thinking the request goes without: %s', async (message, later) => {
    const { server, model } = await start()
    server.script.say({ error: { status: 400, body: { error: { message } } } }, 'At the gate.')
    expect((await model.reply({ ...ask, maxTokens: 600 }, never)).text).toBe('At the gate.')
    expect(bodies(server)).toEqual([600 + 4096, 600])
    server.script.say({ error: { status: 400, body: { error: { message } } } })
    await model.reply({ ...ask, maxTokens: 600 }, never).catch(() => {})
    expect(bodies(server).slice(2)).toEqual(later)
  })
})

describe('short steps ask the model not to think', () => {
  const asked = (body: unknown) => {
    const { reasoning_effort, chat_template_kwargs } = body as Record<string, unknown>
    return reasoning_effort ?? chat_template_kwargs
  }
  const off = { enable_thinking: false }

  test.each([
    ['Qwen/Qwen3.5-9B', off],
    ['gpt-5-mini', 'minimal'],
    ['openai/gpt-oss-20b', 'low'],
    ['models/gemini-3-flash', 'minimal'],
    ['models/gemini-3.7-flash', 'low'],
    ['google/gemini-4-argon', 'low'],
    ['gpt-4o', undefined],
    ['Qwen2.5-VL-7B-Instruct', undefined],
  ])('%s', async (name, field) => {
    const { server, model } = await start({ models: [name] }, { model: name })
    for (const purpose of ['look', 'check'] as const) {
      await model.reply({ ...ask, purpose }, never)
      expect(asked(lastBody(server))).toEqual(field)
    }
    await model.reply(ask, never)
    expect(asked(lastBody(server))).toBeUndefined()
    expect(server.complaints).toEqual([])
  })

  test('the word of the user goes before', async () => {
    const { server, model } = await start({}, { extra: { chat_template_kwargs: { enable_thinking: true } } })
    await model.reply({ ...ask, purpose: 'look' }, never)
    expect(asked(lastBody(server))).toEqual({ enable_thinking: true })
  })

  const levels = "'reasoning_effort' does not support 'minimal' with this model. Supported values are:"
  test.each([
    ['test-model', 'Unknown name "chat_template_kwargs": Cannot find field.', [off, undefined, undefined], 1],
    ['o3', `${levels} 'low', 'medium', and 'high'.`, ['minimal', 'low', 'low'], 0],
    ['gpt-5.1', `${levels} 'none', 'low', 'medium', and 'high'.`, ['minimal', 'none', 'none'], 0],
    ['gemini-3.1-pro', 'Thinking level MINIMAL is not supported for this model.', ['minimal', 'low', 'low'], 0],
    ['gpt-5-chat', 'Unrecognized request argument supplied: reasoning_effort', ['minimal', undefined, undefined], 1],
    ['gemini-2.0-flash', 'Thinking is not supported by this model.', ['minimal', undefined, undefined], 1],
  ])('%s is asked in another way once it has said: %s', async (name, message, fields, lines) => {
    const { server, model, said } = await start({ models: [name] }, { model: name })
    server.script.say({ error: { status: 400, body: { error: { message } } } }, 'red', 'red')
    for (let i = 0; i < 2; i++) expect((await model.reply({ ...ask, purpose: 'look' }, never)).text).toBe('red')
    expect(server.seen.map(seen => asked(seen.body))).toEqual(fields)
    expect(said).toHaveLength(lines)
  })
})

describe('what is sent to the server', () => {
  test('pictures as data URLs and sound as WAV, in their places', async () => {
    const { server, model } = await start({}, { accepts: ['text', 'image', 'audio'] })
    const content = [
      ...textContent('Look:'),
      { type: 'image' as const, jpeg },
      ...textContent('listen:'),
      { type: 'audio' as const, wav },
    ]
    await model.reply({ ...ask, messages: [{ role: 'user', content }] }, never)
    const [message] = lastBody(server).messages as { content: { type: string }[] }[]
    expect(message?.content.map(part => part.type)).toEqual(['text', 'image_url', 'text', 'input_audio'])
    expect(server.complaints).toEqual([])
  })

  test('a video goes as data, or by its place on a disk that the server shares; sound in either part', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-video-'))
    const file = join(folder, 'a b.mp4')
    await writeFile(file, 'mp4!')
    const content = [
      ...textContent('Look: '),
      { type: 'video' as const, id: 'v1', mime: 'video/mp4', file: () => file },
      { type: 'audio' as const, wav: new TextEncoder().encode('RIFF') },
    ]
    const sentWith = async (settings: object) => {
      const { server, model } = await start({}, { accepts: ['text', 'audio', 'video'], ...settings })
      await model.reply({ ...ask, messages: [{ role: 'user', content }] }, never)
      return (lastBody(server).messages as { content: { type: string }[] }[])[0]?.content.slice(1)
    }
    expect(await sentWith({})).toEqual([
      { type: 'video_url', video_url: { url: 'data:video/mp4;base64,bXA0IQ==' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    ])
    expect(await sentWith({ files: true, audioAs: 'audio_url' })).toEqual([
      { type: 'video_url', video_url: { url: `file://${folder}/a%20b.mp4` } },
      { type: 'audio_url', audio_url: { url: 'data:audio/wav;base64,UklGRg==' } },
    ])
    const { model } = await start({}, { accepts: ['text'] })
    await expect(model.reply({ ...ask, messages: [{ role: 'user', content }] }, never)).rejects.toThrow(
      /takes text, but was given video/,
    )
    await rm(folder, { recursive: true })
  })

  test('pictures are counted where the server counts nothing', async () => {
    const { server, model } = await start({ models: ['qwen3-vl-8b'] }, { model: 'qwen3-vl-8b' })
    server.script.say({ text: 'A car.', usage: 'none' })
    const content = [...textContent('Look: '), { type: 'image' as const, jpeg }, { type: 'image' as const, jpeg }]
    const reply = await model.reply({ ...ask, messages: [{ role: 'user', content }] }, never)
    expect(reply.usage.inputTokens).toBe(2 + 2 * (1 + 2))
  })

  test('fields of the user are added, and null takes one out', async () => {
    const extra = { chat_template_kwargs: { enable_thinking: false }, temperature: null }
    const { server, model } = await start({}, { extra, temperature: 0.5, seed: 3 })
    await model.reply(ask, never)
    expect(lastBody(server)).toMatchObject({ chat_template_kwargs: { enable_thinking: false }, seed: 3 })
    expect(lastBody(server)).not.toHaveProperty('temperature')
  })

  test('a schema is called strict only where nothing in it is open', async () => {
    const { server, model } = await start()
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    for (const [schema, strict] of [
      [closed, true],
      [{ ...closed, required: [] }, undefined],
      [{ ...closed, properties: { a: { type: 'object', properties: { b: {} } } } }, undefined],
    ] as const) {
      server.script.say('{"a":"x"}', '{"a":"x"}')
      await model.reply({ ...ask, schema: { name: 'a', schema } }, never).catch(() => {})
      const format = lastBody(server).response_format as { json_schema: { strict?: boolean } }
      expect(format.json_schema.strict).toBe(strict)
    }
  })

  test('a server that knows no schema is told of it in words', async () => {
    for (const schemaMode of ['json_object', 'prompt']) {
      const { server, model } = await start({}, { schemaMode })
      server.script.say('{"a":1}')
      const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
      expect((await model.reply({ ...ask, schema: { name: 'a', schema } }, never)).text).toBe('{"a":1}')
      expect(JSON.stringify(lastBody(server).messages)).toContain('JSON schema')
      expect(lastBody(server).response_format).toEqual(
        schemaMode === 'json_object' ? { type: 'json_object' } : undefined,
      )
    }
  })

  test('a URL without a path gets /v1', async () => {
    const { server, model } = await start()
    const bare = await start({}, { url: new URL(server.url).origin })
    await bare.model.reply(ask, never)
    expect(server.seen.at(-1)?.path).toBe('/v1/chat/completions')
    await model.reply(ask, never)
    expect(server.seen.at(-1)?.path).toBe('/v1/chat/completions')
  })
})

describe('keys', () => {
  const settings = { apiKeyEnv: 'MY_KEY' }

  test('the key comes from the environment variable that the settings name', async () => {
    const { model } = await start({ key: 'sk-canary' }, settings, { MY_KEY: 'sk-canary' })
    expect((await model.reply(ask, never)).text).toBe('ok')
  })

  test('a wrong key is an error that does not show it', async () => {
    const { model } = await start({ key: 'sk-right' }, settings, { MY_KEY: 'sk-wrong-canary' })
    const error = await model.reply(ask, never).catch((caught: BackendError) => caught)
    expect(error).toBeInstanceOf(BackendError)
    expect(JSON.stringify([(error as BackendError).message, (error as BackendError).hint])).not.toContain('canary')
  })

  test('without the variable the backend does not open, and the mend names it', async () => {
    const models = family('chat', { openai: async () => ({ default: openai as never }) })
    const host: Host = { folder: '', environment: {}, signal: never, say: () => {} }
    const opened = models.open('openai', { model: 'x', ...settings }, host)
    await expect(opened).rejects.toMatchObject({ exitCode: 2, hint: 'export MY_KEY=YOUR_KEY' })
  })

  test('a wrong setting is named with its place', () => {
    const read = () => backendSettings('chat', 'openai', openai, { model: 'x', modle: 'y' })
    expect(read).toThrow(UsageError)
    expect(read).toThrow(/modle/)
  })
})

describe('tool modes', () => {
  test('where the server refuses tools, the same contract is spoken as JSON of a schema, and said once', async () => {
    const { server, model, said } = await start({ tools: 'refused' })
    server.script.say('{"thought":"I search.","calls":[{"name":"search","arguments":{"query":"car"}}],"answer":null}')
    const first = await model.reply({ ...ask, tools }, never)
    expect(first).toMatchObject({ stop: 'calls', text: '', calls: [called] })
    const history: ChatMessage[] = [
      ...messages,
      { role: 'assistant', content: [], calls: first.calls },
      { role: 'tool', call: first.calls[0]!.id, name: 'search', content: textContent('0:12 a red car') },
    ]
    server.script.say('{"thought":"","calls":[],"answer":"At the gate."}')
    let shown = ''
    const second = await model.reply({ ...ask, messages: history, tools }, never, piece => {
      shown += piece
    })
    expect(second).toMatchObject({ stop: 'end', text: 'At the gate.', calls: [] })
    expect(shown).toBe('At the gate.')
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('--enable-auto-tool-choice')
    expect(model.toolsVia()).toBe('schema')
    expect(server.complaints).toEqual([])
    expect(JSON.stringify(lastBody(server).messages)).toContain('0:12 a red car')
  })

  test('with toolMode native a refusal is an error with the flag that mends it', async () => {
    const { model } = await start({ tools: 'refused' }, { toolMode: 'native' })
    await expect(model.reply({ ...ask, tools }, never)).rejects.toMatchObject({
      hint: expect.stringContaining('--tool-call-parser'),
    })
  })

  test('with toolMode schema an answer may itself be held to a schema', async () => {
    const { server, model } = await start({}, { toolMode: 'schema' })
    const schema = {
      name: 'v',
      schema: { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] },
    }
    server.script.say('{"thought":"","calls":[],"answer":{"verdict":"yes"}}')
    expect((await model.reply({ ...ask, tools, schema }, never)).text).toBe('{"verdict":"yes"}')
  })

  test('with toolMode schema a call with wrong arguments still reaches the caller, who tells the model', async () => {
    const { server, model } = await start({}, { toolMode: 'schema' })
    server.script.say('{"calls":[{"name":"search","arguments":{"query":7,"more":true}}]}')
    const { calls } = await model.reply({ ...ask, tools }, never)
    expect(calls).toMatchObject([{ name: 'search', arguments: { query: 7, more: true } }])
  })

  test('with toolMode schema plain words are asked for once more as JSON', async () => {
    const { server, model } = await start({}, { toolMode: 'schema' })
    server.script.say('At the gate.', '{"thought":"","calls":[],"answer":"At the gate."}')
    expect((await model.reply({ ...ask, tools }, never)).text).toBe('At the gate.')
    server.script.say('At the gate.', 'As I said.')
    await expect(model.reply({ ...ask, tools }, never)).rejects.toThrow(/not a JSON object with "calls" and "answer"/)
  })

  test('with toolMode text no tool field is sent, and calls are read from the text', async () => {
    const { server, model } = await start({}, { toolMode: 'text' })
    server.script.say('I search.\n<tool_call>{"name":"search","arguments":{"query":"car"}}</tool_call>')
    expect(await model.reply({ ...ask, tools }, never)).toMatchObject({
      text: 'I search.',
      calls: [called],
      stop: 'calls',
    })
    expect(lastBody(server)).not.toHaveProperty('tools')
    expect(JSON.stringify(lastBody(server).messages)).toContain('Finds moments.')
  })

  test('says how the last call came', async () => {
    const { server, model } = await start()
    expect(model.toolsVia()).toBeUndefined()
    server.script.say({ calls: [called] })
    await model.reply({ ...ask, tools }, never)
    expect(model.toolsVia()).toBe('native')
    server.script.say('<tool_call>{"name":"search","arguments":{"query":"car"}}</tool_call>')
    await model.reply({ ...ask, tools }, never)
    expect(model.toolsVia()).toBe('text')
  })
})

describe('fault 25: a prompt that is too long is told apart, so that the caller can shorten it', () => {
  test('as vLLM says it, without a second try', async () => {
    const { server, model } = await start({ contextTokens: 50 })
    const long: ChatMessage[] = [{ role: 'user', content: textContent('x'.repeat(400)) }]
    const error = await model.reply({ ...ask, messages: long }, never).catch((caught: BackendError) => caught)
    expect(error).toMatchObject({ reason: 'context-overflow', retryable: false })
    expect(server.seen).toHaveLength(1)
    expect((await model.reply(ask, never)).text).toBe('ok')
  })

  const bodies: [string, number, unknown][] = [
    ['OpenAI', 400, { error: { message: 'Too many tokens.', code: 'context_length_exceeded' } }],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 1407,
          n_ctx: 256,
        },
      },
    ],
    [
      'llama.cpp, older',
      500,
      {
        error: {
          code: 500,
          message: 'the request exceeds the available context size. try increasing the context size',
          type: 'server_error',
        },
      },
    ],
    [
      'vLLM, older',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        code: 400,
      },
    ],
    [
      'vLLM with room for no reply',
      400,
      { object: 'error', message: 'max_tokens must be at least 1, got -186.', code: 400 },
    ],
    [
      'vLLM, pictures',
      400,
      {
        error: {
          message: 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
          code: 400,
        },
      },
    ],
    ['in a good status', 200, { error: { message: 'Context size has been exceeded.' } }],
  ]
  for (const [name, status, body] of bodies) {
    test(`as ${name} says it`, async () => {
      const { server, model } = await start()
      server.script.say({ error: { status, body } })
      await expect(model.reply(ask, never)).rejects.toMatchObject({ reason: 'context-overflow', retryable: false })
    })
  }
})

describe('fault 22: a reply that is broken on its way', () => {
  const faults: Fault[] = [
    { fault: 'stall', after: 150 },
    { fault: 'truncate', after: 300 },
    { fault: 'reset', after: 200 },
    { fault: 'garbage' },
    { fault: 'wrong-schema' },
    { fault: 'empty' },
    { fault: 'bad-utf8' },
    { fault: 'status', status: 503, headers: { 'retry-after': '0' } },
  ]
  for (const fault of faults) {
    for (const streamed of [false, true]) {
      test(`${JSON.stringify(fault)}${streamed ? ', streamed' : ''}: nothing of it counts, the next try does`, async () => {
        const { server, model } = await start()
        server.script.say('The answer is twelve.', 'The answer is twelve.')
        server.misbehave(fault)
        let shown = ''
        const reply = await model.reply(ask, never, streamed ? piece => (shown += piece) : undefined)
        expect(reply.text).toBe('The answer is twelve.')
        if (streamed) expect(shown).toBe('The answer is twelve.')
      })
    }
  }

  test('a stream that stops without its end is not an answer', async () => {
    const { server, model } = await start({}, { limits: { attempts: 2, backoffSeconds: 0.01 } })
    server.script.say({ text: 'The answer is', cutStream: true }, { text: 'The answer is', cutStream: true })
    await expect(model.reply(ask, never, () => {})).rejects.toThrow(
      /cut its reply short after "The answer is" \(tried 2 times/,
    )
  })

  test('an error in the middle of a stream is an error', async () => {
    const { server, model } = await start({}, { limits: { attempts: 1 } })
    server.misbehave({
      fault: 'status',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: {"choices":[{"delta":{"content":"The"}}]}\n\ndata: {"error":{"message":"CUDA out of memory"}}\n\n',
    })
    await expect(model.reply(ask, never, () => {})).rejects.toThrow('CUDA out of memory')
  })

  test('a stream without [DONE] counts where it said how it finished', async () => {
    const { server, model } = await start()
    server.misbehave({
      fault: 'status',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n',
    })
    expect((await model.reply(ask, never, () => {})).text).toBe('Yes.')
  })
})

test('a model that the server does not have: those that it has are listed', async () => {
  const { model } = await start({ models: ['qwen3-4b', 'llava'] }, { model: 'qwen3-4' })
  await expect(model.reply(ask, never)).rejects.toMatchObject({
    hint: 'Did you mean "qwen3-4b"? The server has: qwen3-4b, llava.',
  })
})

test('without a model in the settings the only one of the server is asked; of several none is chosen silently', async () => {
  const { model } = await start({ models: ['alone'] }, { model: undefined })
  expect(model.id).toBe('chat/openai/alone')
  await expect(start({ models: ['a', 'b'] }, { model: undefined })).rejects.toMatchObject({
    exitCode: 2,
    hint: 'Set model to one of them: a, b.',
  })
})
