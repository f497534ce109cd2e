import { afterEach, describe, expect, test } from 'vitest'
import { type ChatMessage, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import type { Fault } from '../../tests/servers/fault-server.ts'
import { closeAll, closeLater, never, openBackend, testHost } from '../../tests/servers/host.ts'
import { type OpenaiServer, startOpenaiServer } from '../../tests/servers/openai-server.ts'
import openai from './openai.ts'

afterEach(closeAll)

async function start(settings: object = {}, said: string[] = []) {
  const server = closeLater(await startOpenaiServer())
  const all = { url: server.url, model: 'test-model', ...settings }
  return { server, model: closeLater(await openBackend(openai, all, testHost({}, said))), said }
}

const messages: ChatMessage[] = [{ role: 'user', content: textContent('Where is the car?') }]
const ask: ChatRequest = { purpose: 'plan', messages }
const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
const tools: ToolCard[] = [{ name: 'search', description: 'Finds moments.', parameters }]
const called = { name: 'search', arguments: { query: 'car' } }
const schema = { name: 'v', schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } }

const whole = (body: unknown): Fault => ({
  fault: 'status',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const refusal = (status: number, body: unknown): Fault => ({ fault: 'status', status, body: JSON.stringify(body) })
const streamed = (body: string): Fault => ({
  fault: 'status',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
})
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const piece = (delta: object | null, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] })
const lastBody = (server: OpenaiServer) => server.seen.at(-1)?.body as Record<string, unknown>

describe('a reply in one piece', () => {
  const call = (args: unknown) => ({ id: 'c1', type: 'function', function: { name: 'search', arguments: args } })
  const replies: [what: string, choice: object][] = [
    ['no content, arguments as text', { message: { content: null, tool_calls: [call('{"query":"car"}')] } }],
    ['arguments as an object', { message: { content: null, tool_calls: [call({ query: 'car' })] } }],
    ['"stop" as the reason', { message: { tool_calls: [call('{"query":"car"}')] }, finish_reason: 'stop' }],
    ['a number as id', { message: { tool_calls: [{ ...call('{"query":"car"}'), id: 7, index: 0 }] } }],
    ['no id and no type', { message: { content: '', tool_calls: [{ function: called }] } }],
    [
      'the older single call',
      { message: { content: null, function_call: { ...called, arguments: '{"query":"car"}' } } },
    ],
  ]
  for (const [what, choice] of replies) {
    test(`calls with ${what}, and nothing counted`, async () => {
      const { server, model } = await start()
      server.misbehave(whole({ choices: [choice] }))
      const reply = await model.reply({ ...ask, tools }, never)
      expect(reply).toMatchObject({ stop: 'calls', calls: [called] })
      expect(reply.calls[0]!.id).toMatch(/./)
      expect(reply.usage.inputTokens).toBeGreaterThan(0)
    })
  }

  test('an empty error beside an answer is none; reasoning that is no text is passed over', async () => {
    const { server, model } = await start()
    const message = { content: 'Yes.', reasoning: { effort: 'low' }, tool_calls: [] }
    server.misbehave(whole({ error: '', model: null, choices: [{ message, finish_reason: 'stop' }], usage: {} }))
    expect(await model.reply(ask, never)).toMatchObject({ text: 'Yes.', stop: 'end' })
  })

  test('an error with a good status is an error, with its words', async () => {
    const { server, model } = await start({ limits: { attempts: 1 } })
    const said = 'Unexpected endpoint or method. (POST /v1/chat/completions)'
    server.misbehave(whole({ error: said }))
    await expect(model.reply(ask, never)).rejects.toThrow(said)
  })
})

