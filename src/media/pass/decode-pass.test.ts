import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figure } from '../../../tests/faults/figure.ts'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import { BackendError, InterruptedError } from '../../core/errors.ts'
import type { Span } from '../../core/time.ts'
import { decodeImage } from '../image.ts'
import { probe } from '../probe/probe.ts'
import { decodePass, type PassReport, type PassSettings } from './decode-pass.ts'

let media: MediaFolder
let whole: string

beforeAll(() => {
  media = mediaFolder()
  whole = media.ffmpeg('whole.mp4', picture(6), tone(6), h264, '-c:a aac')
})
afterAll(() => media.remove())

interface Seen {
  report: PassReport
  times: number[]
  stills: { time: number; width: number; height: number; jpeg: Uint8Array }[]
  sound: Int16Array
  progress: number[]
}

async function pass(path: string, settings: Partial<PassSettings> = {}, span?: Span): Promise<Seen> {
  const seen: Seen = { report: { errors: 0, notes: [] }, times: [], stills: [], sound: new Int16Array(), progress: [] }
  const pieces: Uint8Array[] = []
  const sinks = {
    small: ({ time, y, u, v }: { time: number; y: Uint8Array; u: Uint8Array; v: Uint8Array }) => {
      expect([y.length, u.length, v.length]).toEqual([64 * 36, 32 * 18, 32 * 18])
      seen.times.push(time)
    },
    still: (still: Seen['stills'][number]) => {
      seen.stills.push(still)
    },
    audio: (pcm: Uint8Array) => {
      expect(pcm.length % 2).toBe(0)
      pieces.push(Uint8Array.from(pcm))
    },
    progress: (seconds: number) => {
      seen.progress.push(seconds)
    },
  }
  seen.report = await decodePass(await probe(path), passSettings(settings), sinks, new AbortController().signal, span)
  const bytes = Buffer.concat(pieces)
  seen.sound = Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2))
  return seen
}

const stillTimes = (seen: Seen) => seen.stills.map(still => Number(still.time.toFixed(3)))
const loudFrom = (sound: Int16Array) => sound.findIndex(sample => Math.abs(sample) > 500) / 16_000

// The times that ffprobe gives a file's frames, from their start: what ours are held against.
function presentationTimes(path: string): number[] {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', path]
  const times = execFileSync('ffprobe', args).toString().split('\n').filter(Boolean).map(Number.parseFloat)
  return times.map(time => Number((time - times[0]!).toFixed(3)))
}

