import { afterEach, describe, expect, test } from 'vitest'
import { backendSettings, type Host } from '../../src/core/backend.ts'
import { type ChatMessage, type ChatModel, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import type { Fault } from '../../tests/servers/fault-server.ts'
import { type OllamaServer, type OllamaServerOptions, startOllamaServer } from '../../tests/servers/ollama-server.ts'
import ollama from './ollama.ts'

const never = new AbortController().signal
const closing: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of closing.splice(0)) await thing.close?.()
})

async function start(options: OllamaServerOptions = {}, settings: object = {}) {
  const server = await startOllamaServer(options)
  closing.push(server)
  const said: string[] = []
  const model = await open({ url: server.url, ...settings }, {}, said)
  return { server, model, said }
}

async function open(settings: object, environment = {}, said: string[] = []): Promise<ChatModel> {
  const host: Host = { folder: '', environment, signal: never, say: line => said.push(line) }
  const limits = { backoffSeconds: 0.01, stallSeconds: 0.2 }
  const model = await ollama.open(
    backendSettings('chat', 'ollama', ollama, { model: 'qwen3:4b', limits, ...settings }),
    host,
  )
  closing.push(model)
  return model
}

const tools: ToolCard[] = [
  {
    name: 'search',
    description: 'Finds moments.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
]
const ask: ChatRequest = { purpose: 'plan', messages: [{ role: 'user', content: textContent('Where is the car?') }] }
const lastBody = (server: OllamaServer) => server.seen.at(-1)?.body as Record<string, unknown>

test('the context length, the time to stay loaded and thinking are sent to Ollama', async () => {
  const { server, model } = await start({}, { contextTokens: 9000, keepAlive: '30m', think: true, thinkingTokens: 300 })
  await model.reply({ ...ask, maxTokens: 50, temperature: 0, seed: 1 }, never)
  expect(lastBody(server)).toMatchObject({
    keep_alive: '30m',
    think: true,
    truncate: false,
    options: { num_ctx: 9000, num_predict: 350, temperature: 0, seed: 1 },
  })
  expect(server.complaints).toEqual([])
})

describe('a schema for a model that is told not to think', () => {
  const schema = { name: 'seen', schema: { type: 'object' } }
  const asked = async (version: string, settings: object = {}, request: object = { schema }) => {
    const { server, model, said } = await start({ version }, settings)
    for (const reply of ['{}', '{}']) {
      server.script.say(reply)
      await model.reply({ ...ask, purpose: 'look', ...request }, never)
    }
    return said
  }

  test.each(['0.17.4', '0.31.1'])('Ollama %s is named once, with the way to update', async version => {
    const said = await asked(version)
    expect(said).toEqual([expect.stringContaining(`Ollama ${version} does not hold a reply to a JSON schema`)])
    expect(said[0]).toMatch(/Update it to 0\.31\.2 or newer/)
  })

  test('nothing is said of one that holds it, of a model that thinks, and where no schema is asked for', async () => {
    for (const version of ['0.31.2', '0.32.0', '1.0.0', 'dev']) expect(await asked(version)).toEqual([])
    expect(await asked('0.17.4', { think: true })).toEqual([])
    expect(await asked('0.17.4', {}, {})).toEqual([])
  })
})

test('thinking has its own room, where the model can think', async () => {
  const thinking = await start()
  await thinking.model.reply({ ...ask, maxTokens: 600 }, never)
  expect(lastBody(thinking.server)).toMatchObject({ options: { num_predict: 600 + 4096 } })
  const plain = await start({ models: { 'qwen3:4b': ['completion', 'tools'] } })
  await plain.model.reply({ ...ask, maxTokens: 600 }, never)
  expect(lastBody(plain.server)).toMatchObject({ options: { num_predict: 600 } })
})

test('short steps ask the model not to think, until that is refused', async () => {
  const look = { ...ask, purpose: 'look' as const }
  const { server, model, said } = await start()
  await model.reply(ask, never)
  expect(lastBody(server)).not.toHaveProperty('think')
  await model.reply(look, never)
  expect(lastBody(server)).toMatchObject({ think: false })
  server.script.say({ error: { status: 400, body: { error: '"qwen3:4b" does not support thinking' } } }, 'red')
  expect((await model.reply(look, never)).text).toBe('red')
  expect(lastBody(server)).not.toHaveProperty('think')
  expect(said).toHaveLength(1)
  const told = await start({}, { think: 'high' })
  await told.model.reply(look, never)
  expect(lastBody(told.server)).toMatchObject({ think: 'high' })
  const plain = await start({ models: { 'qwen3:4b': ['completion', 'vision'] } })
  await plain.model.reply(look, never)
  expect(lastBody(plain.server)).not.toHaveProperty('think')
})

test('a schema goes as the format of the reply', async () => {
  const { server, model } = await start()
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  server.script.say('{"a":1}')
  await model.reply({ ...ask, schema: { name: 'a', schema } }, never)
  expect(lastBody(server).format).toEqual(schema)
})

test('OLLAMA_HOST says where Ollama is, also as the address it listens on', async () => {
  const server = await startOllamaServer()
  closing.push(server)
  const model = await open({}, { OLLAMA_HOST: `0.0.0.0:${new URL(server.url).port}` })
  expect((await model.reply(ask, never)).text).toBe('ok')
})

describe('what the model can take is what Ollama says', () => {
  test('pictures only with vision', async () => {
    const blind = await start({ models: { 'qwen3:4b': ['completion', 'tools'] } })
    expect([...blind.model.accepts]).toEqual(['text'])
    const seeing = await start({ models: { 'qwen3:4b': ['completion', 'vision'] } })
    expect([...seeing.model.accepts]).toEqual(['text', 'image'])
  })

  test('without tools the same contract is spoken as JSON, and said', async () => {
    const { server, model, said } = await start({ models: { 'qwen3:4b': ['completion'] } })
    server.script.say('{"thought":"","calls":[{"name":"search","arguments":{"query":"car"}}],"answer":null}')
    expect(await model.reply({ ...ask, tools }, never)).toMatchObject({
      stop: 'calls',
      calls: [{ name: 'search', arguments: { query: 'car' } }],
    })
    expect(said).toHaveLength(1)
    expect(server.complaints).toEqual([])
  })

  test('a server that cannot be asked gets whatever is asked for, and that is said', async () => {
    const { model, said } = await start({ withoutShow: true })
    expect([...model.accepts]).toEqual(['text', 'image'])
    expect((await model.reply(ask, never)).text).toBe('ok')
    expect(said).toHaveLength(1)
  })

  test('thinking that is asked of a model that cannot is an error', async () => {
    await expect(start({ models: { 'qwen3:4b': ['completion'] } }, { think: true })).rejects.toThrow('cannot think')
  })
})

describe('the next step is named', () => {
  test('a model that is not there', async () => {
    await expect(start({}, { model: 'llama9' })).rejects.toMatchObject({
      message: expect.stringContaining("model 'llama9' not found"),
      hint: 'Get it with "ollama pull llama9".',
      exitCode: 4,
    })
  })

  test('no server', async () => {
    const { server } = await start()
    await server.close()
    await expect(open({ url: server.url })).rejects.toMatchObject({
      message: expect.stringContaining(`could not reach ${server.url}: connection refused`),
      hint: expect.stringContaining('ollama serve'),
      exitCode: 4,
    })
  })
})

describe('a prompt that is too long', () => {
  const long: ChatMessage[] = [{ role: 'user', content: textContent('word '.repeat(8000)) }]

  test('is told apart where Ollama refuses it', async () => {
    const { model } = await start({}, { contextTokens: 2000 })
    await expect(model.reply({ ...ask, messages: long }, never)).rejects.toMatchObject({
      reason: 'context-overflow',
      retryable: false,
    })
  })

  test('is told apart where an older Ollama cuts it and says nothing', async () => {
    const { model } = await start({ overflow: 'cut' }, { contextTokens: 2000 })
    await expect(model.reply({ ...ask, messages: long }, never)).rejects.toMatchObject({ reason: 'context-overflow' })
    expect((await model.reply(ask, never)).text).toBe('ok')
  })
})

describe('a reply that is broken on its way: nothing of it counts, the next try does', () => {
  const faults: Fault[] = [
    { fault: 'stall', after: 150 },
    { fault: 'truncate', after: 300 },
    { fault: 'reset', after: 200 },
    { fault: 'garbage' },
    { fault: 'wrong-schema' },
    { fault: 'empty' },
    { fault: 'html' },
    { fault: 'bad-utf8' },
    { fault: 'status', status: 503, headers: { 'retry-after': '0' } },
    { fault: 'status', status: 200, body: '{"error":"an error was encountered while running the model"}\n' },
  ]
  for (const fault of faults) {
    test(JSON.stringify(fault), async () => {
      const { server, model } = await start()
      server.script.say('The answer is twelve.', 'The answer is twelve.')
      server.misbehave(fault)
      let shown = ''
      const reply = await model.reply(ask, never, piece => {
        shown += piece
      })
      expect(reply.text).toBe('The answer is twelve.')
      expect(shown).toBe('The answer is twelve.')
    })
  }

  test('a stream without its last line is not an answer', async () => {
    const { server, model } = await start({}, { limits: { attempts: 2, backoffSeconds: 0.01 } })
    server.script.say({ text: 'The answer', cutStream: true }, { text: 'The answer', cutStream: true })
    await expect(model.reply(ask, never)).rejects.toThrow(/cut its reply short \(tried 2 times/)
  })
})
