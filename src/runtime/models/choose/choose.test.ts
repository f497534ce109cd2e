import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { repositoryFolder } from '../../../../models/hub/cache.ts'
import { closeAll, closeLater, testHost } from '../../../../tests/servers/host.ts'
import { startOllamaServer } from '../../../../tests/servers/ollama-server.ts'
import { startOpenaiServer } from '../../../../tests/servers/openai-server.ts'
import { profiles } from '../../../config/profiles.ts'
import { type ConfigSources, resolveConfig } from '../../../config/resolve.ts'
import { wantedModels } from '../manager/wanted-models.ts'
import { openModelsManager } from '../models-manager.ts'
import { chooseModels } from './choose-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-choose-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(closeAll)

setFlagsFromString('--expose-gc')

const noFiles = { HF_HUB_CACHE: join(folder, 'none') }

interface Given {
  set?: string[]
  model?: string
  environment?: Record<string, string>
  given?: ConfigSources['given']
  home?: string
}

async function choose({ set = [], model, environment = {}, given, home = '' }: Given) {
  const named = model === undefined ? [] : [{ flag: '--model', path: 'model', text: model }]
  const said: string[] = []
  const all = { ...noFiles, ...environment }
  const config = await resolveConfig({ cwd: folder, environment: all, search: false, given, flags: { set, named } })
  const host = { ...testHost(all, said), folder: home }
  const chosen = await chooseModels(config, host)
  const { models } = chosen.config.settings
  const filled = Object.fromEntries(
    Object.entries(models).map(([role, { backend, model: name }]) => [
      role,
      name ? `${backend}/${String(name)}` : backend,
    ]),
  )
  return { ...chosen, models, filled, said }
}

const three = {
  'qwen2.5vl:7b': ['completion', 'vision'],
  'qwen3-vl:8b': ['completion', 'vision', 'tools', 'thinking'],
  'gemma3:4b': ['completion', 'vision'],
  'nomic-embed-text:latest': ['embedding'],
}
const ollama = async (models: Record<string, string[]> = three) => closeLater(await startOllamaServer({ models }))
const openai = async (models: string[], key?: string) => closeLater(await startOpenaiServer({ models, key }))

