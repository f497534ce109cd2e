import { afterEach, describe, expect, test } from 'vitest'
import { type ChatMessage, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import { closeAll, closeLater, never, openBackend, testHost } from '../../tests/servers/host.ts'
import { script, seen } from '../../tests/servers/langchain-model.ts'
import { jpeg } from '../../tests/servers/media.ts'
import langchain from './langchain.ts'

afterEach(async () => {
  script.say()
  await closeAll()
})

const module = new URL('../../tests/servers/langchain-model.ts', import.meta.url).pathname
const open = async (settings: object = {}, host = testHost()) =>
  closeLater(await openBackend(langchain, { module, export: 'ScriptedModel', ...settings }, host))
const ask: ChatRequest = { purpose: 'plan', messages: [{ role: 'user', content: textContent('Where?') }] }
const tools: ToolCard[] = [{ name: 'search', description: 'Finds.', parameters: { type: 'object', properties: {} } }]

describe('what may be named', () => {
  test('a class, which gets its settings and its secrets from the environment', async () => {
    const host = testHost({ MY_KEY: ' sk-canary ' })
    const model = await open(
      { settings: { region: 'eu' }, temperature: 0.2, fromEnvironment: { apiKey: 'MY_KEY' } },
      host,
    )
    await model.reply(ask, never)
    expect(seen.at(-1)?.settings).toEqual({ region: 'eu', temperature: 0.2, apiKey: 'sk-canary' })
    expect(model.id).toBe('chat/langchain/scripted')
  })

  test('a function that makes a model', async () => {
    script.say('here')
    expect((await (await open({ export: 'plainModel' })).reply(ask, never)).text).toBe('here')
  })

  test('a package of the user', async () => {
    const model = await open({
      module: '@langchain/core/utils/testing',
      export: 'FakeListChatModel',
      settings: { responses: ['At the gate.'] },
    })
    expect((await model.reply(ask, never)).text).toBe('At the gate.')
    let shown = ''
    await model.reply(ask, never, piece => {
      shown += piece
    })
    expect(shown).toBe('At the gate.')
  })
})

describe('a wrong setting says what to do', () => {
  const cases: [string, object, RegExp, RegExp][] = [
    ['no such package', { module: 'no-such-package-here' }, /cannot be loaded/, /npm install no-such-package-here/],
    ['no such file', { module: './no-such-file.ts' }, /cannot be loaded/, /Check the path/],
    ['no such export', { export: 'ScriptedModal' }, /Unknown export/, /Did you mean "ScriptedModel"/],
    ['not a model', { export: 'notAModel' }, /not a LangChain chat model/, /chat model class/],
    [
      'a secret in the settings',
      { settings: { apiKey: 'sk-1' } },
      /settings.apiKey looks like a secret/,
      /fromEnvironment/,
    ],
  ]
  for (const [name, settings, message, hint] of cases) {
    test(name, async () => {
      const error = await open(settings).catch((caught: Error) => caught)
      expect(error).toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      })
    })
  }
})

test('messages, calls, results and pictures arrive in forms that LangChain takes', async () => {
  const model = await open()
  const messages: ChatMessage[] = [
    { role: 'system', content: textContent('Be brief.') },
    { role: 'user', content: textContent('Where?') },
    {
      role: 'assistant',
      content: textContent('I search.'),
      calls: [{ id: 'a', name: 'search', arguments: { query: 'car' } }],
    },
    { role: 'tool', call: 'a', name: 'search', content: [...textContent('found'), { type: 'image', jpeg }] },
  ]
  await model.reply({ ...ask, messages, tools }, never)
  const sent = seen.at(-1)
  expect(sent?.messages.map(message => message.getType())).toEqual(['system', 'human', 'ai', 'tool', 'human'])
  expect(sent?.messages[2]).toMatchObject({ tool_calls: [{ id: 'a', name: 'search', args: { query: 'car' } }] })
  expect(sent?.messages[3]).toMatchObject({ tool_call_id: 'a', content: 'found' })
  expect(sent?.messages[4]).toMatchObject({ content: [{ type: 'text' }, { type: 'image_url' }] })
  expect(sent?.tools).toMatchObject([{ type: 'function', function: { name: 'search' } }])
})

test('a model without tools speaks the same contract as JSON, and that is said', async () => {
  const said: string[] = []
  const model = await open({ export: 'plainModel' }, testHost({}, said))
  script.say('{"thought":"","calls":[{"name":"search","arguments":{}}],"answer":null}')
  expect(await model.reply({ ...ask, tools }, never)).toMatchObject({
    stop: 'calls',
    calls: [{ name: 'search', arguments: {} }],
  })
  expect(said).toHaveLength(1)
})

describe('what the package throws', () => {
  test('is tried again where that may help', async () => {
    const model = await open()
    script.say({ error: { status: 503, body: 'overloaded' } }, 'here')
    expect((await model.reply(ask, never)).text).toBe('here')
  })

  test('is not tried again where it cannot help, and hides the secret', async () => {
    const model = await open({ fromEnvironment: { apiKey: 'MY_KEY' } }, testHost({ MY_KEY: 'sk-canary' }))
    script.say({ error: { status: 401, body: 'wrong key sk-canary' } }, 'never asked')
    const before = seen.length
    const error = await model.reply(ask, never).catch((caught: Error) => caught)
    expect(error).toMatchObject({ exitCode: 4, retryable: false, message: expect.stringContaining('wrong key [key]') })
    expect(seen.length - before).toBe(1)
  })

  test('a prompt that is too long is told apart', async () => {
    const model = await open()
    script.say({ error: { status: 400, body: "This model's maximum context length is 8192 tokens." } })
    await expect(model.reply(ask, never)).rejects.toMatchObject({ reason: 'context-overflow', retryable: false })
  })
})
