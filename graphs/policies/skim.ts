import { cellWidth } from '../../src/core/sight/room.ts'
import { cellsOfSheet, framesText, sheetOf, skimFrames } from '../../src/core/sight/sheet.ts'
import { shares, spreadStills } from '../../src/core/sight/spread.ts'
import { type Span, spanLength } from '../../src/core/time.ts'
import type { AgentSession, Policy } from '../session.ts'

const fewest = 4 // cells of a sheet: short chapters share one

// A planner that sees gets contact sheets of the whole video, a helper of its span, before its first call: 16 to 64 kept frames with their times, a picture a
// chapter, spread evenly over it, for at most a quarter of the budget of frames; and the tool `skim` for more of a span.
export default {
  begin(session, { shown, steps }) {
    if (!session.sees || shown.length + steps.length > 0) return {}
    const { index, planner, span = { start: 0, end: index.coverage.duration } } = session.parts
    const count = frameCount(session, spanLength(span))
    if (count === 0) return {}
    const parts = partsOf(index.overview.chapters, span, count)
    const pictures = shares(parts.map(spanLength), count).flatMap((cells, at) => {
      const part = parts[at]
      return part ? piecesOf(part, cells).flatMap(({ span, cells }) => sheet(session, span, cells, planner.id)) : []
    })
    return { pictures }
  },
} satisfies Policy

function frameCount(session: AgentSession, seconds: number): number {
  const { index, policy, budget } = session.parts
  const left = budget.frames - session.usage().frames
  return Math.min(skimFrames(seconds, policy.skimFrames, left), index.stills.length)
}

// One part a chapter; the shortest is joined with the shorter of its neighbours until each sheet has a few cells.
export function partsOf(chapters: readonly { span: Span }[], whole: Span, count: number): Span[] {
  const spans = chapters.map(({ span }) => ({ ...span })).filter(span => spanLength(span) > 0)
  const parts = spans.length > 0 ? spans : [{ ...whole }]
  while (parts.length > Math.max(1, Math.floor(count / fewest))) {
    const lengths = parts.map(spanLength)
    const at = lengths.indexOf(Math.min(...lengths))
    const left = at > 0 && (at === parts.length - 1 || lengths[at - 1]! <= lengths[at + 1]!) ? at - 1 : at
    parts.splice(left, 2, { start: parts[left]!.start, end: parts[left + 1]!.end })
  }
  return parts
}

// A sheet holds so many cells; what has more is shown in pieces of equal length.
function piecesOf(span: Span, cells: number): { span: Span; cells: number }[] {
  const pieces = Math.ceil(cells / cellsOfSheet)
  const each = spanLength(span) / pieces
  return shares(Array(pieces).fill(1), cells).map((cells, i) => ({
    span: { start: span.start + i * each, end: span.start + (i + 1) * each },
    cells,
  }))
}

function sheet({ parts: { index }, context }: AgentSession, span: Span, cells: number, model: string) {
  const times = spreadStills(index, span, cells).map(still => still.time)
  if (times.length === 0) return []
  const by = index.coverage.picture.by ?? 'decode/frames'
  const row = context.note({ span, track: 'picture', text: framesText(times), frame: times[0] }, by)
  return [sheetOf({ span, times, from: 'index', width: cellWidth(model), row: row.id })]
}