describe('a reply that comes in pieces', () => {
  const streams: [what: string, body: string][] = [
    [
      'roles alone, comments, pieces without choices or with none, and a comment at the end',
      `: ping\n\n${event(piece({ role: 'assistant' }))}${event({ id: 'x' })}${event({ choices: [] })}: keep-alive\n\n${event(piece({ content: 'Yes.' }))}${event(piece(null, 'stop'))}${event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })}data: [DONE]\n\n: keep-alive\n\n`,
    ],
    ['no reason at all, but its end', `${event(piece({ content: 'Yes.' }))}data: [DONE]\n\n`],
    [
      'an empty reason in every piece',
      `${event(piece({ content: 'Ye' }, ''))}${event(piece({ content: 's.' }, ''))}${event(piece({}, 'stop'))}`,
    ],
    [
      'no space after the colon, and CRLF',
      event(piece({ content: 'Yes.' }, 'stop'))
        .replace('data: ', 'data:')
        .replaceAll('\n', '\r\n'),
    ],
    [
      'no empty lines between pieces',
      `${event(piece({ content: 'Ye' })).trim()}\n${event(piece({ content: 's.' }, 'stop')).trim()}\ndata: [DONE]\n\n`,
    ],
    ['the whole message as one piece', event({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] })],
  ]
  for (const [what, body] of streams) {
    test(`with ${what}`, async () => {
      const { server, model } = await start({ limits: { attempts: 1 } })
      server.misbehave(streamed(body))
      let shown = ''
      const reply = await model.reply(ask, never, more => (shown += more))
      expect({ text: reply.text, shown, stop: reply.stop }).toEqual({ text: 'Yes.', shown: 'Yes.', stop: 'end' })
    })
  }

  test('an empty reason is no end: a stream that is cut after it is cut', async () => {
    const { server, model } = await start({ limits: { attempts: 1 } })
    server.misbehave(streamed(event(piece({ content: 'Ye' }, ''))))
    await expect(model.reply(ask, never, () => {})).rejects.toThrow('cut its reply short')
  })

  test('a call with its arguments as an object, and "stop"', async () => {
    const { server, model } = await start()
    server.misbehave(streamed(`${event(piece({ tool_calls: [{ function: called }] }))}${event(piece({}, 'stop'))}`))
    expect(await model.reply({ ...ask, tools }, never, () => {})).toMatchObject({ stop: 'calls', calls: [called] })
  })
})

