import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import type { Span } from '../../core/time.ts'
import { probe } from '../probe/probe.ts'
import { decodePass, type PassReport } from './decode-pass.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

async function heard(path: string, span?: Span): Promise<{ report: PassReport; pcm: Buffer }> {
  const pieces: Uint8Array[] = []
  const video = await probe(path, { maxHours: 1000 })
  const sinks = { audio: (pcm: Uint8Array) => void pieces.push(pcm.slice()) }
  const report = await decodePass(video, passSettings(), sinks, new AbortController().signal, span)
  return { report, pcm: Buffer.concat(pieces) }
}

// Seconds in which there is a sound.
function loud(pcm: Buffer): number[] {
  const seconds = Array.from({ length: Math.floor(pcm.length / 32_000) }, (_, i) => i)
  return seconds.filter(second => {
    for (let i = 0; i < 16_000; i += 7) if (Math.abs(pcm.readInt16LE(second * 32_000 + i * 2)) > 500) return true
    return false
  })
}

const jumps = (name: string, expression: string, codec = 'flac') =>
  media.ffmpeg(name, tone(20), '-af', `asetpts='${expression}'`, `-c:a ${codec}`)

describe('gaps in the sound', () => {
  test('are filled with silence, and the report says where they are', async () => {
    const { report, pcm } = await heard(jumps('two.mka', 'PTS+if(gt(T,5),7,0)/TB+if(gt(T,12),3,0)/TB'))
    expect(report.audio?.gaps).toHaveLength(2)
    const [first, second] = report.audio?.gaps ?? []
    expect(first!.start).toBeCloseTo(5, 0)
    expect(first!.end - first!.start).toBeCloseTo(7, 1)
    expect(second!.end - second!.start).toBeCloseTo(3, 1)
    expect(report.audio?.seconds).toBeCloseTo(30, 0)
    expect(loud(pcm)).not.toContain(8)
    expect(loud(pcm)).toEqual(expect.arrayContaining([2, 4, 13, 18, 24, 28]))
  })

  test('a sound without gaps has none', async () => {
    expect((await heard(jumps('even.mka', 'PTS'))).report.audio?.gaps).toBeUndefined()
  })

  test('a clock that jumps by 1,000,000 seconds writes no silence, and the report names it', async () => {
    const { report, pcm } = await heard(jumps('far.mka', 'PTS+if(gt(T,10),1000000,0)/TB'))
    expect(pcm.length).toBeLessThan(25 * 32_000)
    expect(report.notes.join()).toMatch(/clock of the sound jumps from 0:1\d to 277:46:\d\d/)
  })

  test('many jumps of less than an hour write an hour of silence more than was heard, at most', async () => {
    const { report } = await heard(jumps('steps.mka', 'PTS+floor(T)*3000/TB'))
    expect(report.audio?.seconds).toBeLessThan(3700 + 20)
    expect(report.notes.join()).toContain('clock of the sound jumps')
  })

  test('one packet that lies far away costs nothing but itself', async () => {
    const { report, pcm } = await heard(jumps('stray.nut', 'PTS+if(between(N,100,100),500000,0)/TB', 'pcm_s16le'))
    expect(report.audio?.seconds).toBeCloseTo(20, 0)
    expect(loud(pcm)).toEqual(expect.arrayContaining([1, 10, 18]))
  })

  test('a sound that changes its rate in the middle goes on in its place', async () => {
    const first = media.ffmpeg('first.ts', tone(8), '-c:a aac -ar 44100')
    const second = media.ffmpeg('second.ts', tone(8), '-c:a aac -ac 2 -ar 32000 -output_ts_offset 8')
    writeFileSync(media.path('rate.ts'), Buffer.concat([readFileSync(first), readFileSync(second)]))
    const { report, pcm } = await heard(media.path('rate.ts'))
    expect(report.audio?.seconds).toBeCloseTo(16, 0)
    expect(loud(pcm)).toHaveLength(Math.floor(pcm.length / 32_000))
    expect(report.audio?.gaps).toBeUndefined()
  })

  test('fault 04: a hole in the bytes of a sound is a gap', async () => {
    const path = media.ffmpeg('whole.mkv', picture(12, '64x36'), tone(12), h264, '-c:a aac')
    const bytes = readFileSync(path)
    bytes.fill(0, Math.floor(bytes.length * 0.35), Math.floor(bytes.length * 0.7))
    writeFileSync(media.path('hole.mkv'), bytes)
    const { report } = await heard(media.path('hole.mkv'))
    expect(report.audio?.gaps).toHaveLength(1)
  })
})
