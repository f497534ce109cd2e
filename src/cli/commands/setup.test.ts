import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { longtake } from '../../../tests/end-to-end/longtake.ts'
import { type HubServer, startHubServer } from '../../../tests/servers/hub-server.ts'
import { type OllamaServer, startOllamaServer } from '../../../tests/servers/ollama-server.ts'
import { type Packed, tarOf, zipOf } from '../../../tests/support/archives.ts'
import { inMemoryRuntime } from '../../../tests/support/command-line.ts'
import { tierNames, tierRoles } from '../../config/tiers.ts'
import type { DoctorReport } from '../../core/runtime.ts'
import { inspectModel } from '../../runtime/models/manager/state.ts'
import { wantedModels } from '../../runtime/models/manager/wanted-models.ts'
import { diskFault, type SetupStep } from '../../runtime/setup/plan.ts'
import type { CommandContext } from '../call.ts'
import { fail } from '../fail.ts'
import { runCommandLine } from '../program.ts'
import { terminal } from '../terminal.ts'

const report: DoctorReport = {
  healthy: true,
  profile: 'local',
  node: 'v20',
  packages: [],
  programs: [],
  roles: [{ role: 'shots', backend: 'frame-difference', state: 'ready', detail: '' }],
  home: { path: '/', free: 1, writable: true },
  sandbox: { walls: [] },
} as unknown as DoctorReport

const quiet = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }

// Every file of every tier, so that any repository has what is asked of it.
async function files(bytes = 2000): Promise<Record<string, Uint8Array>> {
  const found: Record<string, Uint8Array> = {}
  for (const name of tierNames)
    for (const model of await wantedModels(tierRoles(name), quiet))
      for (const file of model.kind === 'hub' ? model.files : [])
        found[file] = Buffer.alloc(file.endsWith('.onnx') ? bytes : 100, file)
  return found
}

let root: string
let hub: HubServer
let ollama: OllamaServer
let environment: Record<string, string | undefined>
let settingsFile: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'longtake-setup-'))
  hub = await startHubServer('*', await files())
  ollama = await startOllamaServer({ models: { 'qwen3:0.6b': ['completion'] } })
  environment = {
    HOME: root,
    XDG_CONFIG_HOME: join(root, 'config'),
    LONGTAKE_HOME: join(root, 'home'),
    HF_HOME: join(root, 'hf'),
    HF_ENDPOINT: hub.url,
    OLLAMA_HOST: ollama.url,
    LONGTAKE_SERVERS: 'off',
  }
  settingsFile = join(root, 'config', 'longtake', 'longtake.config.json')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await hub.close()
  await ollama.close()
  rmSync(root, { recursive: true, force: true })
})

interface Ran {
  code: number
  stdout: string
  stderr: string
}

// The command in this process; with `typed`, at a terminal where this is typed, an answer at a time.
async function run(
  argv: string[],
  {
    typed,
    signal,
    fault,
    healthy = !fault,
  }: { typed?: string[]; signal?: AbortSignal; healthy?: boolean; fault?: DoctorReport['fault'] } = {},
): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const stream = new PassThrough()
  const answers = [...(typed ?? [])]
  const to = (name: 'stdout' | 'stderr') => ({
    isTTY: typed !== undefined,
    columns: 80,
    write(text: string) {
      written[name] += text
    },
  })
  const screen = terminal(to('stdout'), to('stderr'), environment)
  const output = new PassThrough()
  output.on('data', () => {
    const next = answers.shift()
    if (next !== undefined) setImmediate(() => stream.write(next))
  })
  const world: CommandContext = {
    cwd: root,
    environment,
    terminal: screen,
    signal: signal ?? new AbortController().signal,
    createRuntime: async () => inMemoryRuntime({ doctor: async () => ({ ...report, healthy, fault }) }),
    ...(typed && { input: { stream, output, live: true } }),
  }
  const code = await runCommandLine(['setup', ...argv], world).catch(error =>
    fail(error, screen, { debug: false, aborted: signal?.aborted ?? false }),
  )
  return { code, ...written }
}

const settings = () => JSON.parse(readFileSync(settingsFile, 'utf8'))
const fetches = () => hub.asked.filter(({ path }) => path !== 'api')
const pulls = () => ollama.seen.filter(({ path }) => path === '/api/pull')
const write = (content: object) => {
  mkdirSync(dirname(settingsFile), { recursive: true })
  writeFileSync(settingsFile, JSON.stringify(content))
}

