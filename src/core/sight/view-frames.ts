import { BackendError } from '../errors.ts'
import type { Box } from '../evidence.ts'
import { formatSpan, type Span } from '../time.ts'
import type { ToolContext } from '../tool.ts'
import { type Frame, lostSpans } from '../video.ts'
import { chooseFrameTimes, evenMoments } from './moments.ts'
import { type Region, regionBox } from './region.ts'

type Camera = Pick<ToolContext, 'frames' | 'index' | 'signal'>

interface FrameWish {
  span: Span
  frames?: number // how many; by default two a second, up to 64
  region?: Region // cut out of the whole frame before it is scaled
  width?: number // pixels of what is returned, at most
}

// Frames of a span at equal distances, each once, decoded from the file, with the time at which each came up. What could not be decoded is left out; if that is all, the call fails.
export async function spanFrames(context: Camera, { span, frames, region, width }: FrameWish): Promise<Frame[]> {
  const times = frames === undefined ? chooseFrameTimes(span) : evenMoments(span, frames)
  const lost = lostSpans(context.index.coverage, 'picture', span)
  const whole = times.filter(time => !lost.some(gap => time >= gap.start && time < gap.end))
  if (whole.length === 0 && times.length > 0)
    throw new BackendError(`The picture of ${formatSpan(span)} could not be decoded.`, {
      hint: 'The file is damaged there; look at another span.',
    })
  return framesAt(context, whole, width, { box: region && regionBox(region) })
}

// Frames at the moments, each once, in time order; keyframes up to `near` seconds before them will do.
export async function framesAt(
  context: Pick<ToolContext, 'frames' | 'signal'>,
  times: readonly number[],
  width?: number,
  { box, near }: { box?: Box; near?: number } = {},
): Promise<Frame[]> {
  if (times.length === 0) return []
  const { frames } = await decodeForView(context, times, { width, near, region: box })
  return [...new Map(frames.map(frame => [frame.time, frame])).values()].sort((a, b) => a.time - b.time)
}

interface DecodedFrames {
  frames: Frame[]
  failed: number[] // moments at which nothing can be decoded
}

// A part of the file that cannot be decoded does not take the other frames with it; if there are none, this throws.
async function decodeForView(
  context: Pick<ToolContext, 'frames' | 'signal'>,
  times: readonly number[],
  { width, near, region }: { width?: number; near?: number; region?: ReturnType<typeof regionBox> },
): Promise<DecodedFrames> {
  const all = await context.frames([...times], width, near, region).catch((error: unknown) => {
    context.signal.throwIfAborted()
    if (times.length === 1) throw error
    return undefined
  })
  if (all) return { frames: all, failed: [] }
  const frames: Frame[] = []
  const failed: number[] = []
  let why: unknown
  for (const time of times) {
    try {
      frames.push(...(await context.frames([time], width, near, region)))
    } catch (error) {
      context.signal.throwIfAborted()
      why ??= error
      failed.push(time)
    }
  }
  if (frames.length === 0) throw why
  return { frames, failed }
}
