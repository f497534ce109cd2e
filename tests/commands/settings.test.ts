import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DoctorReport } from '../../src/core/runtime.ts'
import { commandLine, inMemoryRuntime } from '../support/command-line.ts'

describe('config show', () => {
  test('--origin names the place of every value', async () => {
    const line = commandLine({}, { LONGTAKE_BUDGET__STEPS: '4' })
    const file = join(line.cwd, 'longtake.config.json')
    writeFileSync(file, '{ "index": { "subtitles": "ignore" } }')
    const { stdout } = await line.run('config', 'show', '--origin', '--set', 'permissions.code=true')
    const place = (name: string) =>
      stdout
        .split('\n')
        .find(text => text.startsWith(`${name} `))
        ?.split(/ {2,}/)
    expect(place('index.subtitles')).toEqual(['index.subtitles', 'ignore', file])
    expect(place('budget.steps')).toEqual(['budget.steps', '4', 'LONGTAKE_BUDGET__STEPS'])
    expect(place('permissions.code')).toEqual(['permissions.code', 'true', '--set permissions.code'])
    expect(place('budget.tokens')).toEqual(['budget.tokens', '120000', 'default'])
    const document = JSON.parse((await line.run('config', 'show', '--origin', '--json')).stdout)
    expect(document).toMatchObject({
      schemaVersion: 1,
      file,
      settings: { budget: { steps: 4 } },
      origins: { 'index.subtitles': file },
    })
  })

  test('keys and passwords are not shown', async () => {
    const secret = [
      '--set',
      'models.planner.apiKey=abc-very-secret',
      '--set',
      'models.planner.url=https://me:abc-very-secret@host/v1',
    ]
    for (const form of [[], ['--json']]) {
      const { stdout } = await commandLine().run('config', 'show', '--origin', ...secret, ...form)
      expect(stdout).toContain('models')
      expect(stdout).not.toContain('abc-very-secret')
    }
  })
})

describe('config get, set and unset', () => {
  const open = () => {
    const folder = mkdtempSync(join(tmpdir(), 'longtake-config-'))
    return { line: commandLine({}, { XDG_CONFIG_HOME: folder }), file: join(folder, 'longtake/longtake.config.json') }
  }

  test('write the file of the user, and what is written counts', async () => {
    const { line, file } = open()
    const { code, stdout } = await line.run('config', 'set', 'index.level', 'quick')
    expect([code, stdout]).toEqual([0, `index.level is set in ${file}.\n`])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ index: { level: 'quick' } })
    expect((await line.run('config', 'get', 'index.level')).stdout).toBe('quick\n')
    expect(JSON.parse((await line.run('config', 'get', 'index.level', '--json')).stdout).origin).toBe(file)
    expect((await line.run('config', 'get', 'index')).stdout).toMatch(/^index\.level +quick$/m)
    expect((await line.run('config', 'unset', 'index.level')).stdout).toContain('no longer set')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({})
    expect((await line.run('config', 'get', 'index.level')).stdout).toBe('balanced\n')
  })

  test('refuse what is wrong, and write nothing', async () => {
    const { line, file } = open()
    for (const [words, message] of [
      ['set index.levl quick', 'Did you mean "index.level"?'],
      ['set index.level quik', 'Did you mean "quick"?'],
      ['unset index.level', 'index.level is not set in'],
      ['get index.levl', 'Did you mean "index.level"?'],
    ] as const) {
      const { code, stderr } = await line.run('config', ...words.split(' '))
      expect(code, words).toBe(2)
      expect(stderr).toContain(message)
    }
    expect(existsSync(file)).toBe(false)
  })

  test('a secret is not repeated', async () => {
    const { line } = open()
    const { stdout } = await line.run('config', 'set', 'models.planner.apiKey', 'abc-very-secret', '--json')
    expect(stdout).not.toContain('abc-very-secret')
    expect((await line.run('config', 'get', 'models.planner.apiKey')).stdout).not.toContain('abc-very-secret')
  })
})

