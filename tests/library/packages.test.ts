import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexedTown } from '../end-to-end/town-video.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'longtake-packages-'))
const packed = join(folder, 'packages')
const modules = join(folder, 'node_modules')
let video: string
let home: string

// A project into which packages are installed one after the other; without them none of our names resolves.
beforeAll(async () => {
  ;({ video, home } = await indexedTown(join(folder, 'town')))
  await promisify(execFile)(process.execPath, [join(root, 'bin', 'pack.mjs'), packed])
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('longtake')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  install('longtake')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const install = (name: string) => cpSync(join(packed, name), join(modules, name), { recursive: true })

async function longtake(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const bin = join(modules, 'longtake', 'bin', 'longtake.mjs')
  const env = { ...process.env, LONGTAKE_HOME: home, CI: 'true' }
  return promisify(execFile)(process.execPath, [bin, ...words], { cwd: folder, env }).then(
    ({ stdout: out, stderr: err }) => ({ code: 0, out, err }),
    ({ code, stdout: out, stderr: err }) => ({ code, out, err }),
  )
}

test('longtake answers without the packages beside it, and names the one that a command needs', async () => {
  const question = 'How many paintings does the museum have?'
  const answer = await longtake('ask', video, question, '--profile', 'embedded', '--json')
  expect(answer.code, answer.err).toBe(0)
  expect(JSON.parse(answer.out).answer.text).toMatch(/700|seven hundred/)
  for (const [words, name] of [
    [['bench', 'run', 'needle', '--data', 'x'], 'longtake-eval'],
    [['serve', '--port', '0'], 'longtake-serve'],
    [['worker'], 'longtake-cluster'],
    [['index', video, '--queue'], 'longtake-cluster'],
  ] as const) {
    const { code, err } = await longtake(...words)
    expect(code).toBe(2)
    expect(err).toContain(`needs the package ${name}, which is not installed`)
    expect(err).toContain(`npm install ${name}`)
  }
  expect((await longtake('--help')).out).toMatch(/bench .*Needs the package longtake-eval/)
})

test('each package brings its commands, and uses the modules of longtake itself', async () => {
  install('longtake-eval')
  expect((await longtake('bench', 'list')).out).toContain('cg-bench')
  const unknown = await longtake('bench', 'show', 'nothing')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('nothing')]) // the error class is that of longtake
  install('longtake-serve')
  expect((await longtake('serve', '--help')).out).toContain('--trust-host')
  install('longtake-cluster')
  const status = await longtake('cluster', 'status')
  expect(status.err).toContain('Set LONGTAKE_CLUSTER')
})

test('a package depends on what it imports, and longtake on less than all of them do', () => {
  const dependencies = (name: string) =>
    Object.keys(JSON.parse(readFileSync(join(packed, name, 'package.json'), 'utf8')).dependencies)
  expect(dependencies('longtake-eval')).toContain('longtake')
  expect(dependencies('longtake-cluster')).toEqual(
    expect.arrayContaining(['longtake', 'longtake-eval', 'pg', 'pg-boss']),
  )
  expect(dependencies('longtake').filter(name => /hono|hyparquet|busboy|^pg|longtake|server$/.test(name))).toEqual([])
})
