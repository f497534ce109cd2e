import type { StopReason } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import type { SightBrief } from '../../src/core/brief.ts'
import { plainArguments } from '../../src/core/calls/plain-arguments.ts'
import { toolCard } from '../../src/core/calls/tool-card.ts'
import { type ChatReply, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import { errorText } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { frameLabel, framePart, isFrame } from '../../src/core/sight/frame-rows.ts'
import { askModel } from '../asking/ask-model.ts'
import { conversationMessages, type Telling } from '../prompts/messages.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunMessage, RunState } from '../state.ts'

const replyTokens = 4096

// How a graph talks with its planner, which calls tools until it answers.
export interface PlannerConversation {
  // What the model is told, beside the pictures of its looks.
  tell(session: AgentSession, state: RunState): Pick<Telling, 'rules' | 'opening' | 'shown' | 'line' | 'characters'>
  before?(session: AgentSession, state: RunState): string // the line before each reply
  lastWord: string // in its place, if no tool may be called any more
  end(session: AgentSession, state: RunState): { stop?: StopReason } | undefined // whether that is so, and why
  answerCard?: ToolCard // the tool by which it answers; without one it answers in words
  tools: string // the node that runs its calls
  conclude(session: AgentSession, state: RunState, reply: PlannerReply): Done
  byRules?(session: AgentSession, state: RunState): Promise<Done> // for a planner that reads no prompts
  sight?: Sight // of a model that sees
}

export interface Sight {
  width(session: AgentSession, frames: number): number // pixels of each of so many frames of a look
  opening?(session: AgentSession, state: RunState): ShownFrame[] // frames that the conversation begins with
  room(session: AgentSession, state: RunState): { tokens?: number; frames?: number } // that all of them may take
}

export interface PlannerReply extends Pick<ChatReply, 'text' | 'calls'> {
  isLast: boolean
}

// A frame as it is shown.
interface ShownFrame {
  row: Evidence
  width: number
}

export function conversationNode(conversation: PlannerConversation) {
  return async (session: AgentSession, state: RunState): Promise<Done> => {
    const { meter, fit } = session
    const { planner, tools } = session.parts
    if (!meter.mayAsk()) return { goto: 'answer', update: { stop: meter.stopped() ?? 'tokens' } }
    if (conversation.byRules && !planner.accepts.has('text')) return conversation.byRules(session, state)
    const end = conversation.end(session, state)
    await loadFrames(session, state, conversation.sight)
    const last = end ? conversation.lastWord : (conversation.before?.(session, state) ?? '')
    const { answerCard } = conversation
    const cards = [...(end && answerCard ? [] : tools.map(toolCard)), ...(answerCard ? [answerCard] : [])]
    let refused: string | undefined
    const request = (): ChatRequest => ({
      purpose: 'plan',
      ...tellAll(session, state, conversation, last),
      tools: cards,
      toolChoice: end && !answerCard ? 'none' : 'auto',
      temperature: 0.2,
      maxTokens: replyTokens,
    })
    const share = fit.share
    const reply = await askModel(session, 'planner', request, error => {
      if (!fit.sees) return false
      refused = errorText(error).slice(0, 300)
      fit.blind = true
      session.watch({ type: 'note', text: `The model took no pictures and is asked without: ${refused}` })
      return true
    })
    if (!reply) return { goto: 'answer', update: { stop: meter.stopped() ?? 'failed' } }
    const text = reply.text.trim()
    const callNames = reply.calls.map(call => call.name)
    session.watch({ type: 'plan', round: state.round, text: (text || callNames.join(' ')).slice(0, 4000) })
    const isTools = reply.calls.length > 0 && !end && !callNames.includes(answerCard?.name ?? '')
    const newMessages: RunMessage[] = [
      ...(last === '' ? [] : [{ by: 'code', about: 'budget', text: last } as const]),
      modelMessage({ text, calls: reply.calls }, isTools ? state.round : undefined),
    ]
    const { goto, update }: Done = isTools
      ? { goto: conversation.tools, update: { calls: reply.calls } }
      : conversation.conclude(session, state, { text, calls: reply.calls, isLast: end !== undefined })
    const leftNotes = fit.share < share ? leftOut(session, state, conversation.sight) : []
    const notes = [
      ...(refused === undefined ? leftNotes : ['The model took no pictures, so it answered without seeing the video.']),
      ...(update.notes ?? []),
    ]
    return {
      goto,
      update: {
        ...(end?.stop && { stop: end.stop }),
        ...update,
        messages: [...newMessages, ...(update.messages ?? [])],
        ...(notes.length > 0 && { notes }),
      },
    }
  }
}

// A reply as the state keeps it: plain JSON of bounded length.
export function modelMessage({ text, calls }: Pick<ChatReply, 'text' | 'calls'>, round?: number): RunMessage {
  const plain = calls.map(({ id, name, arguments: given }) => {
    const read = plainArguments(given)
    return { id, name, arguments: 'value' in read ? read.value : {} }
  })
  return { by: 'model', text, calls: plain, ...(round !== undefined && { round }) }
}

type ShownRequest = Pick<ChatRequest, 'messages' | 'brief'>

// The messages, and as data which pictures they show. Pictures of the oldest looks leave first if the conversation is full; their
// ids and times stay.
function tellAll(
  session: AgentSession,
  state: RunState,
  { tell, sight }: PlannerConversation,
  last: string,
): ShownRequest {
  const now = session.now(state)
  const viewed = viewedFrames(session, now, sight)
  const { fit } = session
  const opening = sight?.opening?.(session, now) ?? []
  const { tokens = Number.POSITIVE_INFINITY, frames: most = tokens } = sight?.room(session, now) ?? {}
  const standing = () => viewed.slice(fit.picturesGone)
  while (
    standing().length > 0 &&
    (standing().length > most || pictureTokens(session, [...opening, ...standing()]) > tokens)
  )
    fit.picturesGone++
  fit.picturesShown = standing().length
  const remaining = new Set(standing())
  // A frame stands in a request once: a later look that brings it again names it.
  const firstOf = new Map([...standing().toReversed(), ...opening.toReversed()].map(one => [frameKey(one), one]))
  const pictures: Telling['pictures'] = step => {
    const frames = viewed.filter(one => one.round === step.round && step.evidence.includes(one.row.id))
    const standingFrames = frames.filter(one => remaining.has(one) && firstOf.get(frameKey(one)) === one)
    const above = frames.filter(one => remaining.has(one) && firstOf.get(frameKey(one)) !== one)
    const gone = frames.filter(one => !remaining.has(one))
    const list = (lead: string, some: readonly ViewedFrame[]) =>
      some.length > 0
        ? textContent(`\n${lead}: ${some.map(({ row }) => `${row.id} ${frameLabel(row)}`).join('; ')}`)
        : []
    return [
      ...(standingFrames.length > 0
        ? textContent(`${standingFrames.length} ${standingFrames.length === 1 ? 'frame' : 'frames'}:`)
        : []),
      ...standingFrames.flatMap(({ row, width }) => framePart(session.parts.frameStore, row, width)),
      ...list('Shown above', above),
      ...list('No longer shown', gone),
    ]
  }
  const messages = conversationMessages(now, { ...tell(session, now), pictures, last })
  const times = messages.flatMap(one => one.content.flatMap(part => (part.type === 'image' ? [[part.time ?? 0]] : [])))
  const { video } = session.parts.index
  const brief: SightBrief = {
    kind: 'sight',
    video: { id: video.id, name: video.name },
    task: 'look',
    pictures: times,
    question: state.question.text,
  }
  return times.length > 0 ? { messages, brief } : { messages }
}

// Of a prompt, about.
export function pictureTokens({ parts }: AgentSession, frames: readonly ShownFrame[]): number {
  return frames.reduce((sum, { row, width }) => sum + (parts.frameStore?.get(row, width)?.tokens ?? 0), 0)
}

const frameKey = ({ row, width }: ShownFrame) => `${row.id} ${width}`

interface ViewedFrame extends ShownFrame {
  round: number
}

// The frames of all looks, the oldest first.
export function viewedFrames(session: AgentSession, { steps }: RunState, sight: Sight | undefined): ViewedFrame[] {
  if (!session.fit.sees || !sight) return []
  return steps
    .filter(step => step.outcome === 'found')
    .flatMap(({ evidence, round }) => {
      const rows = session.ledger.rows(evidence).filter(isFrame)
      const width = sight.width(session, rows.length)
      return rows.map(row => ({ row, width, round }))
    })
}

// A run that is resumed in another process decodes them again.
async function loadFrames(session: AgentSession, state: RunState, sight: Sight | undefined): Promise<void> {
  const { frameStore } = session.parts
  if (!frameStore || !session.fit.sees || !sight) return
  const frames = [
    ...(sight.opening?.(session, state) ?? []),
    ...viewedFrames(session, state, sight).slice(session.fit.picturesGone),
  ]
  try {
    for (const width of new Set(frames.map(one => one.width))) {
      const rows = frames.filter(one => one.width === width).map(one => one.row)
      await untilAborted(frameStore.load(session.context, rows, width), session.meter.signal)
    }
  } catch (error) {
    if (!session.meter.stopped()) session.failures.push(errorText(error).slice(0, 500))
  }
}

function leftOut(session: AgentSession, state: RunState, sight: Sight | undefined): string[] {
  const all = state.messages.flatMap(one => (one.by === 'code' ? (one.frames ?? []) : []))
  const fewer = all.length - (sight?.opening?.(session, state).length ?? all.length)
  return fewer > 0
    ? [`${fewer} of ${all.length} opening frames were left out because the context window was full.`]
    : []
}
