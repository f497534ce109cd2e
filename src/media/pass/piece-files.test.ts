import { execFileSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MediaFolder, mediaFolder, tone } from '../../../tests/media-fixtures.ts'
import { probe } from '../probe/probe.ts'
import { pieceFiles } from './piece-files.ts'
import { findSplitPoints } from './split-points.ts'

let media: MediaFolder
beforeAll(() => {
  media = mediaFolder()
})
afterAll(() => media.remove())

const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=96x64:r=25:d=${seconds}`]
const coding = '-c:v libx264 -preset fast -pix_fmt yuv420p -g 25 -bf 3'

// "microseconds checksum" of each frame that is shown at or after a moment.
function frames(input: string, from: number): string[] {
  const args = `-nostdin -v error -copyts -protocol_whitelist file,concat,subfile -f mov -i`.split(' ')
  const out = '-map 0:v -vf settb=1/1000000 -enc_time_base 1:1000000 -fps_mode passthrough -f framemd5 -'.split(' ')
  const lines = execFileSync('ffmpeg', [...args, input, ...out])
    .toString()
    .split('\n')
    .filter(line => /^0,/.test(line))
    .map(line => line.split(',').map(part => part.trim()))
  return lines.filter(([, , pts]) => Number(pts) >= from * 1e6 - 1).map(([, , pts, , , sum]) => `${pts} ${sum}`)
}

async function keep(name: string, bytes: Uint8Array): Promise<string> {
  writeFileSync(media.path(name), bytes)
  return media.path(name)
}

async function openPieces(path: string) {
  const video = await probe(path)
  const { times } = await findSplitPoints(video, 2, new AbortController().signal)
  return { times, files: await pieceFiles(video, times, keep) }
}

describe('a piece of a file, opened by itself', () => {
  test.each([
    ['usual', '-c:a aac'],
    ['with its tables first', '-c:a aac -movflags +faststart'],
    ['with a clock that starts at 40 s', '-c:a aac -output_ts_offset 40'],
    ['of QuickTime', '-c:a pcm_s16le -f mov'],
    ['in units of 1/90000', '-c:a aac -video_track_timescale 90000'],
  ])('%s: has the frames and the times of the whole', async (name, options) => {
    const path = media.ffmpeg(`${name.replace(/\W/g, '-')}.mp4`, picture(9), tone(9), coding, options)
    const { times, files } = await openPieces(path)
    expect(times.length).toBeGreaterThan(2)
    for (const [piece, from] of [-100, ...times].entries()) {
      const input = (await files?.input(piece)) as string
      const own = frames(input, from)
      const whole = frames(`file:${path}`, from)
      expect(own.length).toBeGreaterThan(25)
      // What lies after its end is read a little only, and its last frames lack those that they are built on.
      const sure = piece === times.length ? whole.length : own.length - 20
      expect(own.slice(0, sure)).toEqual(whole.slice(0, sure))
    }
    await files?.close()
  })

  test('is left to ffmpeg where the file is in fragments, leaves out frames, or has a name that cannot be joined', async () => {
    const whole = media.ffmpeg('uncut.mp4', picture(8), tone(8), coding, '-c:a aac')
    const fragments = media.ffmpeg('fragments.mp4', ['-i', whole], '-c copy -movflags +frag_keyframe+empty_moov')
    const cut = media.ffmpeg('cut.mp4', ['-ss', '1.5', '-i', whole], '-c copy')
    for (const path of [fragments, cut]) expect((await openPieces(path)).files).toBeUndefined()
    renameSync(whole, media.path('a|b.mp4'))
    expect((await openPieces(media.path('a|b.mp4'))).files).toBeUndefined()
  })
})
