import { cardOf } from '../../src/core/calls/tool-card.ts'
import type { ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { errorText } from '../../src/core/errors.ts'
import { askModel } from '../asking/ask-model.ts'
import { exhausted, mayCallModel } from '../asking/budget.ts'
import { answerCard, askForCall, askForReply, noMoreTools } from '../prompts/conversation.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { conversation, viewedFrames } from './conversation.ts'
import { openingRows } from './first-request.ts'
import { openingWidth } from './frames.ts'
import { conversationLengths } from './lengths.ts'
import { readAnswer } from './read-answer.ts'
import type { ModelTurn } from './turn.ts'

const replyTokens = 4096

// Asks the model: it calls tools, or answers by a call. An answer in other words is asked for in form once and taken then; two empty
// replies hand over to a search by code.
export async function askConversation(session: AgentSession, state: RunState): Promise<Done> {
  const { budget, tools, planner } = session.parts
  const stopped = session.stopped()
  if (stopped || !mayCallModel(session.usage(), budget))
    return { goto: 'answer', update: { stop: stopped ?? 'tokens' } }
  const over = exhausted(session.usage(), budget, state.round)
  const last = over === 'frames' ? undefined : over // words can still be found and read
  await loadFrames(session, state)
  makeRoom(session, state)
  const before = [...state.hints.map(hint => `Hint: ${hint}`), last ? noMoreTools : budgetLine(session, state)].join(
    '\n',
  )
  const cards = [...(last ? [] : tools.map(cardOf)), answerCard]
  let blind = false
  const request = (): ChatRequest => ({
    purpose: 'plan',
    messages: conversation(session, state, before),
    tools: cards,
    toolChoice: 'auto',
    temperature: 0.2,
    maxTokens: replyTokens,
  })
  const reply = await askModel(session, 'planner', request, error => {
    if (blind || !session.sees || session.blind) return false
    blind = true
    session.blind = true
    session.watch({ type: 'note', text: `The model took no pictures and is asked without: ${errorText(error)}` })
    return true
  })
  if (!reply) return { goto: 'answer', update: { stop: session.stopped() ?? 'failed' } }
  session.watch({ type: 'plan', round: state.round, text: (reply.text.trim() || callsText(reply)).slice(0, 4000) })
  const turn: ModelTurn = { before, text: reply.text.trim(), calls: reply.calls }
  const fewer = state.opening.length - openingRows(session, state).length
  const thinned = `${fewer} of ${state.opening.length} opening frames were left out because the context window was full.`
  const notes = blind
    ? ['The model took no pictures, so it answered without seeing the video.']
    : fewer > 0 && session.promptShare < state.promptShare
      ? [thinned]
      : []
  const { goto, update } = nextOf(turn, last !== undefined)
  return { goto, update: { ...update, hints: [], ...(notes.length > 0 && { notes }), ...(last && { stop: last }) } }

  function nextOf(turn: ModelTurn, isLast: boolean): Done & { update: object } {
    const { options } = session.parts.question
    const call = turn.calls.find(one => one.name === answerCard.name)
    const callAnswer = call && readAnswer(call.arguments, options)
    const wantsOption = (options?.length ?? 0) > 0 && callAnswer?.choice === undefined
    const askedBefore = state.replies.some(one => one.response !== undefined && !one.calls.some(isAnswer))
    if (callAnswer && !(wantsOption && !askedBefore && !isLast))
      return { goto: 'check', update: { given: callAnswer, replies: [{ ...turn, calls: [call] }] } }
    if (!call && turn.calls.length > 0 && !isLast) {
      const calls = turn.calls
      return { goto: 'tools', update: { calls, replies: [{ ...turn, round: state.round }] } }
    }
    const prose = callAnswer ?? (turn.text ? readAnswer(turn.text, options) : undefined)
    if (prose && (askedBefore || isLast)) return { goto: 'check', update: { given: prose, replies: [turn] } }
    if (!askedBefore && !isLast) {
      const response = turn.text || call ? askForCall((options?.length ?? 0) > 0) : askForReply
      const calls = call ? [call] : []
      return { goto: 'model', update: { replies: [{ ...turn, calls, response }], ...(prose && { given: prose }) } }
    }
    if (state.given) return { goto: 'check', update: { replies: [turn] } }
    const note = `${planner.id} gave no answer that can be read; the rows that fit the question best are quoted instead.`
    return { goto: 'answer', update: { replies: [turn], notes: [note] } }
  }
}

function isAnswer({ name }: { name: string }): boolean {
  return name === answerCard.name
}

async function loadFrames(session: AgentSession, state: RunState): Promise<void> {
  const { frameStore } = session.parts
  if (!frameStore || !session.sees) return
  try {
    await frameStore.load(session.context, openingRows(session, state), openingWidth)
    const viewed = viewedFrames(session, state).slice(session.picturesGone)
    for (const width of new Set(viewed.map(one => one.width)))
      await frameStore.load(
        session.context,
        viewed.filter(one => one.width === width).map(one => one.row),
        width,
      )
  } catch (error) {
    if (session.stopped()) return
    session.failures.push(errorText(error).slice(0, 500))
  }
}

// Pictures of the oldest looks leave first if the conversation grows over the context.
function makeRoom(session: AgentSession, state: RunState): void {
  const { room } = conversationLengths(session.parts.planner)
  const used = () => usedTokens(session, state)
  while (used() > room && session.picturesGone < viewedFrames(session, state).length) session.picturesGone++
}

function usedTokens(session: AgentSession, state: RunState): number {
  const words = conversation(session, state, '')
    .flatMap(message => message.content)
    .reduce((sum, part) => sum + (part.type === 'text' ? part.text.length / 4 : 0), 0)
  const { frameStore } = session.parts
  const opening = openingRows(session, state).map(row => ({ row, width: openingWidth }))
  const shownFrames = [...opening, ...viewedFrames(session, state).slice(session.picturesGone)]
  return shownFrames.reduce((sum, { row, width }) => sum + (frameStore?.get(row, width)?.tokens ?? 0), words)
}

function budgetLine(session: AgentSession, state: RunState): string {
  const { budget, planner } = session.parts
  const spent = session.usage()
  const rounds = Math.max(0, budget.steps - state.round)
  const frames = Math.max(0, budget.frames - spent.frames)
  const tokens = Math.max(0, budget.tokens - spent.inputTokens - spent.outputTokens)
  const full = usedTokens(session, state) > 0.8 * conversationLengths(planner).room
  const leaving =
    full && viewedFrames(session, state).length > 0
      ? ' The pictures of the oldest view leave this conversation next: write down what matters in them.'
      : ''
  return `Left: ${rounds} rounds of tools, ${session.sees ? `${frames} frames, ` : ''}${Math.round(tokens / 1000)}k tokens.${leaving}`
}

function callsText(reply: ChatReply): string {
  return reply.calls.map(call => call.name).join(' ')
}
