import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import tesseract from '../../models/read-text/tesseract.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { Runtime } from '../../src/core/runtime.ts'
import type { TextReader } from '../../src/core/services.ts'
import type { Frame, VideoIndex } from '../../src/core/video.ts'
import { decodeFrames } from '../../src/media/frames.ts'
import { decodeImage } from '../../src/media/image.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { testHost } from '../servers/host.ts'

// Milliseconds of the source, drawn into each frame before any of them is dropped; the paper changes every three seconds.
const font = 'fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf'
const clock = `drawtext=${font}:fontsize=26:fontcolor=black:x=90:y=70:text='%{eif\\:t*1000+0.5\\:d\\:6}'`
const papers = ['white', 'orange', 'skyblue', 'yellow', 'white']
  .map((paper, at) => `drawbox=c=${paper}:t=fill:enable='gte(t\\,${3 * at})'`)
  .join()
const source = (rate: string, seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=gray:s=320x180:r=${rate}:d=${seconds}`, '-vf'],
]
const drawn = `format=yuv420p,${papers},${clock}`

const kinds = [
  {
    name: '23.976 frames a second',
    file: 'film.mp4',
    frame: 1001 / 24_000,
    args: [...source('24000/1001', 14), drawn, '-bf', '2'],
  },
  {
    name: 'a variable frame rate',
    file: 'phone.mp4',
    frame: 1 / 30,
    // Runs of frames are left out, as screen recorders and phones do: between none and two seconds' worth.
    args: [...source('30', 14), `${drawn},select='lt(mod(n*n\\,97)\\,40)+gt(mod(n\\,150)\\,120)'`, '-fps_mode', 'vfr'],
  },
  {
    name: 'a clock that starts at 100 s',
    file: 'recording.mkv',
    frame: 1 / 25,
    args: [...source('25', 14), drawn, '-bf', '2', '-output_ts_offset', '100'],
  },
]

let media: MediaFolder
let runtime: Runtime
let reader: TextReader
beforeAll(async () => {
  media = mediaFolder()
  reader = await tesseract.open({ language: 'eng', workers: 1 }, testHost())
  const given = {
    values: { profile: 'embedded', index: { tracks: { text: false, picture: false }, vectors: 'exact' } },
    place: 'this test',
  }
  const config = await resolveConfig({ cwd: media.path(''), environment: {}, given, search: false })
  runtime = await createRuntime({ config, home: media.path('home'), environment: {} })
})
afterAll(async () => {
  await reader?.close?.()
  await runtime?.close()
  media.remove()
})

describe.each(kinds)('with $name', ({ file, frame, args }) => {
  let index: VideoIndex
  let last: number
  beforeAll(async () => {
    index = await runtime.videos.open(media.ffmpeg(file, args, h264))
    last = index.video.duration - frame / 2
  })
  // Milliseconds are drawn and times rounded to them; a neighbour is never nearer than half a frame.
  const within = (read: number, time: number) => expect(Math.abs(read - time), `${read} at ${time}`).toBeLessThan(0.004)

  test('fault 07: every kept still has the time that is written in it', async () => {
    expect(index.stills.length).toBeGreaterThanOrEqual(5)
    const pictures = await Promise.all(index.stills.map(async (_, at) => decodeImage(await index.still(at))))
    for (const [at, read] of (await readClock(pictures)).entries()) within(read, index.stills[at]!.time)
  })

  test('fault 07: the frame of a moment is the last one that came up, the very last one too', async () => {
    const asked = [0, 2.999, 3.004, 7.77, 11.111, last, index.video.duration]
    const frames = await decodeFrames(index.video, asked)
    const read = await readClock(frames)
    for (const [at, found] of frames.entries()) {
      within(read[at]!, found.time)
      expect(found.time).toBeLessThanOrEqual(asked[at]! + 0.001)
    }
    expect(read.at(-1)).toBe(read.at(-2))
  })

  test('shots begin where the paper changes', () => {
    const starts = index.shots.slice(1).map(shot => shot.start)
    expect(starts.length).toBe(4)
    for (const [at, start] of starts.entries()) {
      expect(start).toBeGreaterThanOrEqual(3 * (at + 1) - 0.001)
      expect(start).toBeLessThan(3 * (at + 1) + 0.6)
    }
  })
})

async function readClock(frames: Frame[]): Promise<number[]> {
  const pages = await reader.read(frames, new AbortController().signal)
  return pages.map(
    lines =>
      Number(
        lines
          .map(line => line.text)
          .join('')
          .replace(/\D/g, ''),
      ) / 1000,
  )
}
