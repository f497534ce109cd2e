import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { closeAll, closeLater } from '../servers/host.ts'
import { startOllamaServer } from '../servers/ollama-server.ts'
import { startOpenaiServer } from '../servers/openai-server.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { renderTownStart } from './town-video.ts'

let folder: string
let video: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-word-'))
  video = join(folder, 'town.mp4')
  await renderTownStart(video)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(closeAll)

const home = () => join(folder, 'home')
const quick = ['--set', 'index.level=quick', '--set', 'index.tracks.speech=false']
const said = ['READY', 'Adults pay 12.', '{"verdict":"supported","reason":"the slide"}']

function line(environment: NodeJS.ProcessEnv): CommandLine {
  return commandLine(createRuntime as Parameters<typeof commandLine>[0], { LONGTAKE_HOME: home(), ...environment })
}

test('an address alone answers; its run replays without the server, whatever the variables say by then', async () => {
  const server = await startOpenaiServer({ models: ['Qwen/Qwen3-VL-8B-Instruct'] })
  server.script.say(...said)
  const asked = await line({}).run('ask', video, 'How much do adults pay?', '--model', server.url, '--json', ...quick)
  await server.close()
  const { run, why } = JSON.parse(asked.stdout)
  expect(asked.stderr).toContain('vllm/Qwen/Qwen3-VL-8B-Instruct plans, writes, checks, judges and looks')
  expect(why).toContain('vllm/Qwen/Qwen3-VL-8B-Instruct plans')
  expect(server.seen.some(({ path }) => path === '/v1/chat/completions')).toBe(true)
  expect(server.complaints.filter(one => !one.startsWith('Not Found: GET'))).toEqual([]) // other servers' lists
  const kept = JSON.parse(readFileSync(join(run, 'config.json'), 'utf8'))
  expect(kept.models.planner).toMatchObject({ backend: 'openai', model: 'Qwen/Qwen3-VL-8B-Instruct', url: server.url })

  const name = run.split('/').at(-1)
  const later = line({ LONGTAKE_MODEL: 'ollama/gone', OLLAMA_HOST: '127.0.0.1:9' })
  const again = await later.run('ask', '--replay', name, '--json')
  expect(again.stderr).not.toContain('differs')
  expect(JSON.parse(again.stdout).answer).toEqual(JSON.parse(asked.stdout).answer)
  const refused = await later.run('ask', '--resume', name, '--model', 'vllm')
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('resumes with the models that it started with'),
  })
})

test('a running Ollama answers without a word, and the same run replays without it', async () => {
  const server = await startOllamaServer({ models: { 'qwen3-vl:8b': ['completion', 'vision', 'tools'] } })
  server.script.say(...said)
  const environment = { OLLAMA_HOST: server.url, HF_HUB_CACHE: folder }
  const asked = await line(environment).run('ask', video, 'How much do adults pay?', '--json', ...quick)
  await server.close()
  expect(asked.stderr).toContain('Profile auto: ollama/qwen3-vl:8b')
  const document = JSON.parse(asked.stdout)
  expect(document.profile).toBe('auto')
  const again = await line(environment).run('ask', '--replay', document.run.split('/').at(-1), '--json')
  expect(again.stderr).not.toContain('differs')
  expect(JSON.parse(again.stdout).answer).toEqual(document.answer)
})

test('the library takes the same word', async () => {
  const { url } = closeLater(await startOllamaServer({ models: { 'gemma3:4b': ['completion', 'vision'] } }))
  const settings = { profile: 'embedded', index: { level: 'quick', tracks: { speech: false } } }
  await using opened = await open(video, {
    model: 'ollama/gemma3:4b',
    settings,
    home: home(),
    environment: { OLLAMA_HOST: url },
  })
  expect(opened.profile.why).toContain('ollama/gemma3:4b plans, writes')
})

test('a key in the environment is named once, on stderr, and is not used', async () => {
  const { code, stderr } = await line({ OPENAI_API_KEY: 'sk-canary', HF_HUB_CACHE: folder }).run(
    'ask',
    video,
    'What is the room number?',
    ...quick,
  )
  expect(code).toBe(0)
  expect(stderr.match(/OPENAI_API_KEY is set and not used/g)).toHaveLength(1)
  expect(stderr).not.toContain('sk-canary')
})
