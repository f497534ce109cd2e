import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { whyNoCuda } from '../../../models/onnx/cuda-libraries.ts'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { closeAll, closeLater, testHost } from '../../../tests/servers/host.ts'
import { startOllamaServer } from '../../../tests/servers/ollama-server.ts'
import { startOpenaiServer } from '../../../tests/servers/openai-server.ts'
import { BackendError } from '../../core/errors.ts'
import type { RoleReport } from '../../core/runtime.ts'
import type { Role } from '../../core/services.ts'
import { examine } from './doctor.ts'
import type { RoleChoice } from './role-families.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(closeAll)

async function diagnosis(role: Role, choice: RoleChoice, environment = {}): Promise<RoleReport & { healthy: boolean }> {
  const host = testHost({ HOME: folder, ...environment })
  const report = await examine({
    home: folder,
    profile: { name: 'test', why: 'it was asked for' },
    choices: { [role]: choice },
    host,
    depth: 'try',
  })
  const found = report.roles.find(entry => entry.role === role)
  if (!found) throw new Error(`the report says nothing of ${role}`)
  return { ...found, healthy: report.healthy }
}

const chat = (url: string, more = {}) => ({
  backend: 'openai',
  url,
  model: 'test-model',
  accepts: ['text'],
  limits: { backoffSeconds: 0.01, connectSeconds: 2 },
  ...more,
})
const able = [
  'ready',
  { calls: [{ name: 'mark', arguments: { number: 7 } }] },
  'The colour is green.',
  '{"colour":"green","count":3}',
]

// A port that nothing listens on.
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

describe('a doctor finds what is broken, and names the one step that mends it', () => {
  test('a server that is down', async () => {
    const port = await closedPort()
    const found = await diagnosis('planner', chat(`http://127.0.0.1:${port}/v1`))
    expect(found).toMatchObject({ healthy: false, state: 'broken' })
    expect(found.detail).toContain('connection refused')
    expect(found.mend).toContain(`--port ${port}`)
    const ollama = await diagnosis('planner', { backend: 'ollama', model: 'm', url: `http://127.0.0.1:${port}` })
    expect(ollama).toMatchObject({ state: 'broken', mend: expect.stringContaining('ollama serve') })
  })

  test('a wrong URL', async () => {
    const server = closeLater(await startOpenaiServer())
    const found = await diagnosis('planner', chat(server.url.replace('/v1', '/api/v2')))
    expect(found).toMatchObject({ healthy: false, state: 'broken', mend: expect.stringContaining('Check the URL') })
  })

  test('a model that the server does not have', async () => {
    const server = closeLater(await startOpenaiServer())
    const found = await diagnosis('writer', chat(server.url, { model: 'test-modell' }))
    expect(found).toMatchObject({ state: 'broken', models: ['test-model'] })
    expect(found.mend).toContain('Did you mean "test-model"?')
    const ollama = closeLater(await startOllamaServer({ models: { 'qwen3:4b': ['completion', 'tools'] } }))
    const other = await diagnosis('writer', { backend: 'ollama', model: 'gemma3:4b', url: ollama.url })
    expect(other).toMatchObject({ state: 'broken', mend: expect.stringContaining('ollama pull gemma3:4b') })
  })

  test('a wrong key, and none', async () => {
    const server = closeLater(await startOpenaiServer({ key: 'right-key-1234' }))
    const environment = { MY_KEY: 'wrong-key-5678' }
    const wrong = await diagnosis('planner', chat(server.url, { apiKeyEnv: 'MY_KEY' }), environment)
    expect(wrong).toMatchObject({ state: 'broken', mend: expect.stringContaining('apiKeyEnv') })
    expect(JSON.stringify(wrong)).not.toContain('wrong-key-5678')
    const none = await diagnosis('planner', chat(server.url, { apiKeyEnv: 'NO_SUCH_KEY' }))
    expect(none).toMatchObject({ state: 'missing', mend: 'export NO_SUCH_KEY=YOUR_KEY' })
  })

  test('a model that calls no tools is no planner; as a writer it will do', async () => {
    const server = closeLater(await startOpenaiServer())
    server.script.say('ready', 'I would mark it.', '{"colour":"green","count":3}')
    const planner = await diagnosis('planner', chat(server.url))
    expect(planner).toMatchObject({ healthy: false, state: 'broken', detail: expect.stringContaining('calls no tool') })
    expect(planner.mend).toContain('--enable-auto-tool-choice')
    server.script.say('ready', 'I would mark it.', '{"colour":"green","count":3}')
    expect(await diagnosis('writer', chat(server.url))).toMatchObject({ state: 'ready' })
    const ollama = closeLater(await startOllamaServer({ models: { small: ['completion'] } }))
    ollama.script.say('ready', '{"calls":[{"name":"mark","arguments":{"number":7}}]}', '{"answer":"green"}')
    const other = await diagnosis('planner', { backend: 'ollama', model: 'small', url: ollama.url })
    expect(other.state).not.toBe('ready')
    expect(other.mend).toBeTruthy()
  })

  test('a missing model file', async () => {
    const own = join(folder, 'siglip-missing')
    cpSync(modelFixture('siglip'), own, { recursive: true })
    rmSync(join(own, 'onnx', 'text_model.onnx'))
    const found = await diagnosis('embedImage', { backend: 'siglip', folder: own, device: 'cpu' })
    expect(found).toMatchObject({ healthy: false, state: 'missing', mend: expect.stringContaining('text_model.onnx') })
    const hub = await diagnosis('embedImage', { backend: 'siglip' })
    expect(hub).toMatchObject({ state: 'missing', mend: expect.stringContaining('longtake models pull') })
  })

  test('a model file that is cut short, or is none', async () => {
    const own = join(folder, 'siglip-cut')
    cpSync(modelFixture('siglip'), own, { recursive: true })
    const file = join(own, 'onnx', 'vision_model.onnx')
    truncateSync(file, Math.floor(readFileSync(file).length / 2))
    const cut = await diagnosis('embedImage', { backend: 'siglip', folder: own, device: 'cpu' })
    expect(cut).toMatchObject({ healthy: false, state: 'broken', detail: expect.stringContaining('vision_model.onnx') })
    expect(cut.mend).toContain('models verify')
    writeFileSync(file, '<html>Not found</html>')
    const page = await diagnosis('embedImage', { backend: 'siglip', folder: own, device: 'cpu' })
    expect(page).toMatchObject({ state: 'broken', mend: expect.stringContaining('models verify') })
  })

  test.skipIf(!whyNoCuda())(`CUDA where it cannot run${whyNoCuda() ? '' : ' (skipped: CUDA is here)'}`, async () => {
    const choice = { backend: 'siglip', folder: modelFixture('siglip'), device: 'cuda' }
    const found = await diagnosis('embedImage', choice)
    expect(found).toMatchObject({ healthy: false, state: 'broken', mend: expect.stringContaining('doctor gpu') })
  })
})

