import type { PlanBrief } from '../../../src/core/brief.ts'
import { overlap, Span } from '../../../src/core/time.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { namesAsked } from './action.ts'
import { isDescribed, namingsIn } from './people/namings.ts'
import { sightingsIn } from './people/sightings.ts'
import { type PlannedCall, timelineCall } from './plan/calls.ts'
import { sees } from './sight.ts'

const describe = 'Describe each person by hair, clothes, doings and things in hand.'

const most = 8 // looks of a question
const atOnce = 4

// Whether a name is told elsewhere than what is seen.
export function needsNames(asked: ParsedQuestion, brief: PlanBrief): boolean {
  const isNamed = asked.wants === 'person' || namesAsked(asked.text).length > 0 || /\bbecause\b/i.test(asked.text)
  return sees(brief) && asked.kind === 'picture' && isNamed
}

// Where names are told: all texts and captions, and what is said as "this is Laura". A search would put most of them aside.
export function nameRows(): PlannedCall[] {
  return [
    timelineCall({ tracks: ['text', 'caption', 'person'] }),
    timelineCall({ tracks: ['speech'], about: 'this is', limit: 100 }),
  ]
}

// A look at each moment at which somebody is named and nobody was described.
export function nameLooks(brief: PlanBrief): PlannedCall[] {
  const sightings = sightingsIn(brief, brief.question.text)
  const pastLooks = brief.steps.flatMap(step => (isNameLook(step) ? (Span.safeParse(step.input).data ?? []) : []))
  const open = namingsIn(brief.evidence)
    .filter(naming => naming.row.track !== 'person' && !isDescribed(naming, sightings))
    .filter(({ row }) => !pastLooks.some(span => overlap(span, row.span) > 0))
  return open.slice(0, Math.min(atOnce, most - pastLooks.length)).map(({ row: { span } }) => {
    const arguments_ = { start: span.start, end: Math.min(brief.duration, Math.max(span.end, span.start + 2)) }
    return { name: 'look', arguments: { ...arguments_, question: describe } }
  })
}

export function isNameLook({ tool, input }: { tool: string; input?: unknown }): boolean {
  return tool === 'look' && (input as { question?: unknown } | undefined)?.question === describe
}
