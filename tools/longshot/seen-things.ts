import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { Detection } from '../../src/core/services.ts'
import { formatTime, type Span } from '../../src/core/time.ts'
import type { ToolContext, ToolResult } from '../../src/core/tool.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { sampleMoments } from '../moments.ts'
import { missingServices, orMissing } from './fallbacks.ts'
import type { TimestampQuery } from './timestamp.ts'

const maxFrames = 8
const width = 960

interface Seen {
  by: string
  frames: { time: number; things: Detection[] }[]
}

// What the detector finds in frames of a segment (one frame where a single moment was named). Where no detector is set, the
// vision model is asked instead.
export async function seenIn(
  tool: string,
  { span, moment, note }: TimestampQuery,
  labels: string[],
  vision: { question: string; remark: string },
  context: ToolContext,
): Promise<Seen | ToolResult> {
  const detector = await orMissing(context.services.detect)
  if (detector instanceof UsageError) {
    const model = await orMissing(context.services.vision)
    if (model instanceof UsageError) throw missingServices(tool, 'a detector or a vision model', [detector, model])
    const { evidence, text } = await look.run({ ...span, question: vision.question, frames: 8 }, context)
    return { evidence, ...remarks(vision.remark, text, note) }
  }
  const times = moment ? [(span.start + span.end) / 2] : sampleMoments(span, context.index, maxFrames)
  const frames = await context.frames(times, width)
  const thingsByFrame = await detector.service.detect(frames, labels, context.signal)
  return { by: detector.by, frames: frames.map(({ time }, at) => ({ time, things: thingsByFrame[at] ?? [] })) }
}

// The frame that shows the largest number of one thing; undefined if no frame shows it.
export function maxAtOnce({ frames }: Seen, label: string) {
  const counts = frames.map(({ time, things }) => ({ time, found: things.filter(one => one.label === label) }))
  const seenCounts = counts.filter(({ found }) => found.length > 0)
  if (seenCounts.length === 0) return undefined
  return { ...seenCounts.reduce((a, b) => (b.found.length > a.found.length ? b : a)), inFrames: seenCounts.length }
}

// A thing where it is seen best, with its place on the picture.
export function bestSight(seen: Seen, label: string, span: Span, context: ToolContext): Evidence | undefined {
  const sights = seen.frames.flatMap(({ time, things }) =>
    things.filter(one => one.label === label).map(one => ({ ...one, time })),
  )
  if (sights.length === 0) return undefined
  const best = sights.reduce((a, b) => (b.confidence > a.confidence ? b : a))
  const times = [...new Set(sights.map(one => formatTime(one.time)))].join(', ')
  return context.note(
    {
      span,
      track: 'picture',
      text: `${label}, seen at ${times}`,
      confidence: Math.min(1, Math.max(0, best.confidence)),
      frame: best.time,
      box: best.box,
    },
    seen.by,
  )
}
