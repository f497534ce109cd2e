import type { PlanBrief } from '../../../src/core/brief.ts'
import type { ToolCall } from '../../../src/core/chat.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { understand } from '../../../src/text/question/understand.ts'
import { type Call, keyOf, timeline } from './plan/calls.ts'
import { closer, further, restOfLists } from './plan/follow-up.ts'
import { lookOn } from './plan/look-on.ts'
import { opening, optionCalls } from './plan/opening.ts'
import { speakersOf } from './question-parts.ts'
import { withSight } from './sight.ts'

// Decides which tools to call next; no calls once the ledger is complete.
export function planCalls(brief: PlanBrief): ToolCall[] {
  if (brief.question.refers?.about) return [] // the rows of the earlier answer suffice
  const found = understand(brief.question, brief.duration, brief.turns, speakersOf(brief))
  const asked = withSight(found, brief.vision === true)
  const made = new Set(brief.steps.map(step => keyOf(step.tool, step.input)))
  const calls = roundOf(brief, asked)
    .filter(call => brief.tools.includes(call.name))
    .filter(call => !made.has(keyOf(call.name, call.arguments)))
  return calls.slice(0, 8).map((call, i) => ({ id: `rule_${brief.round}_${i}`, ...call }))
}

function roundOf(brief: PlanBrief, asked: ParsedQuestion): Call[] {
  if (brief.round === 0) return [...opening(brief, asked), ...optionCalls(brief, asked)]
  const rest = restOfLists(brief, asked)
  if (rest.length > 0) return rest
  if (brief.round === 1) return closer(brief, asked)
  if (asked.kind === 'picture' && brief.vision) return lookOn(brief)
  if (brief.round === 2 && asked.kind === 'neighbour') return further(brief, asked)
  if (brief.round === 2 && brief.evidence.length === 0)
    return [timeline({ tracks: ['speech', 'text', 'sound', 'picture'], limit: 60 })]
  return []
}
