import type { Step } from '../../src/core/agent.ts'
import { type ChatMessage, type ContentPart, textContent } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { indexLine, isTelling } from '../../src/core/words/index-lines.ts'
import { conversationRules } from '../prompts/conversation.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'
import { firstMessage, framePart } from './first-request.ts'
import { frameLabel, isFrame } from './frames.ts'
import { conversationLengths } from './lengths.ts'
import type { ModelTurn } from './turn.ts'

// The conversation so far, from the state: every reply as the model gave it, every result as it came. Only pictures of the oldest
// looks leave it, and their ids and times stay.
export function conversation(session: AgentSession, state: RunState, before: string): ChatMessage[] {
  const frames = viewedFrames(session, state)
  session.picturesShown = frames.map((_, at) => at).filter(at => at >= session.picturesGone)
  return [
    { role: 'system', content: textContent(conversationRules(session.sees)) },
    { role: 'user', content: firstMessage(session, state) },
    ...state.replies.flatMap((turn, at): ChatMessage[] => {
      if (isDoubt(turn)) return []
      const next = state.replies[at + 1]
      const response = next && isDoubt(next) ? next.response : turn.response
      const calls = turn.calls.map((call, i) => ({
        ...call,
        id: callId(turn.round ?? at + 1000, i),
      }))
      const steps = state.steps.filter(step => step.round === turn.round)
      const results = calls.map(
        (call, i): ChatMessage => ({
          role: 'tool',
          call: call.id,
          name: call.name,
          content: response
            ? textContent(i === 0 ? response : 'See above.')
            : stepContent(session, steps[i], frames, calls.length),
        }),
      )
      return [
        { role: 'user', content: textContent(turn.before) },
        ...(turn.text || calls.length > 0
          ? [
              {
                role: 'assistant' as const,
                content: turn.text ? textContent(turn.text) : [],
                ...(calls.length > 0 && { calls }),
              },
            ]
          : []),
        ...(calls.length > 0 ? results : response ? [{ role: 'user' as const, content: textContent(response) }] : []),
      ]
    }),
    { role: 'user', content: textContent(before) },
  ]
}

// What the check says of an answer stands as the result of its call.
function isDoubt({ before, text, calls }: ModelTurn): boolean {
  return before === '' && text === '' && calls.length === 0
}

// A frame of a view, and how wide it was shown.
interface Viewed {
  row: Evidence
  width: number
  step: Step
}

// The frames of all views, the oldest first.
export function viewedFrames(session: AgentSession, state: RunState): Viewed[] {
  if (!session.sees) return []
  return state.steps.filter(step => step.outcome === 'found').flatMap(step => framesOf(session, step))
}

function framesOf(session: AgentSession, step: Step): Viewed[] {
  const rows = session.rows(step.evidence).filter(isFrame)
  const width = pictureWidth(session.parts.planner.id, rows.length)
  return rows.map(row => ({ row, width, step }))
}

function stepContent(
  session: AgentSession,
  step: Step | undefined,
  viewed: readonly Viewed[],
  calls: number,
): ContentPart[] {
  if (!step) return textContent('Not run.')
  const rows = session.rows(step.evidence)
  const { resultCharacters } = conversationLengths(session.parts.planner)
  const max = (resultCharacters * session.promptShare) / calls
  const lines: string[] = []
  let used = 0
  const words = rows.filter(row => !isFrame(row) && isTelling(row))
  for (const [i, row] of words.entries()) {
    const line = indexLine(row)
    if (used + line.length > max) {
      const next = words[i]
      lines.push(`and ${words.length - i} more rows, from ${formatMoment(next?.span.start ?? 0)} on: read that span`)
      break
    }
    used += line.length
    lines.push(line)
  }
  const note = step.text ? (step.outcome === 'refused' ? step.text : fence('note', step.text)) : ''
  const head = [step.outcome === 'found' ? '' : `${step.outcome}.`, ...step.notes, note].filter(Boolean).join(' ')
  const isShown = ({ step: of }: Viewed, at: number) => of === step && at >= session.picturesGone
  const frames = viewed.filter(isShown)
  const gone = viewed.filter((one, at) => one.step === step && !isShown(one, at))
  const goneText = gone.map(({ row }) => `${row.id} ${frameLabel(row)}`).join('; ')
  return [
    ...textContent(
      [head, lines.length > 0 ? fence('rows', lines.join('\n')) : ''].filter(Boolean).join('\n') ||
        framesText(frames.length),
    ),
    ...frames.flatMap(({ row, width }) => framePart(session, row, width)),
    ...(gone.length > 0 ? textContent(`\nNo longer shown: ${goneText}`) : []),
  ]
}

function framesText(count: number): string {
  return count > 0 ? `${count} ${count === 1 ? 'frame' : 'frames'}:` : 'Done.'
}

// Servers may give several calls one id.
function callId(round: number, index: number): string {
  return `call_${round}_${index}`
}