describe('one pass', () => {
  test('gives every frame, a still a second and all the sound', async () => {
    const seen = await pass(whole)
    expect(seen.report).toMatchObject({ picture: { first: 0, last: 5.96, frames: 150 }, errors: 0, notes: [] })
    expect(seen.times.map(time => Number(time.toFixed(3)))).toEqual(presentationTimes(whole))
    expect(stillTimes(seen)).toEqual([0, 1, 2, 3, 4, 5])
    expect(seen.stills.map(still => [still.width, still.height])).toEqual(Array(6).fill([320, 180]))
    expect(seen.report.audio?.seconds).toBeCloseTo(6, 1)
    expect(seen.sound.length / 16_000).toBeCloseTo(6, 1)
    expect(seen.progress.at(-1)).toBeGreaterThan(5)
  })

  test('stills are JPEGs of what is on screen, as wide and as many as asked for', async () => {
    const seen = await pass(whole, { stillsPerSecond: 0.5, stillWidth: 160 })
    expect(stillTimes(seen)).toEqual([0, 2, 4])
    const { width, height, rgb } = await decodeImage(seen.stills[1]!.jpeg)
    expect([width, height]).toEqual([160, 90])
    const [straight] = await rawFrames(whole, 2, 160, 90)
    const difference = rgb.reduce((sum, value, i) => sum + Math.abs(value - straight![i]!), 0) / rgb.length
    expect(difference).toBeLessThan(8)
  })

  test('a span alone: its frames, its sound, on the same clock', async () => {
    const { report, times, sound } = await pass(whole, {}, { start: 2, end: 4 })
    expect(times.map(time => Number(time.toFixed(2)))).toEqual(
      Array.from({ length: 50 }, (_, i) => Number((2 + i * 0.04).toFixed(2))),
    )
    expect(report.picture).toEqual({ first: 2, last: 3.96, frames: 50 })
    expect(sound.length).toBe(32_000)
  })

  test('spans side by side add up to the whole', async () => {
    const all = await pass(whole)
    const halves = [await pass(whole, {}, { start: 0, end: 2.5 }), await pass(whole, {}, { start: 2.5, end: 6 })]
    const joined = halves.flatMap(half => half.times.map(time => Number(time.toFixed(3))))
    expect(joined).toEqual(all.times.map(time => Number(time.toFixed(3))))
  })

  test('slow sinks lose nothing, whichever of them is slow', async () => {
    const slowly = async () => {
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    const video = await probe(media.ffmpeg('busy.mp4', picture(8, '640x360', 50), tone(8), h264))
    let count = { small: 0, stills: 0, bytes: 0 }
    for (const slow of ['small', 'still', 'audio']) {
      count = { small: 0, stills: 0, bytes: 0 }
      const wait = (sink: string) => (sink === slow ? slowly() : undefined)
      const settings = passSettings({ stillsPerSecond: 20 })
      const sinks = {
        small: () => {
          count.small++
          return wait('small')
        },
        still: () => {
          count.stills++
          return wait('still')
        },
        audio: (pcm: Uint8Array) => {
          count.bytes += pcm.length
          return wait('audio')
        },
      }
      await decodePass(video, settings, sinks, new AbortController().signal)
      expect(count).toMatchObject({ small: 400, stills: 160 })
      expect(count.bytes / 32_000).toBeCloseTo(8, 1)
    }
  })

  test('an abort stops it at once, and a sink that breaks is the error', async () => {
    const video = await probe(whole)
    const abort = new AbortController()
    const stopped = decodePass(video, passSettings(), { small: () => abort.abort() }, abort.signal)
    await expect(stopped).rejects.toBeInstanceOf(InterruptedError)
    const full = () => {
      throw new Error('the disk is full')
    }
    await expect(decodePass(video, passSettings(), { still: full }, new AbortController().signal)).rejects.toThrow(
      'the disk is full',
    )
  })
})

describe('the clock', () => {
  test('fault 07: of a variable frame rate', async () => {
    const choose = "select='not(mod(n,7))+lt(mod(n,50),9)'"
    const path = media.ffmpeg('vfr.mp4', picture(6, '320x180', 50), ['-vf', choose], '-fps_mode vfr', h264)
    const seen = await pass(path)
    expect(seen.times.map(time => Number(time.toFixed(3)))).toEqual(presentationTimes(path))
    expect(
      new Set(seen.times.slice(1).map((time, i) => Math.round((time - seen.times[i]!) * 1000))).size,
    ).toBeGreaterThan(2)
  })

  test('of 23.976 frames a second, ten hours in', async () => {
    const path = media.ffmpeg('film.mp4', picture(3, '64x36', 24000 / 1001), h264)
    const late = media.ffmpeg('film.mkv', ['-i', path], '-c copy -output_ts_offset 36000')
    const { times, report } = await pass(late)
    expect(times).toHaveLength(report.picture?.frames ?? 0)
    // Matroska counts milliseconds: none may be lost ten hours in.
    for (const [i, time] of times.entries()) expect(Math.abs(time - (i * 1001) / 24000)).toBeLessThan(0.0011)
  })

  test.each(['mkv', 'ts'])('of a %s file that starts at 100 s', async kind => {
    const { times, sound, report } = await pass(
      media.ffmpeg(`late.${kind}`, ['-i', whole], '-c copy -output_ts_offset 100'),
    )
    // The encoder's lead-in of 64 ms is the first sound there is.
    expect(times[0]).toBeLessThan(0.07)
    expect(Math.abs((report.picture?.last ?? 0) - 6)).toBeLessThan(0.1)
    expect(Math.abs(sound.length / 16_000 - 6)).toBeLessThan(0.15)
  })

  test('a sound that starts later than the picture has silence before it', async () => {
    const path = media.ffmpeg('late-sound.mkv', picture(4), ['-itsoffset', '2', ...tone(2)], h264, '-c:a pcm_s16le')
    const { sound } = await pass(path)
    expect(loudFrom(sound)).toBeCloseTo(2, 2)
  })

  test('a gap in the sound is filled, so that what follows is in its place', async () => {
    const gap = "aselect='lt(t,1)+gte(t,3)'"
    const path = media.ffmpeg('gap.mkv', picture(4), tone(4), ['-af', gap], h264, '-c:a pcm_s16le')
    const { sound } = await pass(path)
    const loud = (from: number, to: number) =>
      sound.subarray(from * 16_000, to * 16_000).some(sample => Math.abs(sample) > 500)
    expect([loud(0, 0.95), loud(1.1, 2.9), loud(3.05, 3.9)]).toEqual([true, false, true])
  })

  test('a picture that starts later than the sound keeps its place', async () => {
    const path = media.ffmpeg('late-picture.mkv', ['-itsoffset', '1.6', ...picture(2)], tone(4), h264, '-c:a pcm_s16le')
    const { times, stills } = await pass(path)
    expect(times[0]).toBeCloseTo(1.6, 2)
    expect(stills[0]!.time).toBeCloseTo(1.6, 2)
  })

  test('a recording joined from two, whose clock starts again, goes on', async () => {
    const part = readFileSync(media.ffmpeg('part.ts', ['-i', whole], '-c copy'))
    writeFileSync(media.path('joined.ts'), Buffer.concat([part, part]))
    const { times, sound, report } = await pass(media.path('joined.ts'))
    expect(times).toHaveLength(300)
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
    expect(times.at(-1)).toBeCloseTo(12, 0)
    expect(sound.length / 16_000).toBeCloseTo(12, 0)
    expect(report.notes[0]).toContain('goes on to 0:12')
  })
})

describe('the picture', () => {
  test('fault 09: turned, it comes upright', async () => {
    const bars = media.ffmpeg(
      'bars.mp4',
      ['-f', 'lavfi', '-i', 'color=red:s=160x90:d=1,drawbox=0:0:80:90:blue:fill'],
      h264,
    )
    const { stills } = await pass(media.ffmpeg('turned.mp4', ['-i', bars], '-c copy -metadata:s:v rotate=90'))
    const { width, height, rgb } = await decodeImage(stills[0]!.jpeg)
    expect([width, height]).toEqual([90, 160])
    // Left half blue, turned anticlockwise (as the display matrix says): the lower half is blue.
    const at = (x: number, y: number) => [...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
    const blue = ([red, , blue]: number[]) => blue! > red!
    expect([blue(at(45, 40)), blue(at(45, 120))]).toEqual([false, true])
  })

  test('fault 09: with pixels that are not square, it comes in its true shape', async () => {
    const { stills } = await pass(media.ffmpeg('wide.mp4', picture(1, '240x180'), '-vf setsar=4/3', h264))
    expect([stills[0]!.width, stills[0]!.height]).toEqual([320, 180])
  })

  test('a size that changes in the middle changes nothing for us', async () => {
    const parts = ['320x180', '640x360'].map((size, i) =>
      readFileSync(media.ffmpeg(`size-${i}.ts`, picture(2, size), h264, `-output_ts_offset ${i * 2}`)),
    )
    writeFileSync(media.path('sizes.ts'), Buffer.concat(parts))
    const { times, stills, report } = await pass(media.path('sizes.ts'))
    expect(times).toHaveLength(100)
    expect(times.at(-1)).toBeCloseTo(3.96, 2)
    expect(new Set(stills.map(still => `${still.width}x${still.height}`))).toEqual(new Set(['320x180']))
    expect(report.notes).toEqual([])
  })

  test('fault 10: HDR is turned into standard range', async () => {
    const pale =
      '-c:v libx265 -pix_fmt yuv420p10le -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc -x265-params log-level=error'
    const grey = ['-f', 'lavfi', '-i', 'color=0x808080:s=160x90:d=1:r=5']
    const { stills } = await pass(media.ffmpeg('hdr.mp4', grey, pale))
    const { rgb } = await decodeImage(stills[0]!.jpeg)
    const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length
    figure(`a PQ grey of 128 becomes ${mean.toFixed(0)}`)
    // PQ code 0.5 is about 92 nits, near white on a standard screen; left alone it stays at 128.
    expect(mean).toBeGreaterThan(150)
  })

  test('fault 08: one frame is one frame', async () => {
    const { report, stills } = await pass(media.ffmpeg('one.mp4', picture(1), '-frames:v 1', h264))
    expect(report.picture).toEqual({ first: 0, last: 0, frames: 1 })
    expect(stills).toHaveLength(1)
  })
})

describe('damage', () => {
  test.each(['mp4', 'mkv'])('half a %s file is decoded as far as it goes, and the report says how far', async kind => {
    const bytes = readFileSync(media.ffmpeg(`full.${kind}`, ['-i', whole], '-c copy -movflags +faststart'))
    writeFileSync(media.path(`half.${kind}`), bytes.subarray(0, bytes.length / 2))
    const video = await probe(media.path(`half.${kind}`))
    const { report } = await pass(media.path(`half.${kind}`))
    expect(video.duration).toBeGreaterThan(5.9)
    expect(report.picture?.last).toBeGreaterThan(1)
    expect(report.picture?.last).toBeLessThan(5)
    expect(report.audio?.seconds).toBeLessThan(5)
  })

  test('flipped bits are counted as errors, and the rest is there', async () => {
    const bytes = readFileSync(whole)
    for (let i = 0; i < 60; i++) bytes[Math.floor(bytes.length * (0.1 + 0.012 * i))]! ^= 0x55
    writeFileSync(media.path('flipped.mp4'), bytes)
    const { report } = await pass(media.path('flipped.mp4'))
    expect(report.errors).toBeGreaterThan(0)
    expect(report.picture?.frames).toBeGreaterThan(100)
  })

  test('a sound that cannot be decoded does not keep the picture from being seen', async () => {
    const path = media.ffmpeg('odd.mkv', picture(2), tone(2), h264, '-c:a pcm_s16le')
    const video = await probe(path)
    const broken = { ...video, sound: video.sound && { ...video.sound, index: 7 } } // a stream that ffmpeg will not find
    const times: number[] = []
    const sinks = { small: ({ time }: { time: number }) => void times.push(time), audio: () => undefined }
    const report = await decodePass(broken, passSettings(), sinks, new AbortController().signal)
    expect(times).toHaveLength(50)
    expect(report.audio).toBeUndefined()
    expect(report.notes[0]).toContain('sound could not be decoded')
  })

  test('nothing that can be decoded is an error with the reason', async () => {
    const video = await probe(media.ffmpeg('silent.mp4', picture(1), h264))
    const broken = { ...video, picture: video.picture && { ...video.picture, index: 7 } }
    const run = decodePass(broken, passSettings(), { small: () => undefined }, new AbortController().signal)
    await expect(run).rejects.toBeInstanceOf(BackendError)
  })

  test('sound alone, or nobody who wants anything', async () => {
    const song = media.ffmpeg('song.mp3', tone(3))
    const { report, progress } = await pass(song)
    expect(report.picture).toBeUndefined()
    expect(report.audio?.seconds).toBeCloseTo(3, 0)
    expect(progress.length).toBeGreaterThan(1)
    expect(await decodePass(await probe(song), passSettings(), {}, new AbortController().signal)).toEqual({
      errors: 0,
      notes: [],
    })
  })
})

const real = join(dirname(new URL(import.meta.url).pathname), '../../../shared/assets/video/autoeditor-example.mp4')
const there = (() => {
  try {
    return readFileSync(real).length > 0
  } catch {
    return false
  }
})()

test.skipIf(!there)(
  `a real recording: 1272 frames${there ? '' : ' (skipped: the shared files are not here)'}`,
  async () => {
    const { report } = await pass(real)
    expect(report.picture).toEqual({ first: 0, last: 42.367, frames: 1272 })
  },
)

// Frames taken by ffmpeg alone, by a way of its own.
async function rawFrames(path: string, time: number, width: number, height: number): Promise<Uint8Array[]> {
  const filter = `select=gte(t\\,${time - 0.001}),scale=${width}:${height}`
  const args = ['-v', 'error', '-i', path, '-vf', filter, '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  return [execFileSync('ffmpeg', args)]
}