describe('longtake setup', () => {
  test('with --dry-run shows the machine, the models with their sizes and what leaves, and changes nothing', async () => {
    const { code, stdout } = await run(['--dry-run', '--tier', '8GB'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/servers +Ollama at 127\.0\.0\.1:\d+: 1 model\n/)
    expect(stdout).toContain('Tier 8GB')
    expect(stdout).toMatch(/Qwen3\.5 4B +about 3\.4 GB +plans, writes, checks, looks/)
    expect(stdout).toMatch(/Whisper small +4\.4 kB +writes down speech/)
    expect(stdout).toContain('nothing but requests for files')
    expect(stdout).toMatch(/PP-OCRv5_mobile_det_onnx +[\d.]+ k?B +reads text on screen\n/)
    expect([fetches(), pulls()]).toEqual([[], []])
    expect(() => settings()).toThrow('ENOENT')
  })

  test('without a terminal and without --yes shows the same and what to run, and changes nothing', async () => {
    const { code, stdout, stderr } = await run(['--tier', '16GB'])
    expect(code).toBe(2)
    expect(stdout).toContain('Tier 16GB')
    expect(stderr).toContain('error: Nothing was done')
    expect(stderr).toContain('longtake setup --yes --tier 16GB')
    expect([fetches(), pulls()]).toEqual([[], []])
    expect(() => settings()).toThrow('ENOENT')
  })

  test('with --yes fetches, writes the settings and runs doctor; once more finds nothing to do, at once', async () => {
    const first = await run(['--yes', '--tier', '8GB'])
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('Tier 8GB')])
    expect(first.stdout).toContain('tier 8GB is set up.')
    expect(first.stdout).toContain('Doctor: 1 roles are ready')
    expect(pulls().map(({ body }) => body)).toMatchObject([{ name: 'qwen3.5:4b' }])
    expect(settings()).toEqual({ profile: 'local' })
    expect(statSync(settingsFile).mode & 0o777).toBe(0o600)
    const [asked, began, written] = [fetches().length, performance.now(), statSync(settingsFile).mtimeMs]
    for (const again of [[], ['--yes'], ['--yes', '--tier', '8GB']]) {
      const { code, stdout } = await run(again)
      expect([code, stdout]).toEqual([0, expect.stringContaining('nothing to do')])
    }
    expect(performance.now() - began).toBeLessThan(2000)
    expect([fetches().length, statSync(settingsFile).mtimeMs]).toEqual([asked, written])
  })

  test('keeps what the user has set, in its order, and replaces only what it wrote itself', async () => {
    const mine = { $schema: './x.json', budget: { steps: 3 }, models: { transcribe: { backend: 'pocketsphinx' } } }
    write(mine)
    const { code, stderr } = await run(['--yes', '--tier', '16GB'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/yours stay +models\.transcribe/)
    const { planner } = tierRoles('16GB')
    expect(settings()).toMatchObject({ ...mine, profile: 'local', models: { ...mine.models, planner } })
    expect(Object.keys(settings()).slice(0, 3)).toEqual(['$schema', 'budget', 'models'])
    expect(settings().models.hear).toBeUndefined() // as profile "local" has it
    await run(['--yes', '--tier', '8GB'])
    expect(settings()).toEqual({ ...mine, profile: 'local' })
    expect(readFileSync(settingsFile, 'utf8')).toBe(`${JSON.stringify(settings(), null, 2)}\n`)
    await run(['--yes', '--tier', 'embedded'])
    expect(settings()).toEqual({ ...mine, profile: 'embedded' })
  })

  test('with --model fetches it where Ollama can, and sets the one word in place of the chat roles of a tier', async () => {
    const { planner, transcribe } = tierRoles('16GB')
    write({ profile: 'local', models: { planner, transcribe } })
    const { code, stdout } = await run(['--yes', '--model', 'ollama/qwen3.5:9b'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('model ollama/qwen3.5:9b is set up')])
    expect(pulls().map(({ body }) => body)).toMatchObject([{ name: 'qwen3.5:9b' }])
    expect(settings()).toEqual({ profile: 'local', models: { transcribe }, model: 'ollama/qwen3.5:9b' })
    expect((await run(['--yes', '--model', 'ollama/qwen3.5:9b'])).stdout).toContain('nothing to do')
    const absent = await run(['--yes', '--model', 'llama-cpp'])
    expect([absent.code, absent.stdout]).toEqual([4, expect.stringContaining('llama-server -m MODEL.gguf')])
    expect(settings().model).toBe('ollama/qwen3.5:9b')
    await run(['--yes', '--tier', 'embedded'])
    expect(settings()).toEqual({ profile: 'embedded' })
  })

  describe('with --from', () => {
    // What a mirror behind a firewall has: the files of two models of the tier, and their checksums.
    async function mirror(change: (files: Packed[]) => void = () => {}, add: (files: Packed[]) => void = () => {}) {
      const { embedText, embedImage } = tierRoles('8GB')
      const packed: Packed[] = []
      for (const model of await wantedModels({ embedText, embedImage }, quiet))
        for (const file of model.kind === 'hub' ? model.files : [])
          packed.push({ name: `./${model.name}/${file}`, content: Buffer.from(`${model.name} ${file}`) })
      add(packed)
      const sums = packed.map(({ name, content }) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
      change(packed)
      const files = [...packed, { name: './SHA256SUMS', content: Buffer.from(sums.join('')) }]
      for (const { name, content } of files) {
        mkdirSync(dirname(join(root, 'mirror', name)), { recursive: true })
        writeFileSync(join(root, 'mirror', name), content)
      }
      writeFileSync(join(root, 'mirror.tar'), tarOf(files))
      writeFileSync(join(root, 'mirror.zip'), zipOf(files))
    }

    test.each(['mirror', 'mirror.tar', 'mirror.zip'])(
      'takes the files of models from %s, and asks no hub',
      async from => {
        await mirror()
        environment.HF_ENDPOINT = 'http://127.0.0.1:9'
        const { code, stdout } = await run(['--yes', '--tier', '8GB', '--from', from])
        expect(fetches()).toEqual([])
        expect(code).toBe(4) // the others are not there
        expect(stdout).toMatch(new RegExp(`SHA256SUMS of (\\S*/)?${from} names no file of onnx-community`))
        const { embedText, embedImage } = tierRoles('8GB')
        for (const model of await wantedModels(
          { embedText, embedImage },
          { ...quiet, environment: environment as never },
        ))
          expect(await inspectModel(model, { ...quiet, environment: environment as never })).toMatchObject({
            state: 'ready',
          })
        expect(settings().models).toMatchObject({ embedText, embedImage })
      },
    )

    test('takes the files of a model that the user has set in place of that of the tier', async () => {
      const mine = { embedText: { backend: 'onnx', model: 'minilm', precision: 'q8' } }
      write({ models: mine })
      const [model] = await wantedModels(mine, quiet)
      if (model?.kind !== 'hub') throw new Error('MiniLM is no model of the hub')
      await mirror(undefined, files => {
        for (const file of model.files)
          files.push({ name: `./${model.name}/${file}`, content: Buffer.from(`${model.name} ${file}`) })
      })
      const { stderr } = await run(['--yes', '--tier', '8GB', '--from', 'mirror'])
      expect(stderr).toMatch(/all-MiniLM-L6-v2 +\d+ B +finds lines by meaning/)
      expect(await inspectModel(model, { ...quiet, environment: environment as never })).toMatchObject({
        state: 'ready',
      })
      expect(settings().models).toMatchObject(mine)
    })

    test('refuses a file that is not the one that its checksum names', async () => {
      await mirror(files => {
        files[0]!.content = Buffer.from('other')
      })
      const { code, stdout } = await run(['--yes', '--tier', '8GB', '--from', 'mirror.tar'])
      expect([code, stdout]).toEqual([4, expect.stringMatching(/has the checksum [0-9a-f]{64} instead of/)])
      expect(settings().models.embedText).toBeDefined()
      expect(settings().models.embedImage).toBeUndefined()
    })

    test('says how to make the list of checksums, and what it takes', async () => {
      mkdirSync(join(root, 'empty'))
      expect((await run(['--yes', '--from', 'empty'])).stderr).toMatch(
        /has no SHA256SUMS[\s\S]*sha256sum \{\} \+ > SHA256SUMS/,
      )
      expect((await run(['--yes', '--from', 'nowhere'])).stderr).toContain('There is no nowhere.')
      writeFileSync(join(root, 'note.txt'), 'hello')
      expect((await run(['--yes', '--from', 'note.txt'])).stderr).toContain('is not a folder, tar, tar.gz or zip')
    })
  })

  test('writes through a link to where the settings really lie, with the mode that they have', async () => {
    const real = join(root, 'dotfiles.json')
    writeFileSync(real, '{}')
    chmodSync(real, 0o644)
    mkdirSync(dirname(settingsFile), { recursive: true })
    symlinkSync(real, settingsFile)
    await run(['--yes', '--tier', 'embedded'])
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ profile: 'embedded' })
    expect(statSync(real).mode & 0o777).toBe(0o644)
  })

  test('stops before anything is fetched where the settings file could be written by others, or is no JSON', async () => {
    write({})
    chmodSync(settingsFile, 0o666)
    const open = await run(['--yes', '--tier', '8GB'])
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('chmod go-w')])
    chmodSync(settingsFile, 0o600)
    writeFileSync(settingsFile, '{ "profile": ')
    const torn = await run(['--yes', '--tier', '8GB'])
    expect([torn.code, torn.stderr]).toEqual([2, expect.stringContaining('is not valid JSON')])
    expect([fetches(), pulls()]).toEqual([[], []])
  })
})