describe('a server that refuses part of a request', () => {
  const refusals: [who: string, body: unknown][] = [
    ['one that has no schemas', { error: { message: 'This response_format type is unavailable now' } }],
    ['LM Studio', { error: "'response_format.type' must be 'text'" }],
    ['llama.cpp', { error: { code: 400, message: 'Failed to parse grammar', type: 'invalid_request_error' } }],
    ['vLLM', { object: 'error', message: 'The provided JSON schema contains features not supported by xgrammar.' }],
  ]
  for (const [who, body] of refusals) {
    test(`a schema, as ${who}: it is told of it in words, from then on, and that is said once`, async () => {
      const { server, model, said } = await start()
      server.misbehave(refusal(400, body))
      server.script.say('', '{"a":1}', '{"a":2}')
      expect((await model.reply({ ...ask, schema }, never)).text).toBe('{"a":1}')
      expect((await model.reply({ ...ask, schema }, never)).text).toBe('{"a":2}')
      expect(lastBody(server)).not.toHaveProperty('response_format')
      expect(JSON.stringify(lastBody(server).messages)).toContain('JSON schema')
      expect(said).toHaveLength(1)
      expect(server.seen).toHaveLength(3)
    })
  }

  test('a server that takes a schema and does not hold it is shown it with the second try, and from then on', async () => {
    const { server, model, said } = await start()
    server.script.say('It is one.', '{"a":1}', '{"a":2}')
    expect((await model.reply({ ...ask, schema }, never)).text).toBe('{"a":1}')
    expect(JSON.stringify(lastBody(server).messages)).toContain('\\"properties\\"')
    expect((await model.reply({ ...ask, schema }, never)).text).toBe('{"a":2}')
    expect(JSON.stringify(lastBody(server).messages)).toContain('\\"properties\\"')
    expect(lastBody(server)).toHaveProperty('response_format')
    expect(server.seen).toHaveLength(3)
    expect(said).toEqual([expect.stringContaining('does not enforce the JSON schema')])
  })

  const fields: [field: string, status: number, body: unknown][] = [
    [
      'stream_options',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
    ],
    ['seed', 400, { error: { message: 'Unrecognized request argument supplied: seed' } }],
    [
      'seed',
      400,
      [{ error: { code: 400, message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' } }],
    ],
    [
      'temperature',
      400,
      {
        error: {
          message: "Unsupported value: 'temperature' does not support 0. Only the default (1) value is supported.",
        },
      },
    ],
    [
      'max_tokens',
      400,
      {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        },
      },
    ],
  ]
  for (const [field, status, body] of fields) {
    test(`the field ${field}: it is asked without, from then on, and that is said once`, async () => {
      const { server, model, said } = await start({ seed: 1, temperature: 0, maxTokens: 50 })
      server.misbehave(refusal(status, body))
      expect((await model.reply(ask, never, () => {})).text).toBe('ok')
      expect(lastBody(server)).not.toHaveProperty(field)
      expect(server.seen[0]!.body).toHaveProperty(field)
      if (field === 'max_tokens') expect(lastBody(server)).toMatchObject({ max_completion_tokens: 50 + 4096 })
      expect(said).toHaveLength(1)
    })
  }
})

describe('Ollama by its OpenAI protocol', () => {
  const said = (message: object, prompt_tokens = 9) =>
    whole({
      choices: [{ message, finish_reason: 'stop' }],
      system_fingerprint: 'fp_ollama',
      usage: { prompt_tokens, completion_tokens: 1 },
    })

  test('is told of once, and a prompt that it cut is refused', async () => {
    const { server, model, said: lines } = await start()
    server.misbehave(
      said({ content: 'At the gate.' }),
      said({ content: 'At the gate.' }),
      said({ content: 'No.' }, 2048),
    )
    await model.reply(ask, never)
    await model.reply(ask, never)
    expect(lines).toEqual([expect.stringContaining('backend "ollama"')])
    const long: ChatMessage[] = [{ role: 'user', content: textContent('The red car stops. '.repeat(1000)) }]
    await expect(model.reply({ ...ask, messages: long }, never)).rejects.toMatchObject({
      reason: 'context-overflow',
      hint: expect.stringContaining('OLLAMA_CONTEXT_LENGTH'),
    })
  })

  test('thinks where the chat template is asked not to: then it is asked by an effort of none', async () => {
    const thought = said({ content: 'At the gate.', reasoning: 'The car.' })
    const asked = async (settings: object) => {
      const { server, model } = await start(settings)
      server.misbehave(thought)
      for (let count = 0; count < 2; count++) await model.reply({ ...ask, purpose: 'look' }, never)
      return server.seen.map(({ body }) => (body as { reasoning_effort?: string }).reasoning_effort)
    }
    expect(await asked({})).toEqual([undefined, 'none'])
    const wanted = { chat_template_kwargs: { enable_thinking: true } }
    expect(await asked({ extra: wanted })).toEqual([undefined, undefined])
  })

  test('breaks off a reply that repeats itself, without a reason', async () => {
    const { server, model } = await start()
    const message = { content: '1111111111' }
    const broken = whole({ choices: [{ message, finish_reason: null }], system_fingerprint: 'fp_ollama' })
    server.misbehave(broken, broken)
    await expect(model.reply(ask, never)).rejects.toThrow(/broke its reply off after "1111111111": the model repeats/)
  })

  test('drops a call that it cannot read: after two empty replies the call is asked for as JSON', async () => {
    const { server, model, said: lines } = await start()
    const step = JSON.stringify({ thought: '', calls: [called], answer: null })
    server.script.say({ thinking: 'I search.' }, { thinking: 'I search.' }, step, { calls: [called] })
    expect(await model.reply({ ...ask, tools }, never)).toMatchObject({ stop: 'calls', calls: [called] })
    expect(server.seen).toHaveLength(3)
    expect(lines).toEqual([expect.stringContaining('asking for the calls as JSON')])
    await model.reply({ ...ask, tools }, never)
    expect(lastBody(server)).toHaveProperty('tools')
  })
})

describe('where the server is and which models it has', () => {
  for (const path of ['', '/', '/v1', '/v1/', '/v1/chat/completions', '/v1/models'])
    test(`the address may end in "${path}"`, async () => {
      const { server } = await start()
      const { model } = await start({ url: `${new URL(server.url).origin}${path}` })
      expect((await model.reply(ask, never)).text).toBe('ok')
      expect(server.seen.at(-1)?.path).toBe('/v1/chat/completions')
    })

  const lists: [what: string, body: unknown][] = [
    ['under "data"', { object: 'list', data: [{ id: 'alone', owned_by: 'x' }] }],
    ['under "data" and "models"', { models: [{ name: 'alone', model: 'alone' }], data: [{ id: 'alone' }] }],
    ['under "models"', { models: [{ name: 'alone' }] }],
    ['as a bare list', [{ id: 'alone' }]],
  ]
  for (const [what, body] of lists)
    test(`the only model is found ${what}`, async () => {
      const server = closeLater(await startOpenaiServer())
      server.misbehave(whole(body))
      const model = closeLater(await openBackend(openai, { url: server.url }))
      expect(model.id).toBe('chat/openai/alone')
    })

  test('a model that it has not is named with those that it has, whatever the status', async () => {
    const { server, model } = await start({ model: 'test-modle' })
    const message = 'chat: Invalid model name passed in model=test-modle. Call `/v1/models`.'
    server.misbehave(refusal(400, { error: { message } }))
    await expect(model.reply(ask, never)).rejects.toMatchObject({ hint: expect.stringContaining('mean "test-model"') })
  })

  test('a server that has none says null, and that is said', async () => {
    const server = closeLater(await startOpenaiServer())
    server.misbehave(whole({ object: 'list', data: null }))
    await expect(openBackend(openai, { url: server.url })).rejects.toThrow('has 0 models')
  })
})

describe('an error of the server that is about the request', () => {
  // As llama-cpp-python 0.3.36 answers them.
  const schemaRefused =
    "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}"
  const pictureRefused = 'can only concatenate str (not "list") to str'
  const internal = (message: string) => ({
    error: { status: 500, body: { error: { message, type: 'internal_server_error', code: null } } },
  })

  test('of a schema is no reason to send it again: the model is told of the schema in words', async () => {
    const { server, model } = await start({ limits: { backoffSeconds: 0.01 } })
    server.script.say(internal(schemaRefused), '{"a":1}')
    expect((await model.reply({ ...ask, schema }, never)).text).toBe('{"a":1}')
    expect(server.seen).toHaveLength(2)
    expect(lastBody(server)).not.toHaveProperty('response_format')
  })

  test.each([
    pictureRefused,
    'tools param requires --jinja flag',
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'Failed to initialize samplers: failed to parse grammar',
  ])('is a refusal after one try: %s', async message => {
    const { server, model } = await start({ limits: { backoffSeconds: 0.01 } })
    server.script.say(internal(message))
    await expect(model.reply(ask, never)).rejects.toMatchObject({ retryable: false })
    expect(server.seen).toHaveLength(1)
  })

  test.each([
    'CUDA error: an illegal memory access',
    'Failed to parse tool call arguments as JSON',
    'slot unavailable',
  ])('is not one that may pass: %s', async message => {
    const { server, model } = await start({ limits: { backoffSeconds: 0.01 } })
    server.script.say(internal(message), 'At the gate.')
    expect((await model.reply(ask, never)).text).toBe('At the gate.')
    expect(server.seen).toHaveLength(2)
  })
})

describe('tools that the chat template drops', () => {
  const long = { ...parameters, description: 'x '.repeat(800) }
  const cards = [{ ...tools[0]!, parameters: long }]
  const step = JSON.stringify({ thought: '', calls: [called], answer: null })

  test('show in the number of tokens that the server read: they are offered as JSON of a schema instead', async () => {
    const { server, model, said } = await start()
    server.script.say({ text: 'The bridge is long.', usage: { input: 12, output: 5 } }, step, step)
    expect(await model.reply({ ...ask, tools: cards }, never)).toMatchObject({ stop: 'calls', calls: [called] })
    expect(lastBody(server)).not.toHaveProperty('tools')
    expect(said.join()).toContain('drops tools')
    await model.reply({ ...ask, tools: cards }, never)
    expect(server.seen).toHaveLength(3)
  })

  test('are not those that were read, or whose tokens nobody counted', async () => {
    for (const usage of [{ input: 420, output: 5 }, 'none' as const]) {
      const { server, model } = await start()
      server.script.say({ text: 'READY', usage })
      expect((await model.reply({ ...ask, tools: cards }, never)).text).toBe('READY')
      expect(server.seen).toHaveLength(1)
    }
  })

  test('are not those of a later request, of which a server counts only what it had not read', async () => {
    const { server, model } = await start()
    server.script.say({ text: 'READY', usage: { input: 12, output: 5 } })
    const result = {
      role: 'tool' as const,
      call: 'c1',
      name: called.name,
      content: [{ type: 'text' as const, text: 'nothing' }],
    }
    const messages = [
      ...ask.messages,
      { role: 'assistant' as const, content: [], calls: [{ id: 'c1', ...called }] },
      result,
    ]
    expect((await model.reply({ ...ask, messages, tools: cards }, never)).text).toBe('READY')
    expect(server.seen).toHaveLength(1)
  })
})
