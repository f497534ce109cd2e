import { afterAll, beforeAll, expect, test } from 'vitest'
import { handMadeContext, handMadeIndex } from '../../../tests/agent/hand-made-index.ts'
import { type MediaFolder, mediaFolder } from '../../../tests/media-fixtures.ts'
import { decodeFrames } from '../../media/frames.ts'
import { probe } from '../../media/probe/probe.ts'
import type { ToolContext } from '../tool.ts'
import type { Frame, Video } from '../video.ts'
import { Region } from './region.ts'
import { spanFrames } from './view-frames.ts'

let media: MediaFolder
let video: Video
let context: ToolContext

// Four seconds of a blue picture with a red quarter at its bottom right.
beforeAll(async () => {
  media = mediaFolder()
  const drawn = 'color=blue:s=320x180:r=10:d=4,drawbox=160:90:160:90:red:fill'
  video = await probe(media.ffmpeg('quarter.mp4', ['-f', 'lavfi', '-i', drawn], '-c:v libx264 -preset ultrafast'))
  context = {
    ...handMadeContext({ ...handMadeIndex({ duration: video.duration, rows: [] }), video }),
    frames: (times, width, near, region) => decodeFrames(video, times, { width, near, region }),
  }
})
afterAll(() => media.remove())

function meanColour({ rgb, width, height }: Frame) {
  const mean = [0, 1, 2].map(at => rgb.filter((_, i) => i % 3 === at).reduce((sum, value) => sum + value, 0))
  const [red = 0, , blue = 0] = mean.map(sum => sum / (width * height))
  return { width, height, red, blue }
}

test('frames of a span come once each, from its first to its last', async () => {
  const times = (await spanFrames(context, { span: { start: 1, end: 4 }, frames: 7 })).map(frame => frame.time)
  expect(times).toHaveLength(7)
  expect([times[0], times.at(-1)]).toEqual([1, 3.9])
  const close = await spanFrames(context, { span: { start: 1, end: 1.3 }, frames: 8 })
  expect(close.map(frame => frame.time)).toEqual([1, 1.1, 1.2])
})

test('a region is cut out of the whole frame, by its place or as a box', async () => {
  const view = async (region: Region | undefined, width?: number) => {
    const [frame] = await spanFrames(context, { span: { start: 2, end: 2 }, region, width })
    return meanColour(frame!)
  }
  const corner = await view('bottom-right', 128)
  expect([corner.width, corner.height]).toEqual([128, 72])
  expect(corner.red).toBeGreaterThan(200)
  const left = await view({ x: 0, y: 0.5, width: 0.5, height: 0.5 })
  expect([left.width, left.height]).toEqual([160, 90])
  expect(left.blue).toBeGreaterThan(200)
  expect((await view(undefined)).width).toBe(320)
  expect((await view({ x: 1, y: 1, width: 1, height: 1 })).width).toBeGreaterThan(0)
  expect(Region.safeParse('upper-left').success).toBe(false)
})