// A server that answers every path with the same.
async function website(body: string, type = 'text/html'): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  closeLater({ close: () => new Promise<void>(done => server.close(() => done())) })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('auto, role by role', () => {
  test('a running Ollama plans, writes and looks although no other model of "local" is here', async () => {
    const { url } = await ollama()
    const { filled, profile, models } = await choose({ environment: { OLLAMA_HOST: url } })
    expect(filled).toMatchObject({
      planner: 'ollama/qwen3-vl:8b',
      writer: 'ollama/qwen3-vl:8b',
      verifier: 'ollama/qwen3-vl:8b',
      judge: 'ollama/qwen3-vl:8b',
      vision: 'ollama/qwen3-vl:8b',
      transcribe: 'pocketsphinx',
      listen: 'signal',
    })
    expect(models.planner.url).toBe(url)
    expect(profile.name).toBe('auto')
    expect(profile.why).toContain(`ollama/qwen3-vl:8b (Ollama at ${url} runs) plans, writes, checks, judges and looks`)
    expect(profile.why).toContain('the rest is embedded')
  })

  test('where none does both, one plans and another looks', async () => {
    const { url } = await ollama({ 'qwen3:8b': ['completion', 'tools'], 'gemma3:4b': ['completion', 'vision'] })
    const { filled } = await choose({ environment: { OLLAMA_HOST: url } })
    expect(filled).toMatchObject({ planner: 'ollama/qwen3:8b', vision: 'ollama/gemma3:4b' })
  })

  test('a vLLM with one model is found by its list, without a key', async () => {
    const { url } = await openai(['Qwen/Qwen3-VL-8B-Instruct'])
    const { filled, models } = await choose({
      environment: { LONGTAKE_SERVERS: url.replace('/v1', ''), OPENAI_API_KEY: 'sk-secret', VLLM_API_KEY: 'k' },
    })
    expect(filled).toMatchObject({
      planner: 'openai/Qwen/Qwen3-VL-8B-Instruct',
      vision: 'openai/Qwen/Qwen3-VL-8B-Instruct',
    })
    expect(models.planner).toMatchObject({ url })
    expect(models.planner.apiKeyEnv).toBeUndefined()
  })

  test('of several servers the best of all their models is taken', async () => {
    const { url } = await ollama({ 'llama3.1:8b': ['completion', 'tools'] })
    const vllm = await openai(['Qwen/Qwen3-VL-32B-Instruct'])
    const { filled } = await choose({ environment: { OLLAMA_HOST: url, LONGTAKE_SERVERS: vllm.url } })
    expect(filled).toMatchObject({ planner: 'openai/Qwen/Qwen3-VL-32B-Instruct' })
  })

  test('a catalogue of a server of no known kind, which may fetch or pay for what is asked, is taken only by name', async () => {
    const models = ['Qwen/Qwen2.5-7B-Instruct', 'meta-llama/Llama-3.1-8B-Instruct']
    const data = models.map(id => ({ id, object: 'model', owned_by: id.split('/')[0] }))
    const url = await website(JSON.stringify({ object: 'list', data }), 'application/json')
    const { filled, profile } = await choose({ environment: { LONGTAKE_SERVERS: url } })
    expect(filled.planner).toBe('rules')
    expect(profile.why).toContain('it lists 2 models and is of no known kind; name one with --model')
    const named = await choose({ environment: {}, set: [`model=${url}`] })
    expect(named.filled.planner).toBe('openai/Qwen/Qwen2.5-7B-Instruct')
  })

  test('a web server, and a service that speaks JSON of its own, are no servers of models', async () => {
    const places = [await website('<html>hello</html>'), await website('{"status":"ok"}', 'application/json')]
    const { filled, profile } = await choose({ environment: { LONGTAKE_SERVERS: places.join(',') } })
    expect(filled).toMatchObject({ planner: 'rules', vision: 'off' })
    expect(profile).toMatchObject({ name: 'embedded', why: expect.stringContaining('no model server runs here') })
  })

  test('what listens and does not answer is passed over after three seconds', async () => {
    const silent = createServer(() => {})
    await new Promise<void>(done => silent.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const collecting = setInterval(runInNewContext('gc'), 500) // Node 20 collects a timeout that only AbortSignal.any holds
    const began = performance.now()
    const { filled } = await choose({ environment: { LONGTAKE_SERVERS: url } })
    clearInterval(collecting)
    expect(performance.now() - began).toBeLessThan(6000)
    expect(filled.planner).toBe('rules')
    silent.closeAllConnections()
    await new Promise<void>(done => silent.close(() => done()))
  })

  test('an array of errors about the key, as Gemini answers, is a key that was refused', async () => {
    const body = JSON.stringify([{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }])
    const server = createServer((_, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(body),
    )
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const set = [`server.url=${model}`, 'server.apiKeyEnv=GK']
    await expect(choose({ model, set, environment: { GK: 'wrong' } })).rejects.toMatchObject({
      message: expect.stringContaining('refuses the list of its models (status 400)'),
      hint: 'Check the key in GK.',
    })
    await new Promise<void>(done => server.close(() => done()))
  })

  test('a password in an address is in no message, and what is passed on goes wherever that server sends it', async () => {
    await expect(choose({ model: 'http://me:secret@127.0.0.1:9/v1' })).rejects.toMatchObject({
      message: 'No server listens at http://127.0.0.1:9/v1.',
    })
    const { url } = await openai(['gpt-4o', 'claude-sonnet-4-5'])
    const secret = url.replace('http://', 'http://me:secret@')
    const { profile, models } = await choose({ model: secret })
    expect(models.planner.url).toBe(secret) // its requests need it too
    expect(profile.why).not.toContain('secret')
    expect(profile.why).toContain(`go to wherever ${new URL(url).host} sends them on`)
  })

  test('models that embed, rank or transcribe, small ones, and those that work elsewhere are left alone', async () => {
    const { url } = await ollama({
      'nomic-embed-text:latest': ['embedding'],
      'qwen2.5-coder:1.5b': ['completion', 'tools', 'insert'],
      'gpt-oss:120b-cloud': ['completion', 'tools'],
    })
    const vllm = await openai(['openai/whisper-large-v3', 'BAAI/bge-reranker-v2-m3', 'gpt-5', 'claude-sonnet-4-5'])
    const { filled } = await choose({ environment: { OLLAMA_HOST: url, LONGTAKE_SERVERS: vllm.url } })
    expect(filled).toMatchObject({ planner: 'rules', vision: 'off' })
  })

  test('settings of the user count: a role of theirs stays, and a model that they name is taken from the server', async () => {
    const { url } = await ollama()
    const environment = { OLLAMA_HOST: url }
    const own = await choose({ environment, set: ['models.writer.backend=rules', 'models.vision.model=gemma3:4b'] })
    expect(own.filled).toMatchObject({ planner: 'ollama/qwen3-vl:8b', writer: 'rules', vision: 'ollama/gemma3:4b' })
    await expect(choose({ set: ['models.vision.model=gemma3:4b'] })).rejects.toThrow('the role "vision" is off')
  })

  test('perception takes the models whose files are here, each by itself; a second hearing is no worse than the first', async () => {
    const cache = join(folder, 'hub')
    const { transcribe, embedImage } = profiles.local
    for (const model of await wantedModels({ transcribe, embedImage }, testHost())) {
      if (model.kind !== 'hub') continue
      const repository = repositoryFolder(cache, model.name)
      const files: [string, string][] = [
        [`refs/${model.revision}`, 'a'.repeat(40)],
        ...model.files.map((file): [string, string] => [`snapshots/${'a'.repeat(40)}/${file}`, '{}']),
      ]
      for (const [file, content] of files) {
        mkdirSync(dirname(join(repository, file)), { recursive: true })
        writeFileSync(join(repository, file), content)
      }
    }
    const { filled, profile } = await choose({ environment: { HF_HUB_CACHE: cache } })
    expect(filled).toMatchObject({
      transcribe: 'whisper/small',
      retranscribe: 'whisper/small',
      embedImage: 'siglip',
      hear: 'signal',
      planner: 'rules',
    })
    expect(profile).toMatchObject({
      name: 'auto',
      why: expect.stringContaining('the files of transcribe and embedImage are here'),
    })
  })

  test('what a model can do is asked once and kept by its digest', async () => {
    const home = join(folder, 'home', 'models')
    const server = await ollama()
    const environment = { OLLAMA_HOST: server.url }
    const shows = () => server.seen.filter(({ path }) => path === '/api/show').length
    await choose({ environment, home })
    expect(shows()).toBe(4)
    const { filled } = await choose({ environment, home })
    expect(shows()).toBe(4)
    expect(filled.planner).toBe('ollama/qwen3-vl:8b')
    const kept = JSON.parse(readFileSync(join(home, 'capabilities.json'), 'utf8')).models
    expect(kept['sha256:gemma3:4b']).toMatchObject({ sees: true, callsTools: false })
  })
})

describe('one word', () => {
  test('keeps the limits of requests that the settings give a role, and none of its other settings', async () => {
    const { url } = await openai(['gpt-4.1'])
    const planner = { backend: 'rules', limits: { attempts: 1, attemptSeconds: 900 }, model: 'other' }
    const { models, config } = await choose({
      given: { values: { models: { planner } }, place: 'my.json' },
      model: url,
    })
    expect(models.planner).toMatchObject({ backend: 'openai', model: 'gpt-4.1', limits: planner.limits })
    expect(config.origins.get('models.planner.limits.attempts')?.place).toBe('my.json')
    expect(models.writer).not.toHaveProperty('limits')
  })

  test('fills the chat roles over the profile, and says so; the rest stays', async () => {
    const { url } = await ollama()
    const environment = { OLLAMA_HOST: url }
    const { filled, profile, models } = await choose({
      model: 'ollama/gemma3:4b',
      environment,
      set: ['profile=embedded'],
    })
    expect(filled).toMatchObject({
      planner: 'ollama/gemma3:4b',
      vision: 'ollama/gemma3:4b',
      transcribe: 'pocketsphinx',
    })
    expect(models.writer).toMatchObject({ backend: 'ollama', url })
    expect(profile).toEqual({
      name: 'embedded',
      why: 'it was asked for. ollama/gemma3:4b plans, writes, checks, judges and looks; listening stays as the profile has it',
    })
  })

  test('comes from LONGTAKE_MODEL and from the settings too; roles that the same layer or one above sets stay', async () => {
    const { url } = await ollama()
    const environment = { OLLAMA_HOST: url, LONGTAKE_MODEL: 'ollama/qwen3-vl:8b' }
    const above = await choose({ environment, set: ['models.writer.backend=rules'] })
    expect(above.filled).toMatchObject({ planner: 'ollama/qwen3-vl:8b', writer: 'rules' })
    const same = await choose({
      environment: { OLLAMA_HOST: url },
      model: 'ollama',
      set: ['models.writer.backend=rules'],
    })
    expect(same.filled).toMatchObject({ planner: 'ollama/qwen3-vl:8b', writer: 'rules' })
    const below = { values: { models: { writer: { backend: 'rules' } } }, place: 'open()' }
    const over = await choose({ environment: { OLLAMA_HOST: url }, given: below, model: 'ollama/qwen3-vl:8b' })
    expect(over.filled.writer).toBe('ollama/qwen3-vl:8b')
    expect((await choose({ environment, model: 'off', set: ['profile=embedded'] })).filled.planner).toBe('rules')
  })

  test('is left out where a profile is set above it', async () => {
    const environment = { LONGTAKE_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'sk-1' }
    expect((await choose({ environment, set: ['profile=embedded'] })).filled.planner).toBe('rules')
  })

  test('one that is not here yet is among the models to fetch', async () => {
    const flags = { named: [{ flag: '--model', path: 'model', text: 'ollama/qwen3-vl:8b' }] }
    const config = await resolveConfig({ cwd: folder, environment: {}, search: false, flags })
    const manager = await openModelsManager(['embedded'], {
      config,
      home: folder,
      environment: { OLLAMA_HOST: '127.0.0.1:9' },
    })
    expect((await manager.list()).map(({ model }) => model.name)).toEqual(['qwen3-vl:8b'])
  })

  test('an address alone is enough where the server has one model, which is tried once where nobody says what it can do', async () => {
    const home = join(folder, 'tried', 'models')
    const server = await openai(['my-own-model'])
    server.script.say({ calls: [{ name: 'mark', arguments: { number: 7 } }] }, 'Red.')
    const { filled, said, profile } = await choose({ model: server.url.replace('/v1', ''), home })
    expect(filled).toMatchObject({ planner: 'openai/my-own-model', vision: 'openai/my-own-model' })
    expect(said).toContain('my-own-model: its server does not say what it can do; it is tried once.')
    expect(profile.why).toContain('vllm/my-own-model plans, writes, checks, judges and looks')
    const asked = server.seen.length
    const again = await choose({ model: server.url, home })
    expect(again.filled).toMatchObject({ vision: 'openai/my-own-model' })
    expect(server.seen.slice(asked).every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a model that takes text alone looks at nothing', async () => {
    const { url } = await openai(['Qwen/Qwen3-8B'])
    const { filled, models, profile } = await choose({ model: url, set: ['profile=embedded'] })
    expect(filled).toMatchObject({ planner: 'openai/Qwen/Qwen3-8B', vision: 'off' })
    expect(models.planner.accepts).toEqual(['text'])
    expect(profile.why).toContain('looking and listening stay as the profile has them')
  })

  test('of several models the best is taken, and that is said; one that hears listens', async () => {
    const { url } = await openai(['BAAI/bge-m3', 'Qwen/Qwen2.5-7B-Instruct', 'Qwen/Qwen3-Omni-30B-A3B-Instruct'])
    const { filled, profile } = await choose({ model: url, set: ['profile=embedded'] })
    expect(filled).toMatchObject({
      planner: 'openai/Qwen/Qwen3-Omni-30B-A3B-Instruct',
      listen: 'openai/Qwen/Qwen3-Omni-30B-A3B-Instruct',
    })
    expect(profile.why).toContain('looks and listens (the best of 3 models there)')
  })

  test('a wrong model names the nearest and the list; one that embeds is none', async () => {
    const { url } = await ollama()
    const environment = { OLLAMA_HOST: url }
    await expect(choose({ model: 'ollama/qwen3-vl:9b', environment })).rejects.toMatchObject({
      exitCode: 2,
      message: `Ollama at ${url} has no model "qwen3-vl:9b".`,
      hint: expect.stringMatching(/^Did you mean "qwen3-vl:8b"\? It has: qwen2.5vl:7b, .* ollama pull qwen3-vl:9b$/),
    })
    await expect(choose({ model: 'ollama/nomic-embed-tex', environment })).rejects.toMatchObject({
      hint: expect.stringContaining('Did you mean "nomic-embed-text"?'),
    })
    await expect(choose({ model: 'ollama/nomic-embed-text', environment })).rejects.toThrow('cannot chat: it embeds')
  })

  test('a server that does not run is named with how to start it', async () => {
    await expect(choose({ model: 'ollama', environment: { OLLAMA_HOST: '127.0.0.1:9' } })).rejects.toMatchObject({
      exitCode: 4,
      message: 'Ollama does not listen at http://127.0.0.1:9.',
      hint: expect.stringContaining('ollama serve'),
    })
    const page = await website('<html></html>')
    await expect(choose({ model: page })).rejects.toThrow('is not a server of models')
  })

  test('a hosted provider without its key names the variable', async () => {
    await expect(choose({ model: 'gemini/gemini-2.5-flash' })).rejects.toMatchObject({
      exitCode: 2,
      message: '--model gemini/gemini-2.5-flash needs a key: GEMINI_API_KEY or GOOGLE_API_KEY is not set.',
    })
  })

  test('a hosted provider is asked with its key, and what leaves the machine is said', async () => {
    const home = join(folder, 'hosted', 'models')
    const server = await openai(['gpt-4o-2024-11-20', 'gpt-5', 'gpt-5-mini', 'text-embedding-3-small'], 'sk-1')
    const environment = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: server.url }
    const { filled, models } = await choose({ model: 'openai', environment, home })
    expect(filled).toMatchObject({ planner: 'openai/gpt-5', vision: 'openai/gpt-5' })
    expect(models.planner).toMatchObject({ apiKeyEnv: 'OPENAI_API_KEY' })
    await choose({ model: 'openai/gpt-5-mini', environment, home })
    const asked = server.seen.length
    const kept = await choose({ model: 'openai/gpt-5-mini', environment, home })
    expect(kept.filled.vision).toBe('openai/gpt-5-mini')
    expect(server.seen).toHaveLength(asked)
    await expect(choose({ model: 'openai/gpt-5-minni', environment, home })).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('Did you mean "gpt-5-mini"?'),
    })
    await expect(
      choose({ model: 'openai', environment: { ...environment, OPENAI_API_KEY: 'x' } }),
    ).rejects.toMatchObject({
      hint: 'Check the key in OPENAI_API_KEY.',
    })
  })

  test('one in a settings file whose server is down keeps questions from being answered and nothing else', async () => {
    const environment = { LONGTAKE_MODEL: 'ollama/qwen3-vl:8b', OLLAMA_HOST: '127.0.0.1:9' }
    const { fault, filled } = await choose({ environment })
    expect(fault).toMatchObject({ message: 'Ollama does not listen at http://127.0.0.1:9.' })
    expect(filled.planner).toBe('rules')
  })
})

