import { BackendError } from '../core/errors.ts'
import type { Box } from '../core/evidence.ts'
import { formatTime, roundTime, type Span } from '../core/time.ts'
import type { Frame, PictureStream, Video } from '../core/video.ts'
import { FrameClock, openingClock, timeUntimed } from './ffmpeg/clock.ts'
import { ffmpegArguments } from './ffmpeg/ffmpeg-arguments.ts'
import { cropTo, fittingSize, scaleTo, timesTo, toneMap } from './ffmpeg/filters.ts'
import { FrameTimes } from './ffmpeg/frame-times.ts'
import { splitBlocks } from './ffmpeg/split-bytes.ts'
import { quoteName } from './file/local-file.ts'
import { lastLine, runProgram } from './program/run-program.ts'

const atOnce = 2
// How far back to look for the frame that is on screen at a moment: one frame as a rule, more where frames stand still for long.
const reachSeconds = [3, 30, 600]

interface FrameOptions {
  width?: number
  region?: Box // cut out before the frame is scaled
  near?: number // seconds: a keyframe that lies so near before is taken in place of the exact frame, which saves decoding up to it
}

// The frames on screen at these moments, exact unless `near` is set, from the file itself; `time` is when each one came up.
// Before the first frame it is the first, after the last the last.
export async function decodeFrames(
  video: Video,
  times: number[],
  wish: FrameOptions = {},
  signal?: AbortSignal,
): Promise<Frame[]> {
  const { picture } = video
  if (!picture) throw new BackendError(`${quoteName(video.name)} has no picture.`)
  const frames: Frame[] = new Array(times.length)
  const groups = wish.near ? times.map((time, i) => [{ time, i }]) : neighbours(times, video, picture, wish)
  const waiting = groups.values() // shared, so that each is taken once
  const decodeGroups = async () => {
    for (const group of waiting) {
      const passed = group.length > 1 ? await inOnePass(video, picture, group, wish, signal) : []
      for (const [at, { time, i }] of group.entries())
        frames[i] = passed[at] ?? (await frameAt(video, picture, time, wish, signal))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, groups.length) }, decodeGroups))
  return frames
}

interface Wanted {
  time: number
  i: number // its place among the times that are asked for
}

const mostBetween = 64e6 // bytes of frames from one moment to the next
const farthest = 3 // seconds, likewise: from a keyframe to a moment, as a rule
// Seconds of a processor, measured: ffmpeg before it has read anything, a frame that is decoded and handed over, and a pixel of it.
const cost = { start: 0.1, frame: 4e-5, pixel: 1e-8 }

// Moments so near to each other that decoding all between them costs less than entering the file for each. In time order.
function neighbours(
  times: readonly number[],
  video: Video,
  picture: PictureStream,
  { width, region }: FrameOptions,
): Wanted[][] {
  const size = computeSize(picture, { width, region })
  const { frameRate = 25 } = picture
  const framesOfStart = cost.start / (cost.frame + cost.pixel * picture.width * picture.height)
  const perSecond = size.width * size.height * 3 * frameRate
  const reach = Math.min(Math.max(farthest, framesOfStart / frameRate), mostBetween / perSecond)
  const requests = times.map((time, i): Wanted => ({ time: shownTime(video, picture, time), i }))
  const groups: Wanted[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const request of requests.sort((a, b) => a.time - b.time)) {
    if (request.time - before <= reach) groups.at(-1)?.push(request)
    else groups.push([request])
    before = request.time
  }
  return groups
}

// The frames of a group; of a moment before which nothing came up in the pass there is none.
async function inOnePass(
  video: Video,
  picture: PictureStream,
  group: readonly Wanted[],
  { width, region }: FrameOptions,
  signal?: AbortSignal,
): Promise<(Frame | undefined)[]> {
  const framesFound: (Frame | undefined)[] = []
  let last: Frame | undefined
  const take = (frame: Frame) => {
    while (framesFound.length < group.length && frame.time > group[framesFound.length]!.time + tolerance)
      framesFound.push(last)
    last = frame
  }
  const [from, to] = [group[0]!.time, group.at(-1)!.time]
  const span = { start: Math.max(0, from - shortReach(picture)), end: to + tolerance }
  await decoded(video, picture, span, { width, region, take }, signal)
  while (framesFound.length < group.length) framesFound.push(last)
  return framesFound
}

