import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shotFinders } from '../../../models/shots/index.ts'
import type { Host } from '../../../src/core/backend.ts'
import type { IndexSettings } from '../../../src/core/settings.ts'
import type { ProgressCallback } from '../../../src/core/stage.ts'
import type { Video } from '../../../src/core/video.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { findOrMakeStage } from '../../../src/store/stage/stage.ts'
import { type MediaFolder, mediaFolder, tone } from '../../../tests/media-fixtures.ts'
import { indexSettings, stageContext } from '../../../tests/support/stage-context.ts'
import { computeCoverage } from '../overview/coverage.ts'
import { decodeFile } from './decode-file.ts'
import { keyframeShots } from './keyframe-shots.ts'

let media: MediaFolder
let folder: string
let video: Video

// Cuts every 1.7 s, some of them on keyframes; seven pieces.
beforeAll(async () => {
  media = mediaFolder()
  folder = await mkdtemp(join(tmpdir(), 'longtake-decode-'))
  const cuts = "testsrc2=s=192x108:r=25:d=20,hue=h='100*floor(t/1.7)',crop=128:72:'mod(31*floor(t/1.7)\\,60)':0"
  const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 34 -bf 2'
  video = await probe(media.ffmpeg('cuts.mp4', ['-f', 'lavfi', '-i', cuts], tone(20), h264, '-c:a aac'))
})
afterAll(async () => {
  media.remove()
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  home: string
  segments?: number | 'auto'
  backend?: string
  progress?: ProgressCallback
  signal?: AbortSignal
  level?: IndexSettings['level']
  of?: Video
}

async function decode({
  home,
  segments = 7,
  backend = 'frame-difference',
  progress = () => {},
  signal,
  level = 'balanced',
  of = video,
}: Run) {
  const finder = level === 'quick' ? keyframeShots() : await shotFinders.open(backend, {}, {} as Host)
  const settings = {
    ...indexSettings,
    stillsPerSecond: 2,
    stillWidth: 128,
    segments,
    level,
    decoder: 'software',
  } as const
  const own = signal ?? new AbortController().signal
  const result = await findOrMakeStage({
    ...{ folder: join(folder, home), stage: 'decode', key: 'k', by: 'x', settings: {}, inputs: {}, video: of.id },
    signal: own,
    make: out => decodeFile(stageContext({ video: of, out, progress, signal: own, settings }), finder),
  })
  const files = ['shots.json', 'stills.json', 'stills.bin', ...(of.sound ? ['sound.pcm'] : []), 'report.json']
  return Promise.all(files.map(name => readFile(join(result.folder, name), 'latin1')))
}

test('shots, stills and times are the same in one piece and in many', async () => {
  const one = await decode({ home: 'one', segments: 1 })
  const many = await decode({ home: 'many', segments: 7 })
  expect(JSON.parse(one[0]!)).toHaveLength(12)
  expect(many[0]).toBe(one[0])
  expect(many.slice(0, 4)).toEqual(one.slice(0, 4))
})

test('at level quick keyframes alone are shown, the whole video is covered, and that is said', async () => {
  const [shots, stills, , sound, report] = await decode({ home: 'quick', level: 'quick' })
  const seen = JSON.parse(report!)
  expect(seen).toMatchObject({ level: 'quick', errors: 0, picture: { frames: 15 } })
  expect(JSON.parse(shots!).at(-1).end).toBe(video.duration)
  expect(JSON.parse(stills!).length).toBeGreaterThan(8)
  expect(sound!.length).toBeGreaterThan(19 * 32_000)
  const done = { state: 'done', items: 1 } as const
  const coverage = computeCoverage(video, seen, { picture: done, text: done, speech: done, sound: done })
  expect(coverage.picture).toMatchObject({ state: 'indexed', spans: [{ start: 0, end: video.duration }] })
  expect(coverage.notes.join()).toContain('only the keyframes')
})

test('at level thorough and balanced every frame is seen, at the same times', async () => {
  const reports = await Promise.all((['thorough', 'balanced'] as const).map(level => decode({ home: level, level })))
  const [thorough, balanced] = reports.map(files => JSON.parse(files[4]!))
  expect(thorough.picture).toEqual({ first: 0, last: 19.96, frames: 500 })
  expect(balanced.picture).toEqual(thorough.picture)
  expect(reports[1]![0]).toBe(reports[0]![0])
})

test('a portrait screen recording of 65 minutes costs a still in five seconds, and each of its changes has one', async () => {
  const screen = ['-f', 'lavfi', '-i', 'color=0x303848:s=90x160:r=1:d=3900,drawbox=5:20:80:30:white:fill']
  const opened = [400, 1711, 3333].map((at, i) => `drawbox=10:${60 + 25 * i}:60:12:yellow:fill:enable='gte(t,${at})'`)
  const coding = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 250'
  const long = await probe(media.ffmpeg('portrait.mp4', screen, ['-vf', opened.join(',')], coding))
  expect(long.duration).toBe(3900)
  const [shots, stills] = await decode({ home: 'portrait', segments: 'auto', of: long })
  const kept: { time: number }[] = JSON.parse(stills!)
  expect(kept.length).toBeLessThan(790)
  expect(kept.at(-1)?.time).toBeGreaterThan(3890)
  for (const at of [400, 1711, 3333]) expect(kept.some(({ time }) => time >= at && time <= at + 2)).toBe(true)
  expect(JSON.parse(shots!).map((shot: { start: number }) => shot.start)).toEqual([0, 400, 1711, 3333])
})

test('the last frame of 23.976 a second has its own time', async () => {
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=96x54:r=24000/1001:d=30']
  const path = media.ffmpeg('film.mp4', film, '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 48')
  const [shots, , , report] = await decode({ home: 'film', segments: 5, of: await probe(path) })
  const { frames, last } = JSON.parse(report!).picture
  expect(last).toBeCloseTo(((frames - 1) * 1001) / 24000, 3)
  expect(JSON.parse(shots!).at(-1).end).toBeCloseTo((frames * 1001) / 24000, 3)
})

test('progress is what all pieces have decoded, in seconds of media, and never runs back', async () => {
  const told: number[] = []
  await decode({ home: 'progress', progress: seconds => void told.push(seconds) })
  expect(told.every((seconds, at) => at === 0 || seconds > told[at - 1]!)).toBe(true)
  expect(told.at(-1)).toBeGreaterThan(19)
  expect(told.at(-1)).toBeLessThanOrEqual(video.duration)
  expect(Math.max(...told.map((seconds, at) => seconds - (told[at - 1] ?? 0)))).toBeLessThan(3)
})

describe('stopped at any moment, it goes on from the last seam as if nothing had happened', () => {
  test.each(['frame-difference', 'scdet', 'fixed'])('%s', async backend => {
    const whole = await decode({ home: `whole-${backend}`, backend })
    const home = `stopped-${backend}`
    for (const stopAt of [4, 11, 17]) {
      const abort = new AbortController()
      const progress = (seconds: number) => void (seconds >= stopAt && abort.abort())
      await expect(decode({ home, backend, progress, signal: abort.signal })).rejects.toThrow()
    }
    const seen: number[] = []
    expect(await decode({ home, backend, progress: seconds => void seen.push(seconds) })).toEqual(whole)
    // What was done again is no more than the two pieces under way: they are 2.7 to 4.1 seconds long.
    expect(seen[0]).toBeGreaterThan(17 - 2 * 4.2)
    expect(await readdir(join(folder, home, 'parts'))).toEqual([])
  })
})