describe('what cannot be done', () => {
  test('without a network is named with the fix and the rest is done; later the same command goes on', async () => {
    environment.HF_ENDPOINT = 'http://127.0.0.1:1'
    const { code, stdout } = await run(['--yes', '--tier', '8GB'])
    expect(code).toBe(4)
    expect(stdout).toContain('tier 8GB is set up in part: 7 of 8 could not be done')
    expect(stdout).toMatch(/Not possible now: Whisper small, .*CLAP.*\n {2}http:\/\/127\.0\.0\.1:1 cannot be reached/)
    expect(stdout).toContain('HF_ENDPOINT')
    expect(settings()).toMatchObject({ profile: 'auto', models: { planner: { model: 'qwen3.5:4b' } } })
    expect(settings().models.transcribe).toBeUndefined()
    environment.HF_ENDPOINT = hub.url
    const later = await run(['--yes'])
    expect([later.code, later.stderr]).toEqual([0, expect.stringContaining('Going on with tier 8GB')])
    expect(settings()).toEqual({ profile: 'local' })
    expect(pulls()).toHaveLength(1)
  })

  test('without Ollama says how to get it, and what was set before stays', async () => {
    write({ profile: 'embedded', model: 'vllm' })
    environment.OLLAMA_HOST = 'http://127.0.0.1:1'
    const { code, stdout } = await run(['--yes', '--tier', '8GB'])
    expect(code).toBe(4)
    expect(stdout).toMatch(/Not possible now: Qwen3\.5 4B\n {2}Ollama at .* does not answer\.\n {2}(Install|Start)/)
    expect(settings()).toMatchObject({
      profile: 'auto',
      model: 'vllm',
      models: { hear: { backend: 'clap' } },
    })
    expect(settings().models.planner).toBeUndefined()
  })

  test('on a machine with nothing ends with what is ready and what would add most', async () => {
    Object.assign(environment, { HF_ENDPOINT: 'http://127.0.0.1:1', OLLAMA_HOST: 'http://127.0.0.1:1' })
    for (const argv of [['--yes'], []]) {
      const { code, stdout } = await run(argv)
      expect(code).toBe(0)
      expect(stdout).toMatch(/servers +none runs here\n +keys +none is set/)
      expect(stdout).toContain('is ready')
      expect(stdout).toContain('What would add most')
    }
    expect(() => settings()).toThrow('ENOENT')
  })

  test('without a network names a key that is set, and how to choose it', async () => {
    Object.assign(environment, { HF_ENDPOINT: 'http://127.0.0.1:1', OLLAMA_HOST: 'http://127.0.0.1:1' })
    environment.OPENAI_API_KEY = 'sk-canary'
    const { code, stdout } = await run(['--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('longtake setup --model openai/NAME')])
    expect(stdout).not.toContain('sk-canary')
  })

  test('in a settings folder that cannot be written says which folder, not that of the data', async () => {
    mkdirSync(join(root, 'config'))
    writeFileSync(join(root, 'config', 'longtake'), 'a file')
    const { code, stderr } = await run(['--yes', '--tier', 'embedded'])
    expect([code, stderr]).toEqual([7, expect.stringContaining('XDG_CONFIG_HOME')])
  })

  test('a model that cannot be asked is no success, whatever the roles say', async () => {
    const fault = { what: 'OpenAI does not answer.', mend: 'Check the network.' }
    environment.OPENAI_API_KEY = 'sk-canary'
    const { code, stdout } = await run(['--yes', '--model', 'openai/gpt-5'], { fault })
    expect(code).toBe(4)
    expect(stdout).toContain('Doctor: OpenAI does not answer.\nCheck the network.')
    expect(stdout).not.toMatch(/roles are ready|Try it/)
  })

  test('on a disk that is too small is said before anything is fetched', async () => {
    const model = { kind: 'hub' as const, name: 'a/b', revision: 'main', files: [], roles: [] }
    const bytes = 1e18
    const step: SetupStep = {
      name: 'a/b',
      what: 'b',
      roles: [],
      state: 'to fetch',
      bytes,
      isExact: true,
      pull: { model, files: [], bytes },
    }
    const host = { ...quiet, environment }
    expect(await diskFault({ steps: [step] }, host)).toMatchObject({
      exitCode: 7,
      message: expect.stringContaining('1000000000.0 GB'),
    })
    expect(
      await diskFault(
        {
          steps: [
            { ...step, bytes: 1e5 },
            { ...step, state: 'here' },
          ],
        },
        host,
      ),
    ).toBeUndefined()
  })

  test('where a model breaks in doctor, the exit code tells', async () => {
    const { code, stdout } = await run(['--yes', '--tier', 'embedded'], { healthy: false })
    expect([code, stdout]).toEqual([4, expect.stringContaining('Not ready')])
  })
})

describe('interrupted', () => {
  test('by Ctrl-C it changes no settings, and goes on where it stopped', async () => {
    await hub.close()
    hub = await startHubServer('*', await files(400_000), { pace: { bytes: 40_000, milliseconds: 5 } })
    environment.HF_ENDPOINT = hub.url
    const stop = new AbortController()
    const stopped = run(['--yes', '--tier', '8GB'], { signal: stop.signal })
    while (fetches().length < 6) await new Promise(resolve => setTimeout(resolve, 5))
    stop.abort(new Error('stopped'))
    expect((await stopped).code).toBe(130)
    expect(() => settings()).toThrow('ENOENT')
    const { code, stderr } = await run(['--yes'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Going on with tier 8GB')])
    expect(settings()).toEqual({ profile: 'local' })
    const models = await wantedModels(tierRoles('8GB'), quiet)
    const all = models.reduce((sum, model) => sum + (model.kind === 'hub' ? model.files.length : 0), 0)
    expect(fetches().length).toBeLessThanOrEqual(all + 1) // only the one that was cut was asked for twice
    expect(pulls()).toHaveLength(1)
  })

  test('by a kill it goes on too', async () => {
    await hub.close()
    hub = await startHubServer('*', await files(60_000), { pace: { bytes: 10_000, milliseconds: 20 } })
    for (const [name, value] of Object.entries({ ...environment, HF_ENDPOINT: hub.url })) vi.stubEnv(name, value)
    const kill = new AbortController()
    const killed = longtake(['setup', '--yes', '--tier', '8GB'], {
      home: environment.LONGTAKE_HOME!,
      cwd: root,
      killOn: kill.signal,
    })
    while (!fetches().some(({ path }) => path.endsWith('.onnx'))) await new Promise(resolve => setTimeout(resolve, 20))
    await new Promise(resolve => setTimeout(resolve, 50))
    kill.abort()
    expect((await killed).code).toBeNull()
    environment.HF_ENDPOINT = hub.url
    const already = fetches().length
    expect((await run(['--yes'])).code).toBe(0)
    expect(fetches()[already]?.range).toMatch(/^bytes=[1-9]\d*-$/)
    expect(settings()).toEqual({ profile: 'local' })
  })
})

describe('what it finds', () => {
  test('a graphics card by nvidia-smi: the tier that fits is taken', async () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'nvidia-smi'), '#!/bin/sh\necho "NVIDIA GeForce RTX 4090, 24564"\n', { mode: 0o755 })
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
    const { stdout } = await run(['--dry-run'])
    expect(stdout).toMatch(/card +NVIDIA GeForce RTX 4090, 24 GiB/)
    expect(stdout).toContain('Tier 24GB')
  })

  test('a key is shown and never taken without having been chosen', async () => {
    environment.OPENAI_API_KEY = 'sk-secret'
    const dry = await run(['--dry-run', '--yes'])
    expect(dry.stdout).toContain('OPENAI_API_KEY (OpenAI)')
    expect(dry.stdout).not.toContain('sk-secret')
    expect(dry.stdout).not.toContain('api.openai.com')
    const chosen = await run(['--dry-run', '--model', 'openai/gpt-5-mini'])
    expect(chosen.stdout).toMatch(/leaves here +questions, .* frames, to api\.openai\.com, at its price/)
    const without = await run(['--yes', '--model', 'gemini/gemini-3-flash'])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('GEMINI_API_KEY')])
  })

  test('--json is one document of known fields, done or not', async () => {
    const Step = z.strictObject({
      name: z.string(),
      what: z.string(),
      roles: z.array(z.string()),
      state: z.enum(['here', 'to fetch', 'cannot']),
      bytes: z.number(),
      isExact: z.boolean(),
      why: z.string().optional(),
      fix: z.string().optional(),
      hosted: z.boolean().optional(),
      fetched: z.boolean().optional(),
    })
    const Document = z.strictObject({
      schemaVersion: z.literal(1),
      machine: z.strictObject({
        cores: z.number(),
        memory: z.number(),
        cards: z.array(z.strictObject({ name: z.string(), memory: z.number() })),
        disk: z.strictObject({ folder: z.string(), free: z.number() }),
        servers: z.array(z.looseObject({ server: z.string(), url: z.string(), models: z.array(z.string()) })),
        keys: z.array(z.strictObject({ provider: z.string(), title: z.string(), variable: z.string() })),
        hub: z.strictObject({ address: z.string(), fault: z.string().optional() }),
      }),
      choice: z.strictObject({ tier: z.string().optional(), model: z.string().optional() }),
      bytes: z.number(),
      steps: z.array(Step),
      kept: z.array(z.string()),
      leaves: z.string(),
      done: z.boolean(),
      settings: z.strictObject({ file: z.string(), changed: z.boolean() }).optional(),
      doctor: z.looseObject({ healthy: z.boolean() }).optional(),
    })
    const dry = Document.parse(JSON.parse((await run(['--json', '--dry-run', '--tier', '8GB'])).stdout))
    expect([dry.done, dry.steps.length, dry.settings]).toEqual([false, 8, undefined])
    const refused = await run(['--json', '--tier', '8GB'])
    expect([refused.code, Document.parse(JSON.parse(refused.stdout)).done]).toEqual([2, false])
    const done = Document.parse(JSON.parse((await run(['--json', '--yes', '--model', 'ollama/qwen3:8b'])).stdout))
    expect([done.done, done.settings]).toEqual([true, { file: settingsFile, changed: true }])
    expect(done.steps.every(({ fetched }) => fetched)).toBe(true)
  })
})

describe('at a terminal', () => {
  test('it offers what fits first, says what leaves, asks once more, and does it', async () => {
    environment.OPENAI_API_KEY = 'sk-secret'
    const { code, stdout, stderr } = await run([], { typed: ['9\n', '\n', 'y\n'] })
    expect(stderr).toMatch(/1 +(8|16|24|80)GB +Qwen3\.5 4B, Whisper small and others +[\d.]+ GB\n/)
    expect(stderr).toMatch(/openai +OpenAI: questions, words, frames leave here/)
    expect(stderr).toContain('"9" is not one of 1 to')
    expect([code, stdout]).toEqual([0, expect.stringContaining('is set up')])
    expect(settings()).toEqual({ profile: 'local' })
  })

  test('q, no and the end of the terminal change nothing', async () => {
    for (const typed of [['q\n'], ['1\n', 'n\n']]) {
      const { code, stderr } = await run([], { typed })
      expect([code, stderr]).toEqual([130, expect.stringContaining('Nothing was changed')])
    }
    expect([fetches(), pulls()]).toEqual([[], []])
    expect(() => settings()).toThrow('ENOENT')
  })
})
