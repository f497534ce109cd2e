import { BackendError } from '../core/errors.ts'
import { formatTime, roundTime, type Span } from '../core/time.ts'
import type { Frame, PictureStream, Video } from '../core/video.ts'
import { FrameClock, openingClock, timeUntimed } from './ffmpeg/clock.ts'
import { ffmpegArguments } from './ffmpeg/ffmpeg-arguments.ts'
import { fittingSize, scaleTo, timesTo, toneMap } from './ffmpeg/filters.ts'
import { FrameTimes } from './ffmpeg/frame-times.ts'
import { blocksOf } from './ffmpeg/split-bytes.ts'
import { quoteName } from './file/local-file.ts'
import { lastLine, runProgram } from './program/run-program.ts'

const atOnce = 2
// How far back to look for the frame that is on screen at a moment: one frame as a rule, more where frames stand still for long.
const reachSeconds = [3, 30, 600]

// The frames on screen at these moments, exact, from the file itself; `time` is when each one came up.
// Before the first frame it is the first, after the last the last.
export async function framesAt(
  video: Video,
  times: number[],
  { width }: { width?: number } = {},
  signal?: AbortSignal,
): Promise<Frame[]> {
  const { picture } = video
  if (!picture) throw new BackendError(`${quoteName(video.name)} has no picture.`)
  const frames: Frame[] = new Array(times.length)
  const waiting = times.entries() // shared, so that each is taken once
  const work = async () => {
    for (const [i, time] of waiting) frames[i] = await frameAt(video, picture, time, width, signal)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, times.length) }, work))
  return frames
}

async function frameAt(
  video: Video,
  picture: PictureStream,
  wanted: number,
  width: number | undefined,
  signal?: AbortSignal,
): Promise<Frame> {
  const first = Math.max(0, picture.start - video.start)
  const time = Math.min(Math.max(wanted, first), Math.max(first, video.duration))
  let said = ''
  for (const reach of [2.5 / (picture.frameRate ?? 25), ...reachSeconds]) {
    const start = Math.max(0, time - reach)
    const found = await lastFrame(video, picture, { start, end: time + tolerance }, width, signal)
    if (found.frame) return found.frame
    said ||= found.said
    if (start === 0) break
  }
  throw new BackendError(
    `${quoteName(video.name)} has no picture that can be decoded at ${formatTime(wanted)}${said ? `: ${said}` : ''}.`,
  )
}

// Times are given in milliseconds in many places; the frame that comes up within one still counts as on screen.
const tolerance = 0.001

async function lastFrame(
  video: Video,
  picture: PictureStream,
  span: Span,
  width: number | undefined,
  signal?: AbortSignal,
): Promise<{ frame?: Frame; said: string }> {
  // Streams without an index are entered somewhere near; a run-up makes sure that a keyframe lies before the span.
  const runUp = /mpegts|mpeg/.test(video.container) ? 5 : 0
  const clock = openingClock({ ...video, sound: undefined }, { start: Math.max(0, span.start - runUp), end: span.end })
  const size = fittingSize(picture, width)
  const at = (seconds: number) => (clock.zero + seconds).toFixed(6)
  const args = ffmpegArguments({
    input: video,
    inputOptions: clock.inputOptions,
    graph: [
      `[0:${picture.index}]${timeUntimed(picture, clock)}settb=1/1000000,trim=start=${at(span.start)}:end=${at(span.end)},${scaleTo(size)},setsar=1,${(await toneMap(picture)) ?? 'null'},format=rgb24,${timesTo(3)}[frames]`,
    ],
    outputs: [{ options: ['-map', '[frames]', '-fps_mode', 'passthrough', '-f', 'rawvideo'], pipe: 4 }],
  })
  const times = new FrameTimes()
  const frameClock = new FrameClock(clock.zero, picture.frameRate)
  let frame: Frame | undefined
  const keepLast = async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const blocks of blocksOf(bytes, size.width * size.height * 3)) {
      for (const rgb of blocks) frame = { time: roundTime(frameClock.time(await times.take())), ...size, rgb }
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
