import { afterEach, describe, expect, test } from 'vitest'
import type { ChatModel } from '../../src/core/chat.ts'
import { InterruptedError } from '../../src/core/errors.ts'
import type { RoleCheck } from '../../src/core/runtime.ts'
import { closeAll, closeLater, openBackend } from '../../tests/servers/host.ts'
import { startOllamaServer } from '../../tests/servers/ollama-server.ts'
import { type OpenaiServerOptions, startOpenaiServer } from '../../tests/servers/openai-server.ts'
import ollama from './ollama.ts'
import openai from './openai.ts'
import { probeChat } from './probe.ts'

afterEach(closeAll)

const call = { calls: [{ name: 'mark', arguments: { number: 7 } }] }
const apples = '{"colour":"green","count":3}'
const stateOf = (checks: RoleCheck[]) => Object.fromEntries(checks.map(check => [check.what, check.state]))
const check = (checks: RoleCheck[], what: string) => checks.find(found => found.what === what)

async function start(options: OpenaiServerOptions = {}, settings: object = {}) {
  const server = closeLater(await startOpenaiServer(options))
  const model: ChatModel = closeLater(await openBackend(openai, { url: server.url, model: 'test-model', ...settings }))
  return { server, model }
}

test('a model that does everything passes everything', async () => {
  const { server, model } = await start({}, { accepts: ['text', 'image', 'audio'] })
  server.script.say('Ready.', call, 'It is green.', apples, 'Red', 'Red', 'Red', 'Red', 'A tone.')
  const probe = await probeChat(model)
  expect(stateOf(probe)).toEqual({ answers: 'yes', tools: 'yes', schema: 'yes', images: 'yes', audio: 'yes' })
  expect(check(probe, 'images')?.detail).toContain('at least 32 pictures')
  expect(check(probe, 'answers')?.detail).toBe('answers (test-model)')
  expect(probe.every(found => found.mend === undefined)).toBe(true)
  expect(server.complaints).toEqual([])
})

test('asks for the lengths that the roles ask for, and for no thinking where they do not want it', async () => {
  const { server, model } = await start({}, { accepts: ['text', 'image', 'audio'], thinkingTokens: 1000 })
  server.script.say('Ready.', call, 'It is green.', apples, 'Red', 'Red', 'Red', 'Red', 'A tone.')
  await probeChat(model)
  const asked = server.seen.map(({ body }) => {
    const { max_tokens, chat_template_kwargs } = body as Record<string, unknown>
    return [max_tokens, Boolean(chat_template_kwargs)]
  })
  const look = [1600, true]
  const plan = [3048, false]
  expect(asked).toEqual([plan, plan, plan, [1400, true], look, look, look, look, [undefined, true]])
})

describe('each fault comes with its mend', () => {
  test('a server that is down: nothing else is tried', async () => {
    const { server, model } = await start()
    await server.close()
    const probe = await probeChat(model)
    expect(stateOf(probe)).toEqual({
      answers: 'no',
      tools: 'not tried',
      schema: 'not tried',
      images: 'not tried',
      audio: 'not tried',
    })
    expect(check(probe, 'answers')?.mend).toContain('vllm serve')
  })

  test('calls that come as text name the flags of vLLM for that model', async () => {
    const { server, model } = await start({ models: ['Qwen3-Coder-30B'] }, { model: 'Qwen3-Coder-30B' })
    server.script.say(
      'ready',
      '<tool_call>{"name":"mark","arguments":{"number":7}}</tool_call>',
      'green',
      apples,
      'red',
      'red',
      'red',
      'red',
    )
    const tools = check(await probeChat(model), 'tools')
    expect(tools).toMatchObject({ state: 'partly', mend: expect.stringContaining('--tool-call-parser qwen3_coder') })
  })

  test('a server that refuses tools is used by schema, and the flags are named', async () => {
    const { server, model } = await start({ tools: 'refused' })
    const step = (calls: object[], answer: string | null) => JSON.stringify({ thought: '', calls, answer })
    server.script.say('ready', step([{ name: 'mark', arguments: { number: 7 } }], null), step([], 'green'), apples)
    const tools = check(await probeChat(model), 'tools')
    expect(tools).toMatchObject({ state: 'partly', mend: expect.stringContaining('--enable-auto-tool-choice') })
  })

  test('no call, wrong arguments, and a result that is not read are told apart', async () => {
    const { server, model } = await start({}, { accepts: ['text'] })
    server.script.say('ready', 'I cannot do that.', apples)
    expect(check(await probeChat(model), 'tools')).toMatchObject({ state: 'no', mend: expect.any(String) })
    server.script.say('ready', { calls: [{ name: 'mark', arguments: { number: 'seven' } }] }, apples)
    expect(check(await probeChat(model), 'tools')?.detail).toContain('wrong arguments')
    server.script.say('ready', call, 'It is blue.', apples)
    expect(check(await probeChat(model), 'tools')?.detail).toContain('does not read their results')
  })

  test('a model that holds no schema', async () => {
    const { server, model } = await start({}, { accepts: ['text'] })
    server.script.say('ready', call, 'green', 'Three green apples.', 'I said three.')
    expect(check(await probeChat(model), 'schema')).toMatchObject({ state: 'no', mend: expect.any(String) })
  })

  test('a model that takes pictures without seeing them', async () => {
    const { server, model } = await start()
    server.script.say('ready', call, 'green', apples, 'I cannot see pictures.')
    expect(check(await probeChat(model), 'images')).toMatchObject({
      state: 'no',
      detail: expect.stringContaining('does not see it'),
    })
  })

  test('how many pictures it takes', async () => {
    const { server, model } = await start()
    const tooMany = {
      error: { status: 400, body: { error: { message: 'At most 4 image(s) may be provided in one prompt.' } } },
    }
    server.script.say('ready', call, 'green', apples, 'red', 'red', tooMany)
    expect(check(await probeChat(model), 'images')?.detail).toBe('sees; takes 4 pictures at once, not 16')
  })

  test('what is not given to a model is not tried', async () => {
    const server = closeLater(await startOllamaServer({ models: { 'qwen3:4b': ['completion', 'tools'] } }))
    const model = closeLater(await openBackend(ollama, { url: server.url, model: 'qwen3:4b' }))
    server.script.say('ready', call, 'green', apples)
    const probe = await probeChat(model)
    expect(stateOf(probe)).toEqual({
      answers: 'yes',
      tools: 'yes',
      schema: 'yes',
      images: 'not tried',
      audio: 'not tried',
    })
    expect(check(probe, 'images')?.mend).toContain('ollama show')
  })
})

test('an interrupted probe stops', async () => {
  const { server, model } = await start()
  server.misbehave({ fault: 'slow', seconds: 10 })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 30)
  await expect(probeChat(model, stop.signal)).rejects.toBeInstanceOf(InterruptedError)
})
