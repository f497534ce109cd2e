import { untilAborted } from '../../src/core/basics/signals.ts'
import type { Draft, SightBrief } from '../../src/core/brief.ts'
import type { ContentPart } from '../../src/core/chat.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import { readDraft } from '../answer/read-draft.ts'
import { nearestStill } from '../nearest-still.ts'
import { mayCallModel } from '../nodes/budget.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { evenly } from './evenly.ts'
import { plainAnswer } from './plain-answer.ts'
import { plainGraph } from './plain-graph.ts'
import { requestOf, writeOnce } from './write-once.ts'

const mostFrames = 32

// Frames at even distances and the transcript, shown to the vision model in one call: no tools, no loop, no check.
export default plainGraph({
  gather: { work: gather, next: ['draft'] },
  draft: { work: draft, next: ['answer'] },
  answer: { work: plainAnswer, next: [] },
})

async function gather(session: AgentSession): Promise<Done> {
  const { index, policy } = session.parts
  session.learn(evenly(index.evidence({ tracks: ['speech'] }), policy.ledgerCharacters))
  return { update: {} }
}

async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const seen = await withFrames(session, state)
  if (typeof seen !== 'string') return { update: { written: seen } }
  // The writer alone, over the transcript: another thing than the baseline, and the answer says so.
  return { update: { written: await writeOnce(session, state), notes: [seen] } }
}

async function withFrames(session: AgentSession, state: RunState): Promise<Draft | undefined | string> {
  const { budget, question, index } = session.parts
  if (!index.video.picture && index.stills.length === 0) return 'No frames were shown: the video has no picture.'
  try {
    const { by, service } = await session.context.services.vision()
    if (!service.accepts.has('image')) return `No frames were shown: ${service.id} takes no images.`
    if (session.stopped() || !mayCallModel(session.usage(), budget)) return undefined
    const shown = await framesOf(session, by, Math.min(mostFrames, budget.frames))
    const request = requestOf(session, state)
    const messages = request.messages.map((message, i, all) =>
      i === all.length - 1 ? { ...message, content: [...shown, ...message.content] } : message,
    )
    const brief: SightBrief = {
      kind: 'sight',
      video: { id: index.video.id, name: index.video.name },
      task: 'look',
      pictures: shown.flatMap(part => (part.type === 'image' ? [[part.time ?? 0]] : [])),
      question: question.text,
    }
    const reply = await untilAborted(service.reply({ ...request, messages, brief }, session.signal), session.signal)
    session.spend({ calls: 1, ...reply.usage, frames: shown.length / 2 })
    session.pay('vision', reply)
    return readDraft(reply.text, question.options)
  } catch (error) {
    if (error instanceof UsageError) return `No frames were shown: ${error.message}`
    if (!session.stopped()) session.failures.push(errorText(error).slice(0, 500))
    return undefined
  }
}

// Each frame with the id under which it can be cited.
async function framesOf(session: AgentSession, by: string, count: number): Promise<ContentPart[]> {
  const { index } = session.parts
  const { duration } = index.coverage
  const wanted = Array.from({ length: count }, (_, i) => ((i + 0.5) * duration) / count)
  const at = [...new Set(wanted.flatMap(time => nearestStill(index.stills, time) ?? []))]
  const parts: ContentPart[] = []
  for (const still of at) {
    const time = index.stills[still]?.time ?? 0
    const span = { start: time, end: Math.min(duration, time + duration / count) }
    const row = session.context.note({ span, track: 'picture', text: `frame at ${formatTime(time)}`, frame: time }, by)
    session.learn([row])
    parts.push({ type: 'text', text: `${row.id} ${formatTime(time)}:` })
    parts.push({ type: 'image', jpeg: await index.still(still), time })
  }
  return parts
}
