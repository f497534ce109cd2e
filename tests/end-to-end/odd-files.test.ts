import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figure } from '../faults/figure.ts'
import { longtakeHere, type Ran } from './longtake.ts'

let folder: string
let home: string
const make = (name: string, ...args: string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, `file:${join(folder, name)}`])
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=6']
const sound = ['-f', 'lavfi', '-i', 'sine=f=440:d=6:r=16000']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-odd-'))
  home = join(folder, 'home')
  make('plain.mp4', ...picture, ...sound, ...h264, '-c:a', 'aac', '-movflags', '+faststart')
  make('plain.mkv', ...picture, ...sound, ...h264, '-c:a', 'aac')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const index = (name: string) =>
  longtakeHere(['index', '--json', '--set', 'index.tracks.text=false', '--', name], { home, cwd: folder })
const only = (ran: Ran) => JSON.parse(ran.out)

// One sentence and one hint, and never a stack.
function expectRefusal(ran: Ran, code: number, message: RegExp) {
  expect(ran.code, ran.err).toBe(code)
  expect(ran.err).toMatch(message)
  expect(ran.err).not.toMatch(/\n\s+at /)
  expect(ran.err).toMatch(/hint: /)
}

describe('files that hold less than usual', () => {
  test('fault 05: no audio: the picture is indexed and the sound is absent', async () => {
    make('mute.mp4', ...picture, ...h264)
    const ran = await index('mute.mp4')
    expect(ran.code, ran.err).toBe(0)
    expect(only(ran).coverage.speech.state).toBe('absent')
  })

  test('fault 05: audio only: the sound is indexed and the picture is absent', async () => {
    make('only.mp3', ...sound)
    const ran = await index('only.mp3')
    expect(ran.code, ran.err).toBe(0)
    expect(only(ran).coverage.picture.state).toBe('absent')
  })

  test('fault 06: cover art is no video', async () => {
    make('cover.png', '-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1')
    make(
      'cover.mp3',
      '-i',
      join(folder, 'only.mp3'),
      '-i',
      join(folder, 'cover.png'),
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-id3v2_version',
      '3',
      '-disposition:v',
      'attached_pic',
    )
    const ran = await index('cover.mp3')
    expect(ran.code, ran.err).toBe(0)
    expect(only(ran).coverage.picture.state).toBe('absent')
  })

  test('fault 08: one frame is a video of one shot', async () => {
    make('one.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10', '-frames:v', '1', ...h264)
    const ran = await index('one.mp4')
    expect(ran.code, ran.err).toBe(0)
  })
})

describe('clocks and shapes', () => {
  test('a clock that starts at 100 s starts at 0 for us', async () => {
    make('late.mkv', '-i', join(folder, 'plain.mkv'), '-c', 'copy', '-output_ts_offset', '100')
    const ran = await index('late.mkv')
    expect(ran.code, ran.err).toBe(0)
    expect(only(ran).duration).toBeCloseTo(6, 0)
    expect(only(ran).coverage.picture.spans[0].start).toBeLessThan(0.2)
  })

  test('fault 07: variable frame rate is indexed to its end', async () => {
    make(
      'vfr.mp4',
      '-f',
      'lavfi',
      '-i',
      "testsrc2=s=320x180:r=30:d=6,select='if(lt(t,3),1,not(mod(n,6)))'",
      '-vsync',
      'vfr',
      ...h264,
    )
    const ran = await index('vfr.mp4')
    expect(ran.code, ran.err).toBe(0)
    expect(only(ran).coverage.picture.state).toBe('indexed')
  })

  test('fault 09: a turned picture is upright', async () => {
    make('turned.mp4', '-i', join(folder, 'plain.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90')
    const ran = await longtakeHere(['show', 'turned.mp4', '--json', '--set', 'index.tracks.text=false'], {
      home,
      cwd: folder,
    })
    expect(ran.code, ran.err).toBe(0)
    expect(JSON.parse(ran.out).video.picture).toMatchObject({ width: 180, height: 320 })
  })
})

describe('damaged files', () => {
  // The index says how far it goes, and a question about the rest is answered by saying so.
  async function expectHalf(kind: string): Promise<void> {
    const name = `half.${kind}`
    await copyFile(join(folder, `plain.${kind}`), join(folder, name))
    await truncate(join(folder, name), Math.floor((await readFile(join(folder, name))).length / 2))
    const ran = await index(name)
    expect(ran.code, ran.err).toBe(6)
    const { coverage } = only(ran)
    expect(coverage.picture.state).toBe('partial')
    const [seen] = coverage.picture.spans
    expect(seen.end).toBeLessThan(coverage.duration - 1)
    const words = ['ask', name, 'What is on screen at 0:05?', '--json', '--set', 'index.tracks.text=false']
    const asked = await longtakeHere(words, { home, cwd: folder })
    expect(asked.code, asked.err).toBe(6)
    expect(JSON.parse(asked.out).answer.text).toMatch(/could not be decoded/)
    figure(`picture ${Math.floor((100 * seen.end) / coverage.duration)} %, exit ${ran.code}`)
  }

  test('fault 02: half an MP4 is indexed as far as it goes, and says so', () => expectHalf('mp4'), 120_000)
  test('fault 03: half an MKV is indexed as far as it goes, and says so', () => expectHalf('mkv'), 120_000)

  test('a file that is not there', async () => {
    expectRefusal(await index('plan.mp4'), 3, /plan\.mp4/)
  })
})