test('what works is said to work: what a server has, what a model can do, which device ran', async () => {
  const server = closeLater(await startOpenaiServer())
  server.script.say(...able)
  const planner = await diagnosis('planner', chat(server.url))
  expect(planner).toMatchObject({ state: 'ready', models: ['test-model'] })
  expect(planner.checks?.map(({ what, state }) => `${what} ${state}`)).toEqual([
    'answers yes',
    'tools yes',
    'schema yes',
    'images not tried',
    'audio not tried',
  ])
  expect(planner.mend).toBeUndefined()
  const encoder = await diagnosis('embedImage', { backend: 'siglip', folder: modelFixture('siglip'), device: 'cpu' })
  expect(encoder).toMatchObject({
    state: 'ready',
    ran: [
      { model: 'vision_model.onnx', device: 'cpu', provider: 'cpu' },
      { model: 'text_model.onnx', device: 'cpu', provider: 'cpu' },
    ],
  })
})

test('roles that share a model and its settings ask it once', async () => {
  const server = closeLater(await startOpenaiServer())
  server.script.say(...able)
  const choices = { writer: chat(server.url), verifier: chat(server.url), judge: chat(server.url) }
  const report = await examine({
    home: folder,
    profile: { name: 'test', why: 'it was asked for' },
    choices,
    host: testHost(),
    depth: 'try',
  })
  expect(report.roles.filter(role => role.state === 'ready')).toHaveLength(3)
  expect(server.seen.filter(seen => seen.path.endsWith('/chat/completions'))).toHaveLength(4)
})

test('a look opens nothing', async () => {
  const server = closeLater(await startOpenaiServer())
  const choices = { writer: chat(server.url) }
  const report = await examine({
    home: folder,
    profile: { name: 'test', why: 'it was asked for' },
    choices,
    host: testHost(),
    depth: 'look',
  })
  expect(report.roles.find(role => role.role === 'writer')?.state).toBe('ready')
  expect(server.seen).toEqual([])
})

test('a chosen model that cannot be asked is said with its fix, and nothing counts as ready', async () => {
  const fault = new BackendError('OpenAI does not answer.', { hint: 'Check the network.' })
  const profile = { name: 'embedded', why: '' }
  const found = await examine({ home: '', profile, fault, choices: {}, host: testHost(), depth: 'look' })
  expect(found).toMatchObject({ healthy: false, fault: { what: fault.message, mend: fault.hint } })
})
