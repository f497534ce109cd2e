import type { PlanBrief } from '../../../src/core/brief.ts'
import type { ToolCall } from '../../../src/core/chat.ts'
import { gapsBetween, Span, spanLength } from '../../../src/core/time.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { understandQuestion } from '../../../src/text/question/understand.ts'
import { answerLooks } from './answers/described.ts'
import { reasonsFor } from './answers/reason.ts'
import { asksSeenNext } from './answers/seen-next.ts'
import { answerWho } from './answers/who.ts'
import { isNameLook, nameLooks, nameRows, needsNames } from './name-looks.ts'
import { asksHeld, partAsked } from './people/looks.ts'
import { type PlannedCall, planCallKey, timelineCall } from './plan/calls.ts'
import { closer, further, restOfLists } from './plan/follow-up.ts'
import { optionCalls, planOpening } from './plan/opening.ts'
import { listSpeakers } from './question-parts.ts'
import { foundSomething, sees, withSight } from './sight.ts'

// Decides which tools to call next; no calls once the ledger is complete.
export function planCalls(brief: PlanBrief): ToolCall[] {
  if (brief.question.refers?.about) return [] // the rows of the earlier answer suffice
  const parsed = understandQuestion(brief.question, brief.duration, brief.turns, listSpeakers(brief))
  const question = withSight(parsed, sees(brief))
  const pastCalls = new Set(brief.steps.map(step => planCallKey(step.tool, step.input)))
  const calls = planRound(brief, question, parsed)
    .filter(call => brief.tools.includes(call.name))
    .filter(call => !pastCalls.has(planCallKey(call.name, call.arguments)))
  return calls.slice(0, 8).map((call, i) => ({ id: `rule_${brief.round}_${i}`, ...call }))
}

// What a search for the question's words would not bring: whom captions describe, and who is named.
function seenRows(asked: ParsedQuestion, named: boolean): PlannedCall[] {
  if (named) return nameRows()
  const isSeen = asked.kind === 'picture' && (partAsked(asked.text) !== undefined || asksHeld(asked.text))
  return isSeen || asksSeenNext(asked.text) ? [timelineCall({ tracks: ['caption'] })] : []
}

function planRound(brief: PlanBrief, asked: ParsedQuestion, found: ParsedQuestion): PlannedCall[] {
  if (brief.round === 0) return [...planOpening(brief, asked), ...optionCalls(brief, asked)]
  if (asked.kind === 'picture' && reasonsFor(asked, brief.evidence).length > 0) return [] // said, so none need look
  const rest = restOfLists(brief, asked)
  if (rest.length > 0) return rest
  const named = needsNames(asked, brief)
  const isSeen = asked.kind === 'picture' && (answerWho(asked, brief) ?? answerLooks(asked, brief)) !== undefined
  if (brief.round === 1)
    return [...closer(brief, brief.vision ? asked : found), ...(sees(brief) ? seenRows(asked, named) : [])]
  if (asked.kind === 'picture' && brief.vision)
    return isSeen ? [] : [...(named ? nameLooks(brief) : []), ...lookOn(brief)]
  if (brief.round === 2 && asked.kind === 'neighbour') return further(brief, asked)
  if (brief.round === 2 && brief.evidence.length === 0)
    return [timelineCall({ tracks: ['speech', 'text', 'sound', 'picture'], limit: 60 })]
  return []
}

const longest = 60 // seconds that one look may show
const close = 20 // its few frames step over no scene of some seconds
const atOnce = 4
const most = 12 // looks of a question

// Where what was looked at does not show it, more of the video is: what was not looked at yet, from the beginning, and then all of it
// closely.
function lookOn(brief: PlanBrief): PlannedCall[] {
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
