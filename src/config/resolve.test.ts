import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../core/errors.ts'
import { type ConfigSources, resolveConfig, withChosen } from './resolve.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-config-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const resolve = (sources: Partial<ConfigSources> = {}) => resolveConfig({ cwd: folder, environment: {}, ...sources })
const set = (...assignments: string[]) => resolve({ flags: { set: assignments } })

function file(content: unknown, name = 'settings.json'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function complaint(work: Promise<unknown>): Promise<{ message: string; hint: string }> {
  const error = await work.then(
    () => undefined,
    thrown => thrown,
  )
  expect(error).toBeInstanceOf(UsageError)
  return { message: error.message, hint: error.hint ?? '' }
}

describe('the layers of settings', () => {
  test('each layer wins over those below it, and every value knows where it comes from', async () => {
    const path = file({
      $schema: './any.json',
      index: { stillWidth: 320, subtitles: 'ignore' },
      budget: { steps: 3, frames: 4 },
    })
    const { settings, origins } = await resolve({
      file: path,
      environment: { LONGTAKE_BUDGET__STEPS: '5', LONGTAKE_BUDGET__FRAMES: '6' },
      flags: { set: ['budget.frames=7'] },
    })
    expect(settings.index.stillWidth).toBe(320)
    expect(settings.budget).toEqual({ steps: 5, frames: 7, tokens: 120_000, seconds: 300 })
    expect(origins.get('index.stillWidth')).toEqual({ layer: 'file', place: path })
    expect(origins.get('budget.steps')).toEqual({ layer: 'environment', place: 'LONGTAKE_BUDGET__STEPS' })
    expect(origins.get('budget.frames')).toEqual({ layer: 'flag', place: '--set budget.frames' })
    expect(origins.get('budget.seconds')?.layer).toBe('default')
    expect(origins.get('models.transcribe.backend')?.layer).toBe('profile')
  })

  test('without anything set, auto stays auto and every role has the backend that needs only the install', async () => {
    const { settings } = await resolve()
    expect(settings.profile).toBe('auto')
    expect(settings.models.planner).toEqual({ backend: 'rules' })
    expect(settings.models.embedText).toEqual({ backend: 'off' })
    expect(settings.permissions).toEqual({ network: false, code: false, servers: false })
  })

  test('a settings file is found in a parent of the working folder', async () => {
    const parent = mkdtempSync(join(folder, 'parent-'))
    const below = join(parent, 'a', 'b')
    mkdirSync(below, { recursive: true })
    const path = join(parent, 'longtake.config.json')
    writeFileSync(path, '\uFEFF{"profile":"embedded"}')
    const config = await resolve({ cwd: below })
    expect(config.file).toBe(path)
    expect(config.settings.profile).toBe('embedded')
  })

  test('variables that name no setting are left to others, and an empty one counts as unset', async () => {
    const { settings } = await resolve({
      environment: { LONGTAKE_HOME: '/x', LONGTAKE_FFMPEG: '/y', LONGTAKE_PROFILE: '', LONGTAKE_INDEX__LEVEL: '' },
    })
    expect(settings.profile).toBe('auto')
  })

  test('a variable finds a setting of several words, and a backend setting becomes camel case', async () => {
    const { settings } = await resolve({
      environment: { LONGTAKE_MODELS__READ_TEXT__BACKEND: 'other', LONGTAKE_MODELS__READTEXT__PAGE_MODE: '6' },
    })
    expect(settings.models.readText).toEqual({ backend: 'other', pageMode: 6 })
  })

  test('values are read as JSON where they are JSON, and text where the setting is text', async () => {
    const { settings } = await set(
      'models.planner.backend=42',
      'models.planner.stop=["a","b"]',
      'models.planner.name=a=b',
      'index.tracks.sound=off',
    )
    expect(settings.models.planner).toEqual({ backend: '42', stop: ['a', 'b'], name: 'a=b' })
    expect(settings.index.tracks.sound).toBe(false)
    expect((await set('models.hear=off', 'policy.noveltyGuard=off')).settings).toMatchObject({
      models: { hear: { backend: 'off' } },
      policy: { noveltyGuard: false },
    })
  })
})

test('settings of policies that were removed are left out, and said in a line', async () => {
  const { settings, notices } = await set('policy.secondLook=off', 'policy.ratedBySight=all', 'policy.noveltyGuard=off')
  expect(settings.policy.noveltyGuard).toBe(false)
  expect(notices).toEqual([
    expect.stringMatching(
      /^Settings that were removed have no effect in --set policy.secondLook: policy.secondLook \(/,
    ),
  ])
  const old = await set(
    'policy.relevanceFilter=on',
    'models.rerank.backend=cross-encoder',
    'models.rerank.model=mmarco',
  )
  expect(old.settings.models).not.toHaveProperty('rerank')
  expect(old.notices).toEqual([
    expect.stringMatching(/: policy\.relevanceFilter \(it changed no answer\), models\.rerank \(it went with /),
  ])
  await expect(set('policy.thirdLook=off')).rejects.toThrow(/Unknown setting "policy.thirdLook"/)
})

describe('profiles and sets', () => {
  test('a backend that is named anew does not inherit the settings of the one it replaces', async () => {
    const { settings, origins } = await set('profile=local', 'models.transcribe.backend=pocketsphinx')
    expect(settings.models.transcribe).toEqual({ backend: 'pocketsphinx' })
    expect(origins.has('models.transcribe.model')).toBe(false)
    expect(settings.models.retranscribe).toMatchObject({ backend: 'whisper', model: 'large-v3-turbo' })
  })

  test('a setting of a backend goes on top of what the profile says', async () => {
    const { settings } = await set('profile=local', 'models.planner.model=other:8b')
    expect(settings.models.planner).toEqual({ backend: 'ollama', model: 'other:8b', think: false })
  })

  test('a role may be given as the name of its backend alone', async () => {
    const { settings } = await resolve({
      file: file({ profile: 'local', models: { transcribe: 'pocketsphinx', detect: 'off' } }),
    })
    expect(settings.models.transcribe).toEqual({ backend: 'pocketsphinx' })
  })

  test('the profile that auto chose lies below what was set', async () => {
    const config = withChosen(await set('models.planner.backend=rules'), { name: 'local', why: '' })
    expect(config.settings.profile).toBe('local')
    expect(config.settings.models.planner).toEqual({ backend: 'rules' })
    expect(config.settings.models.embedImage.backend).toBe('siglip')
    expect(config.origins.get('profile')?.place).toBe('auto')
  })

  test('a set of stills sets what it stands for, and single values win over it', async () => {
    const { settings, origins } = await set('index.stills=few', 'index.stillWidth=640')
    expect(settings.index).toMatchObject({ stills: 'few', stillsPerSecond: 1, stillWidth: 640 })
    expect(origins.get('index.stillsPerSecond')).toEqual({ layer: 'stills', place: 'index.stills few' })
  })
})

describe('what is wrong is named with its place and what is allowed', () => {
  test('an unknown setting in a file', async () => {
    const path = file({ index: { levl: 'quick' } })
    const { message, hint } = await complaint(resolve({ file: path }))
    expect(message).toBe(`Unknown setting "index.levl" in ${path}.`)
    expect(hint).toMatch(/^Did you mean "index.level"\? Settings of index: level, stills, stillsPerSecond/)
  })

  test('an unknown section and an unknown role', async () => {
    expect((await complaint(set('indx.level=quick'))).message).toBe('Unknown setting "indx" in --set indx.level.')
    expect((await complaint(set('models.plannr.backend=rules'))).hint).toMatch(/Did you mean "models.planner"/)
  })

  test('a variable with an unknown name', async () => {
    const { message, hint } = await complaint(resolve({ environment: { LONGTAKE_BUDGET__STEP: '3' } }))
    expect(message).toBe('Unknown setting "budget.step" in LONGTAKE_BUDGET__STEP.')
    expect(hint).toContain('Did you mean "budget.steps"?')
  })

  test('a word that is not one of the allowed ones', async () => {
    const { message, hint } = await complaint(set('index.level=fast'))
    expect(message).toBe('index.level is "fast" in --set index.level: not one of the allowed values.')
    expect(hint).toBe('Choose one of: thorough, balanced, quick.')
    expect((await complaint(set('index.level=quik'))).hint).toMatch(/^Did you mean "quick"\?/)
  })

  test('a value of the wrong kind or out of range', async () => {
    expect((await complaint(set('index.stillWidth=wide'))).message).toBe(
      'index.stillWidth is "wide" in --set index.stillWidth: expected a number.',
    )
    expect((await complaint(set('index.stillsPerSecond=0'))).message).toContain('must be more than 0')
    expect((await complaint(set('budget.steps=2.5'))).message).toContain('expected a whole number')
    expect((await complaint(set('permissions.code=maybe'))).message).toContain('expected true or false')
    expect((await complaint(set('index=5'))).message).toContain('index is 5 in --set index: expected an object')
  })

  test('an unknown profile, wherever it was set', async () => {
    const { message, hint } = await complaint(resolve({ environment: { LONGTAKE_PROFILE: 'embeded' } }))
    expect(message).toBe('Unknown profile "embeded" in LONGTAKE_PROFILE.')
    expect(hint).toMatch(/^Did you mean "embedded"\? Choose one of: auto, embedded, local, onnx, paper, remote\.$/)
  })

  test('shots cannot be off', async () => {
    expect((await complaint(set('models.shots.backend=off'))).message).toBe(
      'models.shots.backend is "off" in --set models.shots.backend: cannot be off.',
    )
  })

  test('a settings file that is missing, torn, or no object', async () => {
    expect((await complaint(resolve({ file: 'nowhere.json' }))).message).toContain('nowhere.json')
    expect((await complaint(resolve({ file: file('{"index": ', 'torn.json') }))).message).toContain(
      'torn.json is not valid JSON',
    )
    expect((await complaint(resolve({ file: file('[]', 'list.json') }))).message).toContain('must hold one JSON object')
  })

  test('an assignment that assigns nothing', async () => {
    expect((await complaint(set('index.level'))).message).toBe('--set "index.level" sets nothing.')
    expect((await complaint(set('=quick'))).message).toContain('sets nothing')
  })

  test('names that reach into JavaScript itself are refused from every layer', async () => {
    for (const work of [
      () => set('models.__proto__.backend=x'),
      () => set('policy.constructor=true'),
      () => resolve({ file: file('{"policy":{"__proto__":{"polluted":true}}}', 'proto.json') }),
      () => resolve({ environment: { LONGTAKE_POLICY__CONSTRUCTOR: 'true' } }),
    ])
      expect((await complaint(Promise.resolve().then(work))).message).toContain('cannot be the name of a setting')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('the cluster', () => {
  test('the short variables win over a file, and a flag over them', async () => {
    const path = file({ cluster: { database: 'postgres://file/x', store: '/file', heartbeat: 30 } })
    const environment = { LONGTAKE_CLUSTER: 'postgres://shell/x', LONGTAKE_STORE: 's3://bucket/x' }
    const { settings, origins } = await resolve({ file: path, environment, flags: { set: ['cluster.store=/flag'] } })
    expect(settings.cluster).toMatchObject({ database: 'postgres://shell/x', store: '/flag', heartbeat: 30 })
    expect(origins.get('cluster.database')?.place).toBe('LONGTAKE_CLUSTER')
  })

  test('an address that is none is refused without its password; a relative store is refused', async () => {
    const { message } = await complaint(resolve({ environment: { LONGTAKE_CLUSTER: 'mysql://u:hunter2@db/x' } }))
    expect(message).toContain('mysql://[redacted]@db/x')
    expect(message).not.toContain('hunter2')
    const store = await complaint(resolve({ environment: { LONGTAKE_STORE: 'store' } }))
    expect(store.message).toContain('must be an absolute path or s3://BUCKET/PREFIX')
    await complaint(set('cluster.cache=120%'))
    await complaint(set('cluster.roots={"talks":"talks"}'))
  })

  test('without one it is not set', async () => {
    expect((await resolve()).settings.cluster).toEqual({ roots: {}, cache: '20%', limits: {}, heartbeat: 60 })
  })
})
