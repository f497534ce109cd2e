import { untilAborted } from '../../src/core/basics/signals.ts'
import type { Draft, SightBrief } from '../../src/core/brief.ts'
import type { ContentPart } from '../../src/core/chat.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { evenMoments } from '../../src/core/sight/moments.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { framesAt } from '../../src/core/sight/view-frames.ts'
import { formatMoment } from '../../src/core/time.ts'
import type { Frame } from '../../src/core/video.ts'
import { isTelling } from '../../src/core/words/index-lines.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { answered, baselineGraph, evenly, ledgerRequest, writeOnce } from './baseline.ts'

const longestFrameSpan = 2 // seconds that a frame speaks for at most

// Frames at even distances and the rows of speech, text, sound and captions, shown to the vision model in one call: no tools, no
// loop, no check. What any other graph must beat.
export default baselineGraph({
  gather: { work: gather, next: ['draft'] },
  draft: { work: draft, next: ['answer'] },
  answer: { work: concludeAnswer, next: [] },
})

async function gather(session: AgentSession): Promise<Done> {
  const { index, policy } = session.parts
  const rows = index.evidence({ tracks: ['speech', 'text', 'sound', 'caption'] }).filter(isTelling)
  session.ledger.learn(evenly(rows, policy.ledgerCharacters))
  return { update: {} }
}

async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const seen = await withFrames(session, state)
  if (typeof seen !== 'string') return answered(session, seen)
  // The writer alone, over the transcript: another thing than the baseline, and the answer says so.
  const { update } = answered(session, await writeOnce(session, state))
  return { update: { ...update, notes: [seen] } }
}

async function withFrames(session: AgentSession, state: RunState): Promise<Draft | undefined | string> {
  const { budget, question, index, policy } = session.parts
  if (!index.video.picture && index.stills.length === 0) return 'No frames were shown: the video has no picture.'
  try {
    const { by, service } = await session.context.services.vision()
    if (!service.accepts.has('image')) return `No frames were shown: ${service.id} takes no images.`
    if (!session.meter.mayAsk()) return undefined
    const frameParts = await loadFrames(session, by, service.id, Math.min(policy.singlePassFrames, budget.frames))
    const request = ledgerRequest(session, state)
    const messages = request.messages.map((message, i, all) =>
      i === all.length - 1 ? { ...message, content: [...frameParts, ...message.content] } : message,
    )
    const brief: SightBrief = {
      kind: 'sight',
      video: { id: index.video.id, name: index.video.name },
      task: 'look',
      pictures: frameParts.flatMap(part => (part.type === 'image' ? [[part.time ?? 0]] : [])),
      question: question.text,
    }
    const reply = await untilAborted(
      service.reply({ ...request, messages, brief }, session.meter.signal),
      session.meter.signal,
    )
    session.meter.spend({ calls: 1, ...reply.usage, frames: frameParts.length / 2 })
    return readDraft(reply.text, question.options) ?? { sentences: [] } // silence: the nearest evidence is quoted, and nothing failed
  } catch (error) {
    if (error instanceof UsageError) return `No frames were shown: ${error.message}`
    if (!session.meter.stopped()) session.failures.push(errorText(error).slice(0, 500))
    return undefined
  }
}

// Each frame with the id under which it can be cited, and its time.
async function loadFrames(session: AgentSession, by: string, model: string, count: number): Promise<ContentPart[]> {
  const { context, parts } = session
  const { duration } = parts.index.coverage
  const times = evenMoments({ start: 0, end: duration }, count)
  const frames = await decoded(session, times, pictureWidth(model, count))
  const pictures = frames.length > 0 ? frames : await keptFrames(session, times)
  return pictures.flatMap(({ time, jpeg }): ContentPart[] => {
    const span = { start: time, end: Math.min(duration, time + Math.min(duration / count, longestFrameSpan)) }
    const row = context.note({ span, track: 'picture', text: `frame at ${formatMoment(time)}`, frame: time }, by)
    session.ledger.learn([row])
    return [
      { type: 'text', text: `${row.id} ${formatMoment(time)}:` },
      { type: 'image', jpeg, time },
    ]
  })
}

interface TimedJpeg {
  time: number
  jpeg: Uint8Array
}

async function decoded({ context, parts }: AgentSession, times: number[], width: number): Promise<TimedJpeg[]> {
  const { jpeg } = context
  if (!jpeg || !parts.index.video.picture) return []
  const frames: Frame[] = await framesAt(context, times, width)
  return Promise.all(frames.map(async frame => ({ time: frame.time, jpeg: await jpeg(frame) })))
}

// If the file gives no frames, those that the index kept.
async function keptFrames({ parts: { index } }: AgentSession, times: readonly number[]): Promise<TimedJpeg[]> {
  const at = [...new Set(times.flatMap(time => nearestStill(index.stills, time) ?? []))]
  return Promise.all(at.map(async still => ({ time: index.stills[still]?.time ?? 0, jpeg: await index.still(still) })))
}

function nearestStill(stills: readonly { time: number }[], time: number): number | undefined {
  const away = stills.map(still => Math.abs(still.time - time))
  return away.length === 0 ? undefined : away.indexOf(Math.min(...away))
}