describe('a key that is set', () => {
  const key = { OPENAI_API_KEY: 'sk-1' }

  test('is not used; one line names it and what using it would mean', async () => {
    const { filled, unusedKey } = await choose({ environment: key })
    expect(filled).toMatchObject({ planner: 'rules', vision: 'off' })
    expect(unusedKey).toBe(
      'OPENAI_API_KEY is set and not used: the rules of the install answer. --model openai/NAME or "longtake setup" uses a model; questions, words and frames of the video then go to api.openai.com, at most 120,000 tokens a question (budget.tokens).',
    )
    const prices = ['prices={"openai/gpt-5": {"input": 1, "output": 10}}']
    expect((await choose({ environment: key, set: prices })).unusedKey).toContain(
      '(budget.tokens), 1.20 by your prices',
    )
  })

  test('is not spoken of where a model answers, or the profile was named', async () => {
    const { url } = await ollama()
    expect((await choose({ environment: { ...key, OLLAMA_HOST: url } })).unusedKey).toBeUndefined()
    expect((await choose({ environment: key, set: ['profile=embedded'] })).unusedKey).toBeUndefined()
    expect((await choose({})).unusedKey).toBeUndefined()
    const unreachable = { LONGTAKE_MODEL: 'openai/gpt-5', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    const failed = await choose({ environment: { ...key, ...unreachable } })
    expect(failed).toMatchObject({ unusedKey: undefined, fault: expect.anything() })
  })
})

describe('one server', () => {
  test('fills what it can of profile remote; what it cannot is embedded, which is said', async () => {
    const { url } = await openai(['Qwen/Qwen3-VL-8B-Instruct'])
    const { filled, profile, models } = await choose({ set: ['profile=remote', `server.url=${url}`] })
    expect(filled).toMatchObject({
      planner: 'openai/Qwen/Qwen3-VL-8B-Instruct',
      vision: 'openai/Qwen/Qwen3-VL-8B-Instruct',
      transcribe: 'pocketsphinx',
      listen: 'signal',
      embedText: 'off',
    })
    expect(models.planner.url).toBe(url)
    expect(profile.why).toContain(
      'it has no model for transcribe, retranscribe, listen and embedText, which are embedded',
    )
  })

  test('its models for speech and vectors are used where it has them; its key and model are inherited, what a role says wins', async () => {
    const { url } = await openai(['Qwen/Qwen3-8B', 'whisper-large-v3', 'bge-m3'], 'k')
    const set = [
      'profile=remote',
      `server.url=${url}`,
      'server.model=Qwen/Qwen3-8B',
      'server.apiKeyEnv=MY_KEY',
      'models.judge.model=other',
    ]
    const { filled, models } = await choose({ set, environment: { MY_KEY: 'k' } })
    expect(filled).toMatchObject({
      planner: 'openai/Qwen/Qwen3-8B',
      judge: 'openai/other',
      transcribe: 'openai/whisper-large-v3',
      embedText: 'openai/bge-m3',
      vision: 'off',
    })
    expect(models.transcribe).toMatchObject({ url, apiKeyEnv: 'MY_KEY' })
  })

  test('with profile auto it fills the chat roles', async () => {
    const { url } = await openai(['Qwen/Qwen3-VL-8B-Instruct'])
    const { filled, profile } = await choose({ set: [`server.url=${url}`] })
    expect(filled).toMatchObject({ planner: 'openai/Qwen/Qwen3-VL-8B-Instruct', transcribe: 'pocketsphinx' })
    expect(profile.name).toBe('auto')
  })

  test('is an error where no role asks one', async () => {
    const set = ['profile=embedded', 'server.url=http://127.0.0.1:9/v1']
    await expect(choose({ set })).rejects.toThrow('server.url has no effect')
  })
})
