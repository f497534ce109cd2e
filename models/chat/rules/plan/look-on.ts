import type { PlanBrief } from '../../../../src/core/brief.ts'
import { gapsBetween, Span, spanLength } from '../../../../src/core/time.ts'
import { isNameLook } from '../name-looks.ts'
import { foundSomething } from '../sight.ts'
import type { PlannedCall } from './calls.ts'

const longest = 60 // seconds that one look may show
const close = 20 // its few frames step over no scene of some seconds
const atOnce = 4
const most = 12 // looks of a question

// Where what was looked at does not show it, more of the video is: what was not looked at yet, from the beginning, and then all of it
// closely.
export function lookOn(brief: PlanBrief): PlannedCall[] {
  const looks = brief.steps.filter(step => step.tool === 'look' && !isNameLook(step))
  const rows = brief.evidence.filter(row => looks.some(step => step.evidence.includes(row.id)))
  if (rows.some(foundSomething) || looks.length >= most) return []
  const seen = looks.flatMap(step => Span.safeParse(step.input).data ?? [])
  const open = [longest, close].map(length => unseen(brief.duration, seen, length)).find(spans => spans.length > 0)
  return (open ?? [])
    .slice(0, Math.min(atOnce, most - looks.length))
    .map(span => ({ name: 'look', arguments: { ...span, question: brief.question.text } }))
}

function unseen(duration: number, seen: readonly Span[], length: number): Span[] {
  const enough = seen.filter(span => spanLength(span) <= length + 1)
  return gapsBetween(enough, { start: 0, end: duration })
    .filter(gap => spanLength(gap) >= 1)
    .flatMap(gap => pieces(gap, length))
}

function pieces({ start, end }: Span, length: number): Span[] {
  const count = Math.ceil((end - start) / length)
  const each = (end - start) / count
  return Array.from({ length: count }, (_, i) => ({ start: start + i * each, end: start + (i + 1) * each }))
}
