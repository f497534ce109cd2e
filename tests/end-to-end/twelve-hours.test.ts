import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureCommand } from '../../scripts/perf/measure.ts'
import { figure } from '../faults/figure.ts'
import { longtake } from './longtake.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-long-'))
const home = join(folder, 'home')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isLinux = process.platform === 'linux'
const why = isLinux ? '' : ' (skipped: memory is read from /proc)'
// Of all processes together, shared pages counted in each. Every track is off: what their models take comes on top.
const most = 300 // MB

function twelveHours(name: string, rate: number, ...sound: string[]): void {
  const minute = join(folder, 'minute.mkv')
  const make = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args])
  make('-f', 'lavfi', '-i', `smptebars=s=160x90:r=${rate}:d=60`, ...sound, '-c:v', 'libx264', '-g', '60', minute)
  make('-stream_loop', '719', '-i', minute, '-c', 'copy', join(folder, name))
}

async function megabytes(name: string): Promise<number> {
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')
  const off = ['picture', 'text', 'speech', 'sound'].map(track => `--set index.tracks.${track}=false`).join(' ')
  const command = `LONGTAKE_HOME=${home} CI=true ${process.execPath} ${bin} index ${join(folder, name)} ${off}`
  return (await measureCommand(command)).megabytes
}

test.skipIf(!isLinux)(`fault 11: twelve hours of one frame in ten seconds are indexed in 300 MB${why}`, async () => {
  twelveHours('sparse.mkv', 0.1)
  const used = await megabytes('sparse.mkv')
  figure(`${used.toFixed(0)} MB`)
  expect(used).toBeLessThan(most)
  const asked = ['ask', 'sparse.mkv', 'What is on screen at 11:30:00?', '--json']
  const off = ['text', 'speech', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`])
  const ran = await longtake([...asked, ...off], { home, cwd: folder })
  expect(ran.code, ran.err).toBe(0)
  const { coverage } = JSON.parse(ran.out)
  expect(coverage.duration).toBeCloseTo(43_200, -2)
  expect(coverage.picture.spans).toHaveLength(1)
})

const isAsked = process.env.LONGTAKE_LONG === '1'
test.skipIf(!isLinux || !isAsked)(
  `fault 11: twelve hours of five frames a second with sound are indexed in 300 MB${isAsked ? why : ' (skipped: takes minutes; set LONGTAKE_LONG=1)'}`,
  async () => {
    twelveHours('full.mp4', 5, '-f', 'lavfi', '-i', 'sine=d=60:r=16000', '-c:a', 'aac')
    const used = await megabytes('full.mp4')
    figure(`${used.toFixed(0)} MB with sound`)
    expect(used).toBeLessThan(most)
  },
  600_000,
)