const maxEnlarged = 3 // times: more shows nothing new

// A part that is cut out is enlarged, so that small text is not looked at in its few pixels.
function computeSize(
  { width, height }: PictureStream,
  { width: max, region }: FrameOptions,
): { width: number; height: number } {
  if (!region) return fittingSize({ width, height }, max)
  const regionWidth = width * region.width
  const times = max ? Math.max(1, Math.min(maxEnlarged, max / regionWidth)) : 1
  return fittingSize({ width: regionWidth * times, height: height * region.height * times }, max)
}

// A frame, or a little more, of a steady picture.
function shortReach({ frameRate = 25 }: PictureStream): number {
  return 2.5 / frameRate
}

function shownTime(video: Video, picture: PictureStream, wanted: number): number {
  const first = Math.max(0, picture.start - video.start)
  return Math.min(Math.max(wanted, first), Math.max(first, video.duration))
}

async function frameAt(
  video: Video,
  picture: PictureStream,
  wanted: number,
  { width, region, near = 0 }: FrameOptions,
  signal?: AbortSignal,
): Promise<Frame> {
  const time = shownTime(video, picture, wanted)
  if (near > 0) {
    const span = { start: time, end: time + tolerance }
    const { frame } = await decoded(video, picture, span, { width, region, first: true }, signal)
    if (frame && Math.abs(frame.time - time) <= near) return frame
  }
  let reason = ''
  for (const reach of [shortReach(picture), ...reachSeconds]) {
    const start = Math.max(0, time - reach)
    const decodedFrame = await decoded(video, picture, { start, end: time + tolerance }, { width, region }, signal)
    if (decodedFrame.frame) return decodedFrame.frame
    reason ||= decodedFrame.said
    if (start === 0) break
  }
  throw new BackendError(
    `${quoteName(video.name)} has no picture that can be decoded at ${formatTime(wanted)}${reason ? `: ${reason}` : ''}.`,
  )
}

// Times are given in milliseconds in many places; the frame that comes up within one still counts as on screen.
const tolerance = 0.001

// The last frame of a span, with all of them to `take`, or the first that is decoded on entering the file there: the keyframe before it.
async function decoded(
  video: Video,
  picture: PictureStream,
  span: Span,
  {
    first = false,
    take = () => {},
    ...wish
  }: Omit<FrameOptions, 'near'> & { first?: boolean; take?(frame: Frame): void },
  signal?: AbortSignal,
): Promise<{ frame?: Frame; said: string }> {
  // Streams without an index are entered somewhere near; a run-up makes sure that a keyframe lies before the span.
  const runUp = /mpegts|mpeg/.test(video.container) ? 5 : 0
  const clock = openingClock({ ...video, sound: undefined }, { start: Math.max(0, span.start - runUp), end: span.end })
  const size = computeSize(picture, wish)
  const at = (seconds: number) => (clock.zero + seconds).toFixed(6)
  const trim = first ? '' : `,trim=start=${at(span.start)}:end=${at(span.end)}`
  const args = ffmpegArguments({
    input: video,
    inputOptions: clock.inputOptions,
    graph: [
      `[0:${picture.index}]${timeUntimed(picture, clock)}settb=1/1000000${trim}${cropTo(wish.region)},${scaleTo(size)},setsar=1,${(await toneMap(picture)) ?? 'null'},format=rgb24,${timesTo(3)}[frames]`,
    ],
    outputs: [
      {
        options: [
          '-map',
          '[frames]',
          ...(first ? ['-frames:v', '1'] : []),
          '-fps_mode',
          'passthrough',
          '-f',
          'rawvideo',
        ],
        pipe: 4,
      },
    ],
  })
  const times = new FrameTimes()
  const frameClock = new FrameClock(clock.zero, picture.frameRate)
  let frame: Frame | undefined
  const keepLast = async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const blocks of splitBlocks(bytes, size.width * size.height * 3)) {
      for (const rgb of blocks) {
        frame = { time: roundTime(frameClock.time(await times.take())), ...size, rgb }
        take(frame)
      }
    }
  }
  const { stderr } = await runProgram('ffmpeg', args, {
    signal,
    pipes: [times.read, keepLast],
    failure: 'return',
    stallSeconds: 180,
  })
  return { frame, said: lastLine(stderr) }
}
