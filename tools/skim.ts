import { z } from 'zod'
import { UsageError } from '../src/core/errors.ts'
import { cellWidth } from '../src/core/sight/room.ts'
import { cellsOfSheet, framesText, sheetOf } from '../src/core/sight/sheet.ts'
import { spreadStills } from '../src/core/sight/spread.ts'
import type { Span } from '../src/core/time.ts'
import type { ToolContext } from '../src/core/tool.ts'
import { defineTool } from './define.ts'
import { end, start } from './inputs.ts'
import { momentsOf } from './moments.ts'

export default defineTool({
  name: 'skim',
  description:
    'Shows you a contact sheet of a span of any length: frames spread evenly over its shots, each with its time. For finding the place; use look for what exactly happens there.',
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
    const kept = spreadStills(index, span, frames).map(still => still.time)
    const enough = kept.length >= frames / 2 || !context.video.picture
    const times = enough ? kept : await decoded(context, span, frames, width)
    if (times.length === 0) return { evidence: [], text: 'No frame of this span was kept.' }
    const by = index.coverage.picture.by ?? 'decode/frames'
    const row = context.note({ span, track: 'picture', text: framesText(times), frame: times[0] }, by)
    return {
      evidence: [row],
      pictures: [sheetOf({ span, times, from: enough ? 'index' : 'file', width, row: row.id })],
    }
  },
})

// The index keeps few frames of what stands still: then the file is asked.
async function decoded(context: ToolContext, span: Span, frames: number, width: number): Promise<number[]> {
  const shown = await context.frames(momentsOf(span, context.index, frames), width)
  return [...new Set(shown.map(frame => frame.time))]
}
