import type { PlanBrief } from '../../../../src/core/brief.ts'
import { gapsBetween, Span, spanLength } from '../../../../src/core/time.ts'
import { tellsOf } from '../sight.ts'
import type { Call } from './calls.ts'

const longest = 60 // seconds that one look may show
const atOnce = 4
const most = 12 // looks of a question

// Where what was looked at does not show it, more of the video is: what was not looked at yet, from the beginning.
export function lookOn(brief: PlanBrief): Call[] {
  const looks = brief.steps.filter(step => step.tool === 'look')
  const rows = brief.evidence.filter(row => looks.some(step => step.evidence.includes(row.id)))
  if (rows.some(tellsOf) || looks.length >= most) return []
  const seen = looks.flatMap(step => Span.safeParse(step.input).data ?? [])
  return gapsBetween(seen, { start: 0, end: brief.duration })
    .filter(gap => spanLength(gap) >= 1)
    .flatMap(pieces)
    .slice(0, Math.min(atOnce, most - looks.length))
    .map(span => ({ name: 'look', arguments: { ...span, question: brief.question.text } }))
}

function pieces({ start, end }: Span): Span[] {
  const count = Math.ceil((end - start) / longest)
  const each = (end - start) / count
  return Array.from({ length: count }, (_, i) => ({ start: start + i * each, end: start + (i + 1) * each }))
}
