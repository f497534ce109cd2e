import { framesText } from '../src/core/sight/sheet.ts'
import { formatTime, type Span } from '../src/core/time.ts'
import type { ToolContext, ToolResult } from '../src/core/tool.ts'
import type { Frame } from '../src/core/video.ts'

// Frames of a look for the planner's own eyes: a picture each, and one row that stands for them.
export async function framesForPlanner(context: ToolContext, span: Span, seen: readonly Frame[]): Promise<ToolResult> {
  const frames = [...new Map(seen.map(frame => [frame.time, frame])).values()] // one may be on screen at several moments
  const times = frames.map(frame => frame.time)
  if (times.length === 0) return { evidence: [], text: 'There is no frame to show.' }
  const by = context.index.coverage.picture.by ?? 'decode/frames'
  const row = context.note({ span, track: 'picture', text: framesText(times), frame: times[0] }, by)
  const pictures = frames.map(frame => ({
    span,
    from: 'file' as const,
    cells: [{ times: [frame.time], label: formatTime(frame.time) }],
    columns: 1,
    width: frame.width,
    row: row.id,
  }))
  // Painted from the frames at hand: the next prompt need not decode them again.
  await Promise.all(pictures.map((picture, i) => context.paint?.(picture, frames.slice(i, i + 1))))
  return { evidence: [row], pictures }
}
