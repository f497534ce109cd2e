import type { WriteBrief } from '../../../../src/core/brief.ts'
import { parseTime, type Span } from '../../../../src/core/time.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { momentsOf } from '../answers/when.ts'
import type { Scored } from './scored.ts'

// Options that are times: the one nearest to where the thing is found.
export function byTimeOf(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const spans = options.map(timeIn)
  if (spans.some(span => span === undefined)) return undefined
  const rows = momentsOf(asked, brief)
  if (rows.length === 0) return undefined
  const chosen = asked.nth === 'last' ? rows.slice(-1) : rows
  return spans.map(span => {
    const near = chosen.map(row => ({ row, gap: gapBetween(row.span, span!) })).sort((a, b) => a.gap - b.gap)[0]
    return { score: 1 / (1 + near.gap / 5), rows: [near.row] }
  })
}

function timeIn(option: string): Span | undefined {
  const times =
    option.match(/\d{1,3}:\d{2}(?::\d{2})?/g) ?? option.match(/(?<!\d)\d+(?:\.\d+)?(?=\s*(?:s\b|sec|seconds?))/g)
  const seconds = times?.map(time => parseTime(time)).filter(time => time !== undefined)
  if (!seconds || seconds.length === 0) return undefined
  return { start: seconds[0], end: seconds[1] ?? seconds[0] }
}

// A moment is best at the start of what it names; of two spans the one that covers it best.
function gapBetween(found: Span, option: Span): number {
  if (option.start === option.end) {
    if (option.start >= found.start && option.start <= found.end) return (option.start - found.start) * 0.1
    return Math.min(Math.abs(found.start - option.start), Math.abs(found.end - option.start))
  }
  const shared = Math.min(found.end, option.end) - Math.max(found.start, option.start)
  return shared > 0 ? Math.abs(found.start - option.start) * 0.1 : -shared
}
