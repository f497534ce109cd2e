import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import type { Video } from '../../core/video.ts'
import { openingClock } from '../ffmpeg/clock.ts'
import { probe } from '../probe/probe.ts'
import { decodePass } from './decode-pass.ts'
import { chooseDecoder, whyNoCudaDecoding } from './decoder.ts'
import { type PassWork, passArguments } from './pass-command.ts'
import { runPass } from './pass-run.ts'

const { signal } = new AbortController()
const hasCard = existsSync('/dev/nvidiactl') || existsSync('/dev/dxg') || process.platform === 'win32'

let media: MediaFolder
let video: Video
beforeAll(async () => {
  media = mediaFolder()
  video = await probe(media.ffmpeg('clip.mp4', picture(2), h264))
})
afterAll(() => media.remove())

const workOf = (changes: Partial<PassWork> = {}): PassWork => ({
  video,
  picture: video.picture,
  stills: { perSecond: 1, width: 320, height: 180 },
  clock: openingClock(video),
  level: 'thorough',
  ...changes,
})

describe.skipIf(hasCard)('on a machine without a graphics card', () => {
  test('auto takes the processor and says why; the report keeps it', async () => {
    const why = 'there is no NVIDIA card here'
    expect(await chooseDecoder(workOf(), 'auto', signal)).toEqual({ used: 'software', why })
    const settings = passSettings({ decoder: 'auto' })
    const report = await decodePass(video, settings, { small() {} }, signal)
    expect(report.decoder).toEqual({ used: 'software', why })
    expect(report.picture?.frames).toBe(50)
  })

  test('cuda is an error that names the file, the reason and the next step, before anything is decoded', async () => {
    let frames = 0
    const pass = decodePass(video, passSettings({ decoder: 'cuda' }), { small: () => void frames++ }, signal)
    await expect(pass).rejects.toMatchObject({
      message: expect.stringMatching(/"cuda", and .*clip\.mp4.* cannot be decoded .*: there is no NVIDIA card here\.$/),
      hint: expect.stringContaining('index.decoder to auto or software'),
      exitCode: 2,
    })
    expect(frames).toBe(0)
  })

  test('the command for the card fails and shows nothing: it never decodes elsewhere in silence', async () => {
    let frames = 0
    const count = () => void frames++
    const { code } = await runPass(workOf({ decoder: 'cuda' }), { small: count, still: count, sound() {} }, signal)
    expect(code).not.toBe(0)
    expect(frames).toBe(0)
  })

  test('doctor says so', async () => {
    expect(await whyNoCudaDecoding()).toBe('there is no NVIDIA card here')
  })
})

test('software was asked for, or there is no picture: no card is looked for', async () => {
  expect(await chooseDecoder(workOf(), 'software', signal)).toEqual({ used: 'software' })
  expect(await chooseDecoder(workOf({ picture: undefined }), 'cuda', signal)).toEqual({ used: 'software' })
})

describe('the command', () => {
  test('for the card decodes and makes small there; what comes into memory is small', async () => {
    const args = await passArguments(workOf({ decoder: 'cuda' }))
    const input = args.indexOf('-i')
    const before = args.slice(0, input).join(' ')
    expect(before).toContain('-hwaccel cuda -hwaccel_output_format cuda')
    const graph = args[args.indexOf('-filter_complex') + 1]!
    expect(graph.match(/scale_cuda=[^,]*,hwdownload,format=yuv420p/g)).toHaveLength(2)
    expect(graph).toContain('scale_cuda=256:144')
    expect(graph).toContain('scale_cuda=320:180')
    for (const chain of graph.split(';').slice(1))
      expect(chain.indexOf('hwdownload')).toBeLessThan(chain.indexOf(',scale='))
  })

  test('for the processor is what it was', async () => {
    const plain = await passArguments(workOf())
    expect(plain).toEqual(await passArguments(workOf({ decoder: 'software' })))
    expect(plain.join(' ')).not.toMatch(/cuda|hwdownload/)
  })

  test('for sound alone asks nothing of the card', async () => {
    const args = await passArguments(workOf({ decoder: 'cuda', picture: undefined, sound: undefined }))
    expect(args.join(' ')).not.toContain('cuda')
  })
})