describe('config schema', () => {
  test('is the JSON schema of the settings file, with the settings of every backend', async () => {
    const schema = JSON.parse((await commandLine().run('config', 'schema')).stdout)
    const { anyOf } = schema.properties.models.properties.shots
    expect(anyOf[0].enum).toContain('frame-difference')
    expect(anyOf.find((one: { title?: string }) => one.title === 'frame-difference').properties.backend).toEqual({
      const: 'frame-difference',
    })
    expect(schema.properties.index.properties.level.enum).toEqual(['thorough', 'balanced', 'quick'])
  })

  test('--markdown is a table of every setting', async () => {
    const { stdout } = await commandLine().run('config', 'schema', '--markdown')
    expect(stdout).toContain('| `index.level` | `thorough`, `balanced`, `quick` | `balanced` |')
    expect(stdout).toMatch(/^\| ollama: `model` \|/m)
    expect(stdout.match(/^Backends of .*`models\.planner`.*`models\.judge`/gm)).toHaveLength(1)
  })
})

describe('config validate', () => {
  test('what the profile says out of the box is right', async () => {
    expect(await commandLine().run('config', 'validate', '--profile', 'embedded')).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  test('an unknown backend and a wrong setting of a backend are named', async () => {
    const line = commandLine()
    writeFileSync(join(line.cwd, 'a.json'), '{ "models": { "transcribe": "pocketsfinx" } }')
    const unknown = await line.run('config', 'validate', 'a.json')
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toMatch(
      /^error: Unknown transcribe backend "pocketsfinx"\.\nhint: Did you mean "pocketsphinx"\?/,
    )
    const wrong = await line.run(
      'config',
      'validate',
      '--set',
      'models.planner.backend=ollama',
      '--set',
      'models.planner.model=4',
    )
    expect(wrong.stderr).toContain('models.planner (ollama): model:')
    const off = await line.run('config', 'validate', '--profile', 'embedded', '--set', 'models.vision.model=x')
    expect(off.stderr).toContain('models.vision.model has no effect')
  })
})

test('the settings file and the profile are named on stderr, since a result depends on them', async () => {
  const line = commandLine({}, { LONGTAKE_PROFILE: 'embedded' })
  writeFileSync(join(line.cwd, 'mine.json'), '{}')
  const settings = `Settings: ${join(line.cwd, 'mine.json')}.\n`
  expect((await line.run('show', 'x', '--config', 'mine.json')).stderr).toBe(settings)
  expect((await line.run('show', 'x', '--config', 'mine.json', '-v')).stderr).toBe(
    `Profile embedded: it was asked for. ${settings}`,
  )
  expect((await line.run('show', 'x', '--config', 'mine.json', '--quiet')).stderr).toBe('')
})

describe('doctor', () => {
  const report: DoctorReport = {
    healthy: false,
    profile: 'local',
    why: 'it was asked for',
    node: 'v20',
    packages: [{ name: 'hnswlib-node', state: 'left out', detail: 'would be faster' }],
    programs: [{ name: 'ffmpeg', state: 'missing', mend: 'apt install ffmpeg' }],
    roles: [
      { role: 'planner', backend: 'ollama', state: 'missing', detail: 'needs a server', mend: 'ollama serve' },
      { role: 'writer', backend: 'ollama', state: 'missing', detail: 'needs a server', mend: 'ollama serve' },
    ],
    home: { path: '/data', free: 5e9, writable: true },
  }

  test('says what is missing and, once each, what fixes it; not being ready is not success', async () => {
    const line = commandLine(async () => inMemoryRuntime({ doctor: async () => report }))
    const { code, stdout } = await line.run('doctor')
    expect(code).toBe(4)
    expect(stdout).toContain('longtake with profile local is not ready.')
    expect(stdout).toMatch(/hnswlib-node +left out +would be faster/)
    expect(stdout).toMatch(/planner +missing +ollama +needs a server/)
    expect(stdout).toMatch(/To fix it:\n {2}apt install ffmpeg\n {2}ollama serve\n$/)
    expect(JSON.parse((await line.run('doctor', '--json')).stdout)).toEqual({ schemaVersion: 1, ...report })
  })

  test('being ready is', async () => {
    expect((await commandLine({ doctor: async () => ({ ...report, healthy: true }) }).run('doctor')).code).toBe(0)
  })
})
