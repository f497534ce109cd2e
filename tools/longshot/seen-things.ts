import type { Evidence } from '../../src/core/evidence.ts'
import type { Detection } from '../../src/core/services.ts'
import { formatTime, type Span } from '../../src/core/time.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import type { Frame } from '../../src/core/video.ts'
import { momentsOf } from '../moments.ts'
import type { Wanted } from './timestamp.ts'

const mostFrames = 8
const width = 960

export interface Seen {
  by: string
  frames: Frame[]
  things: Detection[][] // one list a frame
}

// What the detector finds in frames of a segment; the frame itself where one moment was named.
export async function seenIn(
  { span, moment }: Wanted,
  labels: string[],
  detector: Awaited<ReturnType<ToolContext['services']['detect']>>,
  context: ToolContext,
): Promise<Seen> {
  const times = moment ? [(span.start + span.end) / 2] : momentsOf(span, context.index, mostFrames)
  const frames = await context.frames(times, width)
  const things = await detector.service.detect(frames, labels, context.signal)
  return { by: detector.by, frames, things }
}

// The most of one thing that any single frame shows, and when; undefined where no frame shows it.
export function mostAtOnce({ frames, things }: Seen, label: string) {
  const counts = things.map(found => found.filter(one => one.label === label))
  const most = counts.reduce((best, found, at) => (found.length > counts[best].length ? at : best), 0)
  const found = counts[most] ?? []
  if (found.length === 0) return undefined
  return { count: found.length, time: frames[most].time, found, inFrames: counts.filter(one => one.length > 0).length }
}

// A thing where it is seen best, with its place on the picture.
export function bestSight(seen: Seen, label: string, span: Span, context: ToolContext): Evidence | undefined {
  const sights = seen.things.flatMap((found, at) =>
    found.filter(one => one.label === label).map(one => ({ ...one, time: seen.frames[at].time })),
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
