import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longtakeHere } from './longtake.ts'

const assets = fileURLToPath(new URL('../../../shared/assets/', import.meta.url))
const lecture = `${assets}video/opencast-scene-change.mov` // 240 lines
const missing = existsSync(lecture) ? '' : 'no real clips beside the checkout'

// A page of print, a lower third and the titles of a film, of 360 lines.
const parts = [
  ['-loop', '1', '-t', '4', '-i', `${assets}ocr/tess-phototest.tif`],
  ['-loop', '1', '-t', '4', '-i', `${assets}ocr/hard/01-lowerthird.png`],
  ['-ss', '20.5', '-t', '3', '-i', `${assets}video/moviepy-bbb_0_30.webm`],
]
const scaled = parts.map((_, i) => `[${i}:v]scale=-2:360,crop=min(iw\\,640):360,pad=640:360:-1:0,setsar=1,fps=5[${i}]`)
const joined = `${scaled.join(';')};${parts.map((_, i) => `[${i}]`).join('')}concat=n=${parts.length}:v=1`

let folder: string
let film: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-real-clips-'))
  film = join(folder, 'film.mp4')
  if (!missing)
    execFileSync('ffmpeg', [
      '-v',
      'error',
      ...parts.flat(),
      '-filter_complex',
      joined,
      '-an',
      '-pix_fmt',
      'yuv420p',
      film,
    ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// Before, PP-OCRv4 alone answered all but the third, and Tesseract alone all but the fifth.
describe.skipIf(missing)(`text in small frames${missing && ` (skipped: ${missing})`}`, () => {
  test.each([
    ['lecture', 'What does Prof. Sonia Seneviratne talk about?', /Land and Vegetation: Key players on the/],
    ['lecture', 'When was the introduction lecture?', /December 6, 2007/],
    ['lecture', 'Which institute for climate science is named?', /Institute for Atmospheric and Climate Science/],
    ['lecture', 'Who is from SwissRe?', /^(Pamela Heck|David Bresch)/],
    ['lecture', 'Who is thanked from MeteoSchweiz?', /Mathias Rotach/],
    ['film', 'Who is the marine biologist?', /Amelia Hartwell/],
    ['film', 'What did the quick brown dog jump over?', /lazy fox/],
    ['film', 'Which project presents the film?', /PEACH OPEN MOVIE PROJECT/],
  ])(
    'in the %s: %s',
    async (clip, question, answer) => {
      const video = clip === 'film' ? film : lecture
      const args = ['ask', video, question, '--json', '--profile', 'embedded']
      const { code, out, err } = await longtakeHere(args, { home: join(folder, 'home') })
      expect(code, err).toBe(0)
      expect(JSON.parse(out).answer.text).toMatch(answer)
    },
    120_000,
  )
})
