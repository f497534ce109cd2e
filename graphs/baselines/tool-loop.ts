import type { z } from 'zod'
import type { StopReason } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import { cardOf } from '../../src/core/calls/tool-card.ts'
import { type ChatMessage, type ChatReply, type ChatRequest, textContent } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatTime } from '../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../src/core/tool.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { askModel } from '../asking/ask-model.ts'
import { mayCallModel } from '../asking/budget.ts'
import { questionBlock } from '../prompts/blocks.ts'
import { pastRounds } from '../prompts/past-rounds.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

const mostFailedRounds = 10 // ours: the loops as they were released have no end to these

// How a baseline plans: the planner calls tools until it calls none of them, and what it then says is the answer.
export interface ToolLoop {
  rounds(session: AgentSession): number // at most; one in which every call failed is not counted
  request(session: AgentSession, state: RunState, last: boolean): ChatRequest // last: no tools any more
  byRules?(session: AgentSession, state: RunState): Promise<Done> // for a planner that reads no prompts
  prepare?(session: AgentSession, state: RunState): Promise<void> // what a request has to wait for
  ends?(session: AgentSession, state: RunState): StopReason | undefined // before its rounds are over; one last word is left
  taken?(session: AgentSession, state: RunState, reply: ChatReply): ChatReply // the calls as they are run
}

export function toolLoop(loop: ToolLoop) {
  return async (session: AgentSession, state: RunState): Promise<Done> => {
    const { planner, budget } = session.parts
    if (session.stopped() || !mayCallModel(session.usage(), budget))
      return { goto: 'answer', update: { stop: session.stopped() ?? 'tokens' } }
    if (loop.byRules && !planner.accepts.has('text')) return loop.byRules(session, state)
    const most = loop.rounds(session)
    const early = loop.ends?.(session, state)
    const last =
      early !== undefined ||
      countedRounds(state) >= Math.min(most, budget.steps) ||
      state.round >= most + mostFailedRounds
    await loop.prepare?.(session, state).catch(error => {
      if (!session.stopped()) throw error
    })
    const reply = await askModel(session, 'planner', () => loop.request(session, state, last))
    if (!reply) return { goto: 'answer', update: { stop: session.stopped() ?? 'failed' } }
    session.watch({ type: 'plan', round: state.round, text: planText(reply) })
    if (reply.calls.length > 0 && !last) {
      const { calls } = loop.taken?.(session, state, reply) ?? reply
      return { goto: 'act', update: { calls } }
    }
    return { goto: 'answer', update: { written: cited(reply.text, session), ...(early ? { stop: early } : {}) } }
  }
}

function countedRounds({ steps }: RunState): number {
  const rounds = new Set(
    steps.filter(step => step.outcome !== 'failed' && step.outcome !== 'refused').map(step => step.round),
  )
  return rounds.size
}

// These agents answer in prose. A sentence that states a moment of a row cites that row.
function cited(prose: string, session: AgentSession): Draft | undefined {
  const draft = readDraft(prose, session.parts.question.options)
  if (!draft) return undefined
  const rows = [...session.ledger.values()]
  const sentences = draft.sentences.map(one => ({
    ...one,
    cites: one.cites.length > 0 ? one.cites : citesOf(one.text, rows),
  }))
  return { ...draft, sentences }
}

function citesOf(sentence: string, rows: readonly Evidence[]): string[] {
  const clocks = [...sentence.matchAll(/\b\d{1,3}:\d{2}(?::\d{2})?\b/g)].map(match => match[0])
  return clocks.flatMap(clock => rows.find(row => formatTime(row.span.start) === clock)?.id ?? []).slice(0, 4)
}

function planText(reply: ChatReply): string {
  return (reply.text.trim() || reply.calls.map(call => call.name).join(' ')).slice(0, 4000)
}

// A request of a loop in words: its rules, the question, the rounds so far, and in the end a last word without tools.
export function loopRequest(
  session: AgentSession,
  state: RunState,
  { rules, lastWord, characters }: { rules: string; lastWord?: string; characters: number },
): ChatRequest {
  const { index, tools, question } = session.parts
  const now = session.now(state)
  const { duration } = index.coverage
  const about = `The video is ${Math.round(duration)} seconds long (${formatTime(duration)}).`
  const messages: ChatMessage[] = [
    { role: 'system', content: textContent(`${rules}\n${about}`) },
    {
      role: 'user',
      content: textContent(`${questionBlock(now, session.turns)}${question.options ? `\n${chooseByLetter}` : ''}`),
    },
    ...pastRounds(now, characters),
    ...(lastWord ? [{ role: 'user' as const, content: textContent(lastWord) }] : []),
  ]
  return { purpose: 'plan', messages, tools: tools.map(cardOf), toolChoice: lastWord ? 'none' : 'auto', ...sampling }
}

export const sampling = { temperature: 0.1, maxTokens: 4096 }

// A tool of a baseline, which takes the place of the agent's own.
export function baselineTool<Input>(
  card: Pick<Tool, 'name' | 'description' | 'kind'>,
  input: z.ZodType<Input>,
  run: (input: Input, context: ToolContext) => Promise<ToolResult>,
): Tool {
  return { ...card, input, run: (given, context) => run(given as Input, context) }
}

export const chooseByLetter =
  'Begin the answer with the letter of the option that you choose: A for option 0, B for option 1, and so on.'
