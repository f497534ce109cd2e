import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../core/errors.ts'
import { isSelfContained, roles } from '../../runtime/models/role-families.ts'
import { type Outline, outline } from '../outline.ts'
import { type ConfigSources, resolveConfig } from '../resolve.ts'
import { setAt, settingAt, type Tree } from '../tree.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-found-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const place = (...names: string[]) => join(folder, ...names)
const resolve = (sources: Partial<ConfigSources> = {}) =>
  resolveConfig({ cwd: folder, environment: {}, selfContained: isSelfContained, ...sources })

function settings(content: unknown, ...names: string[]): string {
  const path = place(...(names.length > 0 ? names : ['longtake.config.json']))
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
  return path
}

const asRoot = process.getuid?.() === 0

describe('a settings file that was found and not named', () => {
  test('sets what is taste', async () => {
    settings({ profile: 'embedded', index: { level: 'quick' }, budget: { steps: 3 }, policy: { verifier: false } })
    const { settings: found, notices } = await resolve()
    expect(found).toMatchObject({ profile: 'embedded', index: { level: 'quick' }, budget: { steps: 3 } })
    expect(found.policy.verifier).toBe(false)
    expect(notices).toEqual([])
  })

  test('a value that cannot be a text is withheld or named like any other', async () => {
    for (const odd of [{ toString: 1 }, [{ toString: 1 }]]) {
      settings({ profile: odd })
      expect((await resolve()).settings.profile).toBe('auto')
      settings({ index: { level: odd } })
      await resolve().catch(error => expect(error).toBeInstanceOf(UsageError))
      await expect(resolve({ file: settings({ profile: odd }, 'named.json'), search: false })).rejects.toThrow(
        'Unknown profile',
      )
    }
  })

  test('every setting that the schema does not mark is withheld, whatever its section', async () => {
    const marked: string[] = []
    for (const { path, at } of settable(outline(), [])) {
      const values: Tree = {}
      setAt(values, path, sampleOf(at), 'test')
      settings(values)
      const { origins, notices } = await resolve({ selfContained: async () => false })
      const name = path.join('.')
      const set = [...origins].some(([known, origin]) => origin.layer === 'file' && known.startsWith(name))
      if (set) marked.push(name)
      else expect(notices.join(), name).toContain(name)
    }
    const sections = ['index', 'budget', 'policy', 'answer', 'seek', 'windows', 'output']
    expect(marked.filter(name => !sections.includes(name.split('.')[0]!))).toEqual([])
    expect(marked).toContain('index.stillWidth')
  })

  test.each([
    { models: { writer: { backend: 'langchain', module: 'data:text/javascript,export default {}' } } },
    { models: { planner: { backend: 'openai', url: 'http://127.0.0.1:9/v1', apiKeyEnv: 'AWS_SECRET_ACCESS_KEY' } } },
    { models: { planner: 'ollama' } },
    { models: { readText: { backend: 'vlm', chat: { backend: 'langchain', module: './x.mjs' } } } },
    { models: { writer: { fromEnvironment: { key: 'HOME' } } } },
    { models: { voice: { backend: 'silero', model: '/etc/passwd' } } },
    { models: { embedText: { revision: '../../..' } } },
    { profile: 'remote' },
    { prices: { openai: { input: 0, output: 0 } } },
    { graph: 'single-pass' },
    { permissions: { code: true } },
    { tools: { servers: { notes: { command: 'anything' } } } },
    { tools: { files: ['tool.mjs'] } },
    { tools: { web: { provider: 'searxng', url: 'http://127.0.0.1:9' } } },
  ])('is withheld %j', async values => {
    const path = settings(values)
    const { settings: used, notices } = await resolve()
    expect(used).toEqual((await resolve({ search: false })).settings)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain(path)
    expect(notices[0]).toContain(`--config ${path}`)
  })

  test("lowers every limit of the schema, and raises none above the user's own or the default", async () => {
    mkdirSync(place('work'), { mode: 0o700 })
    const limits = [...settable(outline(), [])].filter(({ at }) => at['x-found'] === 'lower')
    expect(limits.map(({ path }) => path.join('.'))).toEqual(
      expect.arrayContaining([
        'budget.money',
        'index.overviewBudget.money',
        'index.captions.budget.calls',
        'index.stills',
      ]),
    )
    for (const { path, at } of limits) {
      const name = path.join('.')
      const [less, more] = at.enum ? [at.enum.at(-1), at.enum[0]] : [at.minimum || 1, (at.minimum || 1) + 1]
      const own = [settings(nested(path, less), 'own.json')]
      const found = (value: unknown) => settings(nested(path, value), 'work', 'longtake.config.json')
      found(more)
      const raised = await resolve({ cwd: place('work'), own })
      expect(settingAt(raised.settings, path), name).toEqual(less)
      expect(raised.notices.join(), name).toContain(`${name} stays ${JSON.stringify(less)}`)
      found(less)
      const lowered = await resolve({ cwd: place('work'), own: [settings(nested(path, more), 'own.json')] })
      expect(settingAt(lowered.settings, path), name).toEqual(less)
      expect(lowered.notices).toEqual([])
    }
  })

  test("raises nothing above what the user's own effort or profile stands for, wherever it was chosen", async () => {
    mkdirSync(place('work'), { mode: 0o700 })
    settings({ budget: { tokens: 120_000, seconds: 300 } }, 'work', 'longtake.config.json')
    const low = { own: [settings({ effort: 'low' }, 'own.json')] }
    for (const more of [low, { flags: { named: [{ path: 'effort', text: 'low', flag: '--effort' }] } }]) {
      const { settings: used, notices } = await resolve({ cwd: place('work'), ...more })
      expect(used.budget).toMatchObject({ tokens: 60_000, seconds: 120 })
      expect(notices.join()).toContain('budget.tokens stays 60000')
    }
    settings({ index: { stillsPerSecond: 2 } }, 'work', 'longtake.config.json')
    const { settings: used } = await resolve({ cwd: place('work'), own: [settings({ profile: 'paper' }, 'own.json')] })
    expect(used.index.stillsPerSecond).toBe(1)
  })

  test('every number that a found file may set is a limit that it can only lower, but for shares', async () => {
    const numbers = [...settable(outline(), [])].filter(({ at }) =>
      [at, ...(at.anyOf ?? [])].some(({ type }) => type === 'number' || type === 'integer'),
    )
    const free = numbers.filter(({ at }) => at['x-found'] === true && at.maximum !== 1)
    expect(free.map(({ path }) => path.join('.'))).toEqual([])
  })

  test('does not switch off the limits of a question, nor raise the default', async () => {
    settings({ budget: { money: 5000, seconds: 1_000_000, tokens: 1e12 }, policy: { budgets: false } })
    const { settings: used, notices } = await resolve()
    expect(used.budget).toMatchObject({ seconds: 300, tokens: 120_000 })
    expect(used.policy.budgets).toBe(true)
    expect(notices.join()).toMatch(/policy\.budgets.*\n?.*budget\.seconds stays 300, budget\.tokens stays 120000/s)
  })

  test('chooses backends by name, of those that say that they are self-contained', async () => {
    settings({ models: { voice: 'energy', shots: { backend: 'fixed' }, hear: 'off', writer: 'openai' } })
    const { settings: used, notices } = await resolve()
    expect(used.models).toMatchObject({
      voice: { backend: 'energy' },
      shots: { backend: 'fixed' },
      hear: { backend: 'off' },
      writer: { backend: 'rules' },
    })
    expect(notices.join()).toMatch(/: models\.writer\. To allow/)
  })

  test('no backend that asks a server, loads code or reads what its settings name is self-contained', async () => {
    const chosen = new Set<string>()
    for (const [role, load] of Object.entries(roles))
      for (const name of (await load()).names) if (await isSelfContained(role, name)) chosen.add(name)
    for (const name of ['openai', 'ollama', 'langchain', 'onnx', 'recorded', 'scripted', 'vlm', 'whisper', 'chat'])
      expect(chosen).not.toContain(name)
    expect(chosen).toContain('rules')
    expect(await isSelfContained('__proto__', 'rules')).toBe(false)
    expect(await isSelfContained('writer', 'constructor')).toBe(false)
  })

  test('names that no setting has are an error, as in a file that was named', async () => {
    settings({ indx: { level: 'quick' } })
    await expect(resolve()).rejects.toThrow(/Unknown setting "indx"/)
    writeFileSync(place('longtake.config.json'), '{"index":{"__proto__":{"level":"quick"}}}')
    await expect(resolve()).rejects.toThrow(UsageError)
  })

  test('a file that others can write, or in a folder that others can write, is ignored with the way to use it', async () => {
    const path = settings({ index: { level: 'quick' } })
    for (const [target, open, closed] of [
      [path, 0o666, 0o600],
      [path, 0o620, 0o600],
      [folder, 0o777, 0o700],
    ] as const) {
      if (open === 0o620 && process.getgid?.() === process.getuid?.()) continue // the user's own group has no other members
      chmodSync(target, open)
      const { settings: used, notices, file } = await resolve()
      expect(used.index.level).toBe('balanced')
      expect(file).toBeUndefined()
      expect(notices.join()).toMatch(/is ignored: other users can write .*--config/)
      chmodSync(target, closed)
    }
    expect((await resolve()).settings.index.level).toBe('quick')
  })

  test.skipIf(!asRoot)('a file or folder of another user is ignored (needs root to make one)', async () => {
    const path = settings({ index: { level: 'quick' } })
    for (const target of [path, folder]) {
      chownSync(target, 65534, 65534)
      expect((await resolve()).settings.index.level).toBe('balanced')
      expect((await resolve()).notices.join()).toContain('belongs to another user (uid 65534)')
      chownSync(target, 0, 0)
    }
  })

  test('in a parent it has no more power, and the nearest one alone counts', async () => {
    settings({ budget: { steps: 9 }, permissions: { network: true } })
    mkdirSync(place('a', 'b'), { recursive: true, mode: 0o700 })
    const { settings: used, notices } = await resolve({ cwd: place('a', 'b') })
    expect(used.budget.steps).toBe(9)
    expect(used.permissions.network).toBe(false)
    expect(notices).toHaveLength(1)
    settings({ permissions: { network: true } }, 'a', 'longtake.config.json')
    expect((await resolve({ cwd: place('a', 'b') })).settings.budget.steps).toBe(12)
  })

  test('hostile names stand quoted in the notice, and a long list is cut', async () => {
    const hostile = '\u001b[2J\u202e.evil'
    settings({
      tools: {
        servers: Object.fromEntries([hostile, 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(name => [name, { command: 'x' }])),
      },
    })
    const [notice] = (await resolve()).notices
    expect(notice).toContain('and 2 more')
    expect(notice).not.toContain('\u001b')
  })

  test('a file of many megabytes is refused, and one that cannot be read is an error with its name', async () => {
    writeFileSync(place('longtake.config.json'), `{"a":"${'x'.repeat(2_000_000)}"}`)
    await expect(resolve()).rejects.toThrow(/2000008 bytes, the max is/)
  })
})

describe('settings that have power', () => {
  const powers = {
    permissions: { network: true },
    models: { planner: { backend: 'openai', url: 'http://127.0.0.1:9/v1' } },
  }

  test('come from a file that was named', async () => {
    const { settings: used, notices } = await resolve({ file: settings(powers) })
    expect(used.permissions.network).toBe(true)
    expect(used.models.planner.backend).toBe('openai')
    expect(notices).toEqual([])
  })

  test("come from the user's own files, the last of which wins; a found file lies over them with its taste alone", async () => {
    mkdirSync(place('work'), { mode: 0o700 })
    const own = [
      settings(powers, 'one.json'),
      settings({ permissions: { network: false }, budget: { steps: 5 } }, 'two.json'),
    ]
    settings({ budget: { steps: 4 }, permissions: { code: true } }, 'work', 'longtake.config.json')
    const { settings: used, origins, notices } = await resolve({ cwd: place('work'), own })
    expect(used.permissions).toEqual({ network: false, code: false, servers: false })
    expect(used.models.planner.backend).toBe('openai')
    expect(origins.get('models.planner.url')?.place).toBe(own[0])
    expect(used.budget.steps).toBe(4)
    expect(notices[0]).toContain(`your own settings (${own[0]})`)
  })

  test("the user's own file that is met on the way up stays their own, also through a link", async () => {
    const path = settings(powers)
    expect((await resolve({ own: [path] })).settings.permissions.network).toBe(true)
    symlinkSync(path, place('link.json'))
    expect((await resolve({ own: [place('link.json')] })).notices).toEqual([])
  })

  test("the user's own file is not read while others can write it", async () => {
    const path = settings(powers, 'own.json')
    chmodSync(path, 0o666)
    await expect(resolve({ own: [path] })).rejects.toThrow(/is not read: other users can write/)
  })
})

function nested(path: string[], value: unknown): Tree {
  const values: Tree = {}
  setAt(values, path, value, 'test')
  return values
}

function* settable(at: Outline, path: string[]): Generator<{ path: string[]; at: Outline }> {
  for (const [key, below] of Object.entries(at.properties ?? {})) {
    if (below.properties) {
      yield* settable(below, [...path, key])
      if (below.additionalProperties !== false) yield { path: [...path, key, 'anything'], at: { type: 'string' } }
    } else if (typeof below.additionalProperties === 'object')
      yield { path: [...path, key, 'anything'], at: { type: 'string' } }
    else yield { path: [...path, key], at: below }
  }
}

// A value that the schema accepts, other than the default where that shows more.
function sampleOf(at: Outline): unknown {
  if (at.enum) return at.enum.at(-1)
  if (at.anyOf) return sampleOf(at.anyOf.at(-1) as Outline)
  if (at.type === 'boolean') return at.default !== true
  if (at.type === 'array') return ['x']
  if (at.type === 'string') return 'http://127.0.0.1:9'
  return Math.max(at.minimum ?? 1, 1)
}
