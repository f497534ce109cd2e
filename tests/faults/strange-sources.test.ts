import { execFileSync, spawn } from 'node:child_process'
import { existsSync, linkSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longtake, longtakeHere, type Ran } from '../end-to-end/longtake.ts'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../media-fixtures.ts'
import { seeded } from '../servers/pieces.ts'
import { figure } from './figure.ts'

// Files as they come, through the command line.
let media: MediaFolder
let home: string
beforeAll(() => {
  media = mediaFolder()
  home = media.path('home')
  media.ffmpeg('plain.mp4', picture(2), tone(2), h264, '-c:a aac')
})
afterAll(() => media.remove())

// Always the same: one in a hundred others looks like lyrics to ffprobe, and is refused as text.
function noise(): Buffer {
  const draw = seeded(1)
  return Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(draw() * 256)))
}

const quick = ['--profile', 'embedded', '--set', 'index.tracks.text=false']
const run = (words: string[]) => longtakeHere(words, { home, cwd: media.path('') })
const index = (name: string) => run(['index', '--json', ...quick, '--', name])

function expectRefusal(ran: Ran, message: RegExp): void {
  expect(ran.code, ran.err).toBe(3)
  expect(ran.err.match(/^error: /gm)).toHaveLength(1)
  expect(ran.err).toMatch(message)
  expect(ran.err).toMatch(/^hint: /m)
  expect(ran.err).not.toMatch(/\n\s+at /)
}

describe('files that are no video', () => {
  const whole = () => readFileSync(media.path('plain.mp4'))
  test.each<[string, () => string | Buffer, RegExp]>([
    ['zero.mp4', () => '', /empty/],
    ['random.mp4', noise, /cannot read .* as video or audio/],
    ['text.mp4', () => 'not a video at all\n'.repeat(50), /text/],
    ['no-moov.mp4', () => whole().subarray(0, whole().indexOf('moov') - 4), /cut short or never finished/],
  ])('fault 01: %s is refused in one sentence with a hint, and nothing is stored', async (name, content, message) => {
    writeFileSync(media.path(name), content())
    const fresh = media.path(`home-${name}`)
    const ran = await longtakeHere(['index', name, ...quick], { home: fresh, cwd: media.path('') })
    expectRefusal(ran, message)
    expect(existsSync(join(fresh, 'library'))).toBe(false)
    figure(`exit ${ran.code} in ${ran.seconds.toFixed(1)} s`)
  })

  test('fault 08: a still picture under the name of a video is refused', async () => {
    media.ffmpeg('still.png', picture(1), '-frames:v 1')
    linkSync(media.path('still.png'), media.path('still.mp4'))
    expectRefusal(await index('still.mp4'), /still picture/)
  })

  test.each(['fifo.mp4', '/dev/zero'])('fault 13: %s is refused and not waited for', async name => {
    if (name === 'fifo.mp4') execFileSync('mkfifo', [media.path(name)])
    const ran = await index(name)
    expectRefusal(ran, /not a regular file/)
    figure(`exit ${ran.code} in ${ran.seconds.toFixed(1)} s`)
  })

  test('fault 13: a pipe in the place of a subtitle file is not waited for', async () => {
    linkSync(media.path('plain.mp4'), media.path('piped.mp4'))
    execFileSync('mkfifo', [media.path('piped.srt')])
    const ran = await index('piped.mp4')
    expect(ran.code, ran.err).toBe(0)
  })
})

test('fault 05: a question about the picture of a file that has none is answered by saying so', async () => {
  media.ffmpeg('only.mp3', tone(2))
  const ran = await run(['ask', 'only.mp3', 'What does the slide show?', '--json', '--profile', 'embedded'])
  expect(ran.code, ran.err).toBe(0)
  const { answer, coverage } = JSON.parse(ran.out)
  expect(coverage.picture.state).toBe('absent')
  expect(answer.abstained).toBe(true)
  expect(answer.text).toMatch(/absent|no picture/)
})

describe('one frame', () => {
  test.each([
    ['one.h264', h264], // no frame rate, no duration, no timestamps
    ['one.mkv', '-c:v mjpeg'],
  ])('fault 08: %s is a video of one shot, all of it looked at', async (name, coding) => {
    media.ffmpeg(name, picture(1, '320x180', 10), '-frames:v 1', coding)
    const ran = await index(name)
    expect(ran.code, ran.err).toBe(0)
    const { coverage, duration } = JSON.parse(ran.out)
    expect(coverage.picture.state).toBe('indexed')
    expect(duration).toBeGreaterThan(0)
    const shown = await run(['show', name, '--json', ...quick])
    expect(JSON.parse(shown.out).shots).toHaveLength(1)
    expect((await run(['show', name, ...quick])).out).toMatch(/Searched: pictures,/)
    figure(`${duration} s, picture 100 %`)
  })
})

describe('names', () => {
  const names = [
    'a b.mp4',
    'it\'s a "name".mp4',
    '-dash.mp4',
    '--config=c.mp4',
    '--quiet',
    'two\nlines.mp4',
    '\u00e9.mp4', // composed
    'e\u0301.mp4', // decomposed: another name
    'a|b.mp4',
    'per%03dcent.mp4',
    'concat:x.mp4',
    'http:x.mp4',
    'file:x.mp4',
    '\u202egpj.mp4',
    `${'n'.repeat(251)}.mp4`,
  ]
  test.each(names)('fault 12: %j after -- is indexed and named as it is', async name => {
    const cwd = mkdtempSync(media.path('named-'))
    linkSync(media.path('plain.mp4'), join(cwd, name))
    const ran = await longtakeHere(['index', '--json', '--profile', 'embedded', '--', name], { home, cwd })
    expect(ran.code, ran.err).toBe(0)
    expect(JSON.parse(ran.out).path).toBe(join(cwd, name))
  })

  test.each(['two\n\u001b[31mlines.mp4', '\u202egpj.mp4'])('fault 12: %j commands no terminal', async name => {
    const cwd = mkdtempSync(media.path('shown-'))
    linkSync(media.path('plain.mp4'), join(cwd, name))
    const ran = await longtake(['index', '--profile', 'embedded', '--', name], { home, cwd })
    expect(ran.code, ran.err).toBe(0)
    for (const character of [...ran.err, ...ran.out]) expect(character).toMatch(/[\n\P{C}]/u)
  })

  test('fault 12: a name that is an option as well is neither, until the user says which', async () => {
    const cwd = mkdtempSync(media.path('option-'))
    for (const name of ['c.mp4', '--config=c.mp4']) linkSync(media.path('plain.mp4'), join(cwd, name))
    const ran = await longtake(['index', '--config=c.mp4', 'c.mp4'], { home, cwd })
    expect(ran.code).toBe(2)
    expect(ran.err).toContain('"--config=c.mp4" is an option, and there is a file of that name here.')
  })
})

test('fault 13: a pipe that somebody writes into is refused as well', async () => {
  execFileSync('mkfifo', [media.path('fed.mp4')])
  const writer = spawn('sh', ['-c', 'exec 3<> fed.mp4; exec cat plain.mp4 >&3'], { cwd: media.path('') })
  try {
    expectRefusal(await index('fed.mp4'), /not a regular file/)
  } finally {
    writer.kill('SIGKILL')
  }
})
