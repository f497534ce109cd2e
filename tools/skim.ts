import { z } from 'zod'
import { UsageError } from '../src/core/errors.ts'
import { evenMoments } from '../src/core/sight/moments.ts'
import { cellWidth } from '../src/core/sight/room.ts'
import { cellsOfSheet, framesText, sheetOf } from '../src/core/sight/sheet.ts'
import { spreadStills } from '../src/core/sight/spread.ts'
import type { Span } from '../src/core/time.ts'
import type { ToolContext } from '../src/core/tool.ts'
import type { VideoIndex } from '../src/core/video.ts'
import { defineTool } from './define.ts'
import { end, start } from './inputs.ts'
import { momentsOf } from './moments.ts'

export default defineTool({
  name: 'skim',
  description:
    'Shows you a contact sheet of a span of any length: frames spread evenly from its first second to its last, each with its time. For finding the place; use look for what exactly happens there.',
  makes: ['picture'],
  shows: 'planner',
  input: z.object({ start, end, frames: z.number().int().min(2).max(cellsOfSheet).default(9) }),
  async run({ start, end, frames }, context) {
    const { eyes, index } = context
    if (!eyes || !context.paint)
      throw new UsageError('skim gives pictures to a planner that sees, and this one sees none.', {
        hint: 'Ask look what is seen there, or set models.planner to a model that takes images.',
      })
    const span = { start, end: Math.max(start, end) }
    const width = cellWidth(eyes.model)
    const kept = keptMoments(index, span, frames)
    const times = kept ?? (await decoded(context, span, frames, width))
    if (times.length === 0) return { evidence: [], text: 'No frame of this span was kept.' }
    const by = index.coverage.picture.by ?? 'decode/frames'
    const row = context.note({ span, track: 'picture', text: framesText(times), frame: times[0] }, by)
    return {
      evidence: [row],
      pictures: [sheetOf({ span, times, from: kept ? 'index' : 'file', width, row: row.id })],
    }
  },
})

const edge = 1 // seconds from the ends of the span at which its first and last frame may lie
const near = 2.5 // and from their places those between them, a quarter of their distance at most

// Kept frames of which each lies near its place; undefined if the file has to be asked. Without a picture there is none to ask for.
function keptMoments(index: VideoIndex, span: Span, frames: number): number[] | undefined {
  const times = spreadStills(index, span, frames).map(still => still.time)
  if (!index.video.picture) return times
  const places = evenMoments(span, frames)
  const apart = (places[1] ?? span.end) - (places[0] ?? span.start)
  const isNear = (place: number, at: number) =>
    Math.abs((times[at] ?? Infinity) - place) <=
    (at === 0 || at === places.length - 1 ? edge : Math.min(near, apart / 4))
  return times.length === places.length && places.every(isNear) ? times : undefined
}

async function decoded(context: ToolContext, span: Span, frames: number, width: number): Promise<number[]> {
  const shown = await context.frames(momentsOf(span, context.index, frames), width)
  return [...new Set(shown.map(frame => frame.time))]
}
