import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')
const day = 86_400_000
let folder: string

// Loaded before the command: its clock, and that of its threads, jumps by a day, forth and back, ten times a second.
const jumping = `
const real = Date.now
const RealDate = Date
const shift = () => (Math.floor(performance.now() / 100) % 3 - 1) * ${day}
globalThis.Date = class extends RealDate {
  constructor(...given) { given.length === 0 ? super(real() + shift()) : super(...given) }
  static now() { return real() + shift() }
}
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-clock-'))
  await writeFile(join(folder, 'jumping.mjs'), jumping)
  execFileSync('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=4'],
    ...['-f', 'lavfi', '-i', 'sine=f=440:r=16000:d=4', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', join(folder, 'clip.mp4')],
  ])
  execFileSync(process.execPath, [bin, '--version']) // what has changed is compiled now, and not beside one another
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const environment = { ...process.env, LONGTAKE_HOME: join(folder, 'home'), LONGTAKE_CONFIG: undefined, CI: 'true' }
  const preload = pathToFileURL(join(folder, 'jumping.mjs')).href
  const child = spawn(process.execPath, ['--import', preload, bin, ...args], { cwd: folder, env: environment })
  let out = ''
  let err = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.on('data', piece => {
    err += piece
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, out, err })))
}

// Every number below a name that is a length of time.
function lengths(value: unknown, name = ''): number[] {
  if (typeof value === 'number') return /seconds|started|wall|duration/i.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => lengths(below, Array.isArray(value) ? name : key))
}

test('fault 28: a clock that jumps by a day steals no lock and makes no negative time', async () => {
  const index = ['index', 'clip.mp4', '--json', '--set', 'index.tracks.text=false']
  const both = await Promise.all([run(...index), run(...index)])
  for (const { code, err } of both) expect(code, err).toBe(0)
  const stages = both.map(({ out }) => JSON.parse(out).stages as { stage: string; state: string }[])
  const made = stages.flat().filter(({ state }) => state === 'done')
  const names = made.map(({ stage }) => stage)
  expect(names).toContain('decode')
  expect(names, 'a stage was made twice').toEqual([...new Set(names)])

  const asked = await run('ask', 'clip.mp4', 'What is shown?', '--json', '--set', 'index.tracks.text=false')
  expect(asked.code, asked.err).toBe(0)
  const written = (await readdir(join(folder, 'home'), { recursive: true })).filter(name => name.endsWith('.json'))
  const files = await Promise.all(written.map(name => readFile(join(folder, 'home', name), 'utf8')))
  const all = [...both.map(({ out }) => out), asked.out, ...files].flatMap(text => lengths(JSON.parse(text)))
  expect(all.length).toBeGreaterThan(20)
  expect(Math.min(...all)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...all)).toBeLessThan(3600)
})
