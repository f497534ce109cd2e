import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InterruptedError, UsageError } from '../../core/errors.ts'
import { runProgram } from '../program/run-program.ts'
import { type RenderReport, renderVideo } from './render-video.ts'
import type { Scene, Script } from './scene.ts'

const size = { width: 160, height: 90, fps: 25 }
const plain = (frames: number, colour: `#${string}`, rest: Partial<Scene> = {}): Scene => ({
  frames,
  opens: { kind: 'cut' },
  background: { kind: 'plain', colour },
  texts: [],
  things: [],
  ...rest,
})

const script: Script = {
  title: 'six seconds',
  ...size,
  scenes: [
    plain(37, '#000000'),
    plain(38, '#ffffff'),
    plain(40, '#000000', { opens: { kind: 'dissolve', frames: 9 } }),
    plain(35, '#202020', {
      things: [
        {
          shape: 'square',
          colour: '#ff0000',
          size: 0.4,
          path: [
            { x: 0.25, y: 0.5 },
            { x: 0.75, y: 0.5 },
          ],
          from: 5,
          to: 30,
        },
      ],
      texts: [
        {
          text: `"it's" 100% <b>&amp;\\n: {x} [y] \u0000 東京 \u{1f600} \ud800`,
          size: 0.1,
          at: { x: 0, y: 0 },
          colour: '#ffffff',
        },
      ],
    }),
  ],
  cues: [
    { kind: 'sound', at: 20, sound: 'bell', frames: 25 },
    { kind: 'speech', at: 60, text: 'Good morning.', voice: 'rms' },
    { kind: 'sound', at: 110, sound: 'beep', frames: 40 },
    { kind: 'sound', at: 120, sound: 'silence', frames: 10 },
  ],
}

let folder: string
let report: RenderReport
let first: string
const signal = new AbortController().signal

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-render-'))
  first = join(folder, 'first.mp4')
  report = await renderVideo(script, first, { signal })
})
afterAll(() => rm(folder, { recursive: true }))

describe('renderVideo', () => {
  test('holds exactly the frames of the script, and both streams start at 0', async () => {
    expect(report).toMatchObject({ frames: 150, seconds: 6 })
    const { stdout } = await runProgram('ffprobe', [
      ...['-v', 'error', '-count_frames', '-of', 'json', first],
      ...['-show_entries', 'stream=codec_name,nb_read_frames,start_time,duration'],
    ])
    const [picture, sound] = JSON.parse(stdout.toString()).streams
    expect(picture).toEqual({ codec_name: 'h264', nb_read_frames: '150', start_time: '0.000000', duration: '6.000000' })
    expect(sound).toMatchObject({ codec_name: 'aac', start_time: '0.000000', duration: '6.000000' })
  })

  test('has a keyframe every two seconds', async () => {
    const { stdout } = await runProgram('ffprobe', [
      ...['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', first],
    ])
    const keys = stdout
      .toString()
      .split('\n')
      .filter(line => line.includes('K'))
    expect(keys.map(line => Number(line.split(',')[0]))).toEqual([0, 2, 4])
  })

  test('a cut lies on its frame', async () => {
    const light = await centres(first)
    expect(light.slice(35, 37).every(value => value < 20)).toBe(true)
    expect(light.slice(37, 75).every(value => value > 230)).toBe(true)
  })

  test('a dissolve goes from one scene to the next in even steps and ends on its frame', async () => {
    const light = await centres(first)
    const fading = light.slice(74, 85)
    expect(fading[0]).toBeGreaterThan(230)
    for (let i = 1; i < 10; i++) expect(fading[i - 1]! - fading[i]!).toBeGreaterThan(15)
    expect(fading[5]).toBeGreaterThan(105)
    expect(fading[5]).toBeLessThan(150)
    expect(fading[10]).toBeLessThan(20)
  })

  test('a thing is shown only from its first to its last frame, where its path says', async () => {
    const red = await redColumns(first)
    expect(red[115 + 4]).toBeUndefined()
    expect(red[115 + 5]).toBeCloseTo(0.25, 1)
    expect(red[115 + 17]).toBeCloseTo(0.5, 1)
    expect(red[115 + 29]).toBeCloseTo(0.75, 1)
    expect(red[115 + 30]).toBeUndefined()
  })

  test('sounds are heard where the report says, and nothing else is heard in a silence', async () => {
    const samples = await sound(first)
    const level = (from: number, to: number) =>
      samples
        .subarray(Math.round(from * 16000), Math.round(to * 16000))
        .reduce((most, s) => Math.max(most, Math.abs(s)), 0)
    const [bell, words, beep] = report.cues
    expect(bell).toEqual({ start: 0.8, end: 1.8 })
    expect(level(0, bell!.start - 0.07)).toBeLessThan(0.01)
    expect(level(bell!.start, bell!.start + 0.05)).toBeGreaterThan(0.1)
    expect(words!.start).toBe(2.4)
    expect(level(words!.end + 0.1, beep!.start - 0.1)).toBeLessThan(0.01)
    expect(level(4.87, 5.13)).toBeLessThan(0.01)
    expect(level(5.3, 5.6)).toBeGreaterThan(0.3)
  })

  test('the same script gives the same bytes', async () => {
    const second = join(folder, 'second.mp4')
    await writeFile(second, 'what was there before is replaced')
    await renderVideo(structuredClone(script), second, { signal })
    expect((await readFile(second)).equals(await readFile(first))).toBe(true)
  })

  test('stops when it is told to', async () => {
    const stop = new AbortController()
    const long = { ...script, scenes: [{ ...script.scenes[3]!, frames: 100_000, things: [] }], cues: [] }
    const rendering = renderVideo(long, join(folder, 'long.mp4'), {
      signal: stop.signal,
      onProgress: done => done > 1 && stop.abort(),
    })
    await expect(rendering).rejects.toThrow(InterruptedError)
  })

  test('a script that contradicts itself is refused with its place', async () => {
    const wrong = { ...script, scenes: [plain(10, '#000000', { opens: { kind: 'dissolve', frames: 11 } })], cues: [] }
    const attempt = renderVideo(wrong, join(folder, 'wrong.mp4'), { signal })
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toThrow('scene 0 of 10 frames opens with a dissolve of 11')
  })
})

// The light of the middle pixel of each frame.
async function centres(path: string): Promise<number[]> {
  const bytes = await pixels(path, 'gray')
  return Array.from({ length: bytes.length / 14400 }, (_, i) => bytes[i * 14400 + 45 * 160 + 80]!)
}

// Where the middle of the red pixels of the middle row is in each frame, as a fraction of the width.
async function redColumns(path: string): Promise<(number | undefined)[]> {
  const bytes = await pixels(path, 'rgb24')
  return Array.from({ length: bytes.length / 43200 }, (_, frame) => {
    const row = bytes.subarray(frame * 43200 + 45 * 480, frame * 43200 + 46 * 480)
    const red = Array.from({ length: 160 }, (_, x) => x).filter(x => row[x * 3]! > 150 && row[x * 3 + 1]! < 90)
    return red.length > 0 ? (red[0]! + red.at(-1)!) / 2 / 160 : undefined
  })
}

async function pixels(path: string, format: string): Promise<Uint8Array> {
  return (await runProgram('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', format, '-'])).stdout
}

async function sound(path: string): Promise<Float32Array> {
  const { stdout } = await runProgram('ffmpeg', ['-v', 'error', '-i', path, '-f', 'f32le', '-ac', '1', '-'])
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}
