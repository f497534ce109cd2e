import { afterEach, expect, test } from 'vitest'
import { jsonInstead } from '../../tests/servers/fault-server.ts'
import { closeAll, closeLater, never, openBackend } from '../../tests/servers/host.ts'
import { startOpenaiServer } from '../../tests/servers/openai-server.ts'
import openai from './openai.ts'

afterEach(closeAll)

async function start() {
  const server = closeLater(await startOpenaiServer())
  const settings = { url: server.url, model: 'test-model', limits: { attempts: 1 } }
  return { server, encoder: closeLater(await openBackend(openai, settings)) }
}

test('vectors that are not numbered are in the order of the texts', async () => {
  const { server, encoder } = await start()
  const [first, second] = [
    [1, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0, 0],
  ]
  server.misbehave(jsonInstead(200, { data: [{ embedding: first }, { embedding: second }] }))
  expect((await encoder.passages(['a', 'b'], never)).map(vector => [...vector])).toEqual([first, second])
})

test('an error with a good status is an error, with its words', async () => {
  const { server, encoder } = await start()
  server.misbehave(jsonInstead(200, { error: 'No models loaded.' }))
  await expect(encoder.passages(['a'], never)).rejects.toThrow('No models loaded.')
})

test('a text that is too long for llama.cpp is asked for once, and the mend is said', async () => {
  const { server, encoder } = await start()
  const message = 'input is too large to process. increase the physical batch size'
  server.misbehave(jsonInstead(500, { error: { code: 500, message, type: 'server_error' } }))
  await expect(encoder.passages(['a'], never)).rejects.toMatchObject({
    retryable: false,
    hint: expect.stringContaining('-ub'),
  })
})

test('a server that takes fewer texts in one call is sent fewer', async () => {
  const { server, encoder } = await start()
  server.misbehave(jsonInstead(413, { error: 'batch size 5 > maximum allowed batch size 3', error_type: 'Validation' }))
  const texts = ['a', 'b', 'c', 'd', 'e']
  expect(await encoder.passages(texts, never)).toHaveLength(5)
  const sizes = server.seen.slice(1).map(entry => (entry.body as { input: string[] }).input.length)
  expect(sizes).toEqual([5, 3, 2])
})
