import type { Step } from '../../src/core/agent.ts'
import { type ChatMessage, type ContentPart, text } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'
import { firstMessage, framePart } from './first-request.ts'
import { indexLine } from './index-lines.ts'
import { conversationLengths } from './lengths.ts'
import { conversationRules } from './prompts.ts'

// The conversation so far, from the state: every reply as the model gave it, every result as it came. Only pictures of the oldest
// looks leave it, and their ids and times stay.
export function conversation(session: AgentSession, state: RunState, before: string): ChatMessage[] {
  const frames = viewedFrames(session, state)
  session.picturesShown = frames.map((_, at) => at).filter(at => at >= session.picturesGone)
  const shown = new Set(frames.slice(session.picturesGone).map(row => row.id))
  return [
    { role: 'system', content: text(conversationRules(session.sees)) },
    { role: 'user', content: firstMessage(session, state) },
    ...state.replies.flatMap((turn): ChatMessage[] => {
      const calls = turn.calls.map((call, i) => ({
        ...call,
        id: callId(turn.round ?? state.replies.indexOf(turn) + 1000, i),
      }))
      const steps = state.steps.filter(step => step.round === turn.round)
      const results = calls.map(
        (call, i): ChatMessage => ({
          role: 'tool',
          call: call.id,
          name: call.name,
          content: turn.response
            ? text(i === 0 ? turn.response : 'See above.')
            : stepContent(session, steps[i], shown, calls.length),
        }),
      )
      return [
        { role: 'user', content: text(turn.before) },
        { role: 'assistant', content: turn.text ? text(turn.text) : [], ...(calls.length > 0 && { calls }) },
        ...(calls.length > 0
          ? results
          : turn.response
            ? [{ role: 'user' as const, content: text(turn.response) }]
            : []),
      ]
    }),
    { role: 'user', content: text(before) },
  ]
}

// The frames of all views, the oldest first.
export function viewedFrames(session: AgentSession, state: RunState): Evidence[] {
  if (!session.sees) return []
  const ids = new Set(state.steps.flatMap(step => step.evidence))
  return session.rows([...ids]).filter(isFrame)
}

export function isFrame(row: Evidence): boolean {
  return row.track === 'picture' && row.frame !== undefined && row.text.startsWith('frame at ')
}

function stepContent(
  session: AgentSession,
  step: Step | undefined,
  shown: ReadonlySet<string>,
  calls: number,
): ContentPart[] {
  if (!step) return text('Not run.')
  const rows = session.rows(step.evidence)
  const { resultCharacters } = conversationLengths(session.parts.planner)
  const max = (resultCharacters * session.promptShare) / calls
  const lines: string[] = []
  let used = 0
  const words = rows.filter(row => !isFrame(row))
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
  const said = step.text ? (step.outcome === 'refused' ? step.text : fence('note', step.text)) : ''
  const head = [step.outcome === 'found' ? '' : `${step.outcome}.`, ...step.notes, said].filter(Boolean).join(' ')
  const frames = rows.filter(isFrame)
  const gone = frames.filter(row => !shown.has(row.id))
  const goneText = gone.map(row => `${row.id} ${formatMoment(row.frame ?? 0)}`).join(', ')
  return [
    ...text([head, lines.length > 0 ? fence('rows', lines.join('\n')) : ''].filter(Boolean).join('\n') || 'Done.'),
    ...frames.filter(row => shown.has(row.id)).flatMap(row => framePart(session, row)),
    ...(gone.length > 0 ? text(`\nNo longer shown: ${goneText}`) : []),
  ]
}

// Servers may give several calls one id.
function callId(round: number, index: number): string {
  return `call_${round}_${index}`
}
