import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longtake, longtakeHere, type Ran } from './longtake.ts'

let folder: string
let home: string
const make = (name: string, ...args: string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, `file:${join(folder, name)}`])
const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=10:d=${seconds}`]
const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=f=440:d=${seconds}:r=16000`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-fps_mode', 'passthrough']
const jump = (seconds: number) => `setpts='PTS+if(gt(T,6),${seconds},0)/TB'`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-damage-'))
  home = join(folder, 'home')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...args: string[]) => longtakeHere(args, { home, cwd: folder })
const quickly = ['--json', '--set', 'index.tracks.text=false']
const coverage = (ran: Ran) => JSON.parse(ran.out).coverage

describe('fault 04: a hole in the middle is not seen', () => {
  beforeAll(() => {
    make('whole.mkv', '-f', 'lavfi', '-i', 'smptebars=s=320x180:r=10:d=36', ...sound(36), ...h264, '-c:a', 'aac')
    const bytes = readFileSync(join(folder, 'whole.mkv'))
    bytes.fill(0, Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3))
    writeFileSync(join(folder, 'hole.mkv'), bytes)
  })

  test('the index says which part, as a person and a program read it', async () => {
    const ran = await run('index', 'hole.mkv', '--json')
    expect(ran.code, ran.err).toBe(6)
    for (const track of ['picture', 'text', 'speech', 'sound']) {
      const { state, spans, note } = coverage(ran)[track]
      expect(state, track).toBe('partial')
      expect(spans, track).toHaveLength(2)
      expect(spans[1].start - spans[0].end, track).toBeGreaterThan(8)
      expect(note, track).toMatch(/^0:1\d-0:2\d could not be decoded/)
    }
    const shown = await run('show', 'hole.mkv')
    expect(shown.out).toMatch(/pictures [67]\d %.*\n.*picture: 0:1\d-0:2\d could not be decoded/)
  })

  test('a question about that part is answered by saying so, with exit code 6', async () => {
    for (const question of ['What is on screen at 0:18?', 'What is said at 0:18?', 'Is there a dog at 0:18?']) {
      const ran = await run('ask', 'hole.mkv', question, '--json')
      expect(ran.code, ran.err).toBe(6)
      const { answer } = JSON.parse(ran.out)
      expect(answer.text).toMatch(/^0:1\d-0:2\d of the file could not be decoded/)
      expect(answer.abstained).toBe(true)
    }
  })

  test('nothing that was found reaches over it', async () => {
    const ran = await run('show', 'hole.mkv', '--json')
    const { shots, evidence } = JSON.parse(ran.out)
    const [gap] = [coverage(ran).picture.spans].map(([a, b]) => ({ start: a.end + 1, end: b.start - 1 }))
    const across = [...shots, ...evidence.map((row: { span: object }) => row.span)].filter(
      ({ start, end }) => start < gap!.end && end > gap!.start,
    )
    expect(across).toEqual([])
  })
})

describe('a clock that jumps by more than an hour', () => {
  test('makes a video too long: refused, with its length, the jump and the setting', async () => {
    make('far.mkv', ...picture(7), '-vf', jump(3_600_000), ...h264)
    make('far.mka', ...sound(12), '-af', `a${jump(1_000_000)}`, '-c:a', 'flac')
    for (const name of ['far.mkv', 'far.mka']) {
      const ran = await run('index', name)
      expect(ran.code, ran.err).toBe(3)
      expect(ran.err).toContain(name)
      expect(ran.err).toMatch(/\d+:\d\d:\d\d long, more than index\.maxHours \(48\).* jumps from 0:06 to \d+:/s)
      expect(ran.err).toMatch(/hint: /)
    }
  })

  test('is decoded where such a length is accepted, at a cost that does not grow with it', async () => {
    const ran = await run('index', 'far.mkv', ...quickly, '--set', 'index.maxHours=2000')
    expect(ran.code, ran.err).toBe(6)
    expect(ran.seconds).toBeLessThan(60)
    expect(coverage(ran).notes.join()).toMatch(/clock jumps from 0:06 to 1000:00:0\d/)
  })

  test('is named where the length is accepted, and what is after it of the sound is left out', async () => {
    make('both.mkv', ...picture(12), ...sound(12), '-vf', jump(20_000), '-af', `a${jump(20_000)}`, ...h264)
    const ran = await run('index', 'both.mkv', ...quickly)
    expect(ran.code, ran.err).toBe(6)
    const { picture: seen, sound: heard, notes } = coverage(ran)
    expect(notes.join()).toMatch(/The file's clock jumps from 0:06 to 5:33:2\d/)
    expect(seen.spans).toHaveLength(2)
    expect(heard.spans.at(-1).end).toBeLessThan(10)
  })
})

test('a header that declares years is corrected by what is in the file', async () => {
  make('short.mkv', ...picture(6), ...h264)
  const bytes = readFileSync(join(folder, 'short.mkv'))
  const length = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  bytes.writeDoubleBE(1e12, length + 3)
  bytes.write('99:59', bytes.indexOf('00:00:06.'))
  writeFileSync(join(folder, 'years.mkv'), bytes)
  const ran = await run('index', 'years.mkv', ...quickly)
  expect(ran.code, ran.err).toBe(0)
  expect(coverage(ran).duration).toBeCloseTo(6, 0)
  expect(coverage(ran).notes.join()).toMatch(/declares a length of 99:59:\d\d, but its packets end at 0:06/)
})

test.each(['/bin/false', '/bin/true', '/bin/cat'])(
  '%s in place of ffmpeg is named, and nothing is kept',
  async program => {
    make('fine.mkv', ...picture(2), ...h264)
    for (const variable of ['LONGTAKE_FFMPEG', 'LONGTAKE_FFPROBE']) {
      process.env[variable] = program
      const fresh = { home: join(folder, `${variable}-${program.slice(5)}`), cwd: folder }
      const ran = await longtake(['index', 'fine.mkv'], fresh).finally(() => delete process.env[variable])
      expect(ran.code, ran.err).toBe(2)
      expect(ran.err).toContain(`"${program}" (from ${variable}) is not ff`)
    }
  },
)
