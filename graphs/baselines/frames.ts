import { untilAborted } from '../../src/core/basics/signals.ts'
import type { Draft, SightBrief } from '../../src/core/brief.ts'
import { type ChatModel, type ContentPart, textContent } from '../../src/core/chat.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { framesAt } from '../../src/core/sight/view-frames.ts'
import { formatMoment, type Span, spanLength } from '../../src/core/time.ts'
import type { NamedService, ToolContext } from '../../src/core/tool.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { isTelling } from '../../src/core/words/index-lines.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import type { GraphParts } from '../parts.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { answerDraft, evenly, ledgerRequest, writeOnce } from './baseline.ts'

const replyTokens = 512 // of a tool of a baseline
const longestFrameSpan = 2 // seconds that a frame speaks for at most

export function wholeSpan({ coverage }: VideoIndex): Span {
  return { start: 0, end: coverage.duration }
}

// All that was said, read, heard and described, as far as it fits.
export function learnWords({ parts, ledger }: AgentSession): void {
  const rows = parts.index.evidence({ tracks: ['speech', 'text', 'sound', 'caption'] }).filter(isTelling)
  ledger.learn(evenly(rows, parts.policy.ledgerCharacters))
}

// At even distances over the spans as if they were one.
export function evenMomentsOver(spans: readonly Span[], count: number): number[] {
  const total = spans.reduce((sum, span) => sum + spanLength(span), 0)
  const moments: number[] = []
  let before = 0
  for (const span of spans) {
    const length = spanLength(span)
    for (let i = moments.length; i < count; i++) {
      const at = ((i + 0.5) * total) / count - before
      if (at >= length) break
      moments.push(span.start + at)
    }
    before += length
  }
  return moments
}

// The share of the frames of a published agent that the budget lets it show, and what the answer says of it.
export function frameShare({ budget, vision }: Pick<GraphParts, 'budget' | 'vision'>, published: number) {
  const share = Math.min(1, budget.frames / published)
  const note = `This baseline shows up to ${published} frames of a long video; budget.frames is ${budget.frames}, so each of its steps shows fewer.`
  return { share, notes: share < 1 && vision ? [note] : [] }
}

interface FrameQuestion {
  times: readonly number[]
  span: Span // that they are of
  rules: string
  question: string
  beside?: string // words to go with the frames
  width: number // pixels of each
}

// Frames and a question for the vision model, of a tool of a baseline.
export async function askFrames(context: ToolContext, asked: FrameQuestion) {
  const { by, service } = await context.services.vision()
  if (!service.accepts.has('image'))
    throw new UsageError(`Frames are shown to a vision model, and ${service.id} takes no images.`, {
      hint: 'Set models.vision to a model that does.',
    })
  const { jpeg } = context
  if (!jpeg) throw new UsageError('No pictures can be made for a vision model here.')
  const { times, span, rules, question, beside = '', width } = asked
  const frames = await framesAt(context, times, width)
  const frameParts = await Promise.all(
    frames.map(
      async (frame): Promise<ContentPart[]> => [
        { type: 'text', text: `Frame at ${formatMoment(frame.time)}:` },
        { type: 'image', jpeg: await jpeg(frame), time: frame.time },
      ],
    ),
  )
  const reply = await service.reply(
    {
      purpose: 'look',
      messages: [
        { role: 'system', content: textContent(rules) },
        {
          role: 'user',
          content: [...frameParts.flat(), ...textContent([beside, question].filter(Boolean).join('\n'))],
        },
      ],
      temperature: 0,
      maxTokens: replyTokens,
      brief: sightBrief(
        context.index,
        frames.map(frame => frame.time),
        { question, span },
      ),
    },
    context.signal,
  )
  context.spend({ calls: 1, ...reply.usage, frames: frames.length })
  return { by, text: reply.text.trim(), times: frames.map(frame => frame.time) }
}

// The answer in one call of the vision model: frames at these moments, each under an id that can be cited, and the ledger.
export async function draftFromFrames(
  session: AgentSession,
  state: RunState,
  times: readonly number[],
  width?: number,
): Promise<Done> {
  const seen = await withFrames(session, state, times, width)
  if (typeof seen !== 'string') return answerDraft(session, seen)
  // Only the writer, over the rows: another thing than the baseline, and the answer says so.
  if (session.ledger.size === 0) learnWords(session)
  const { update } = answerDraft(session, await writeOnce(session, state))
  return { update: { ...update, notes: [seen] } }
}

async function withFrames(
  session: AgentSession,
  state: RunState,
  times: readonly number[],
  width: number | undefined,
): Promise<Draft | undefined | string> {
  const { question, index } = session.parts
  if (!index.video.picture && index.stills.length === 0) return 'No frames were shown: the video has no picture.'
  try {
    const vision = await session.context.services.vision()
    if (!vision.service.accepts.has('image')) return `No frames were shown: ${vision.service.id} takes no images.`
    if (!session.meter.mayAsk()) return undefined
    const rows = session.ledger.all() // without those of the frames, which stand beside their pictures
    const frameParts = await loadFrames(session, vision, times, width)
    const request = ledgerRequest(session, state, { rows, hints: [framesAreRows] })
    const messages = request.messages.map((message, i, all) =>
      i === all.length - 1 ? { ...message, content: [...frameParts, ...message.content] } : message,
    )
    const shownTimes = frameParts.flatMap(part => (part.type === 'image' ? [part.time ?? 0] : []))
    const brief = sightBrief(index, shownTimes, { question: question.text })
    const reply = await untilAborted(
      vision.service.reply({ ...request, messages, brief }, session.meter.signal),
      session.meter.signal,
    )
    session.meter.spend({ calls: 1, ...reply.usage, frames: shownTimes.length })
    return readDraft(reply.text, question.options) ?? { sentences: [] } // silence: the nearest evidence is quoted, and nothing failed
  } catch (error) {
    if (error instanceof UsageError) return `No frames were shown: ${error.message}`
    if (!session.meter.stopped()) session.failures.push(errorText(error).slice(0, 500))
    return undefined
  }
}

const framesAreRows =
  'The frames are evidence as the rows are. Each has its id and its time before it; cite it by the id.'

function sightBrief({ video }: VideoIndex, times: readonly number[], about: Pick<SightBrief, 'question' | 'span'>) {
  const pictures = times.map(time => [time])
  const brief: SightBrief = {
    kind: 'sight',
    video: { id: video.id, name: video.name },
    task: 'look',
    pictures,
    ...about,
  }
  return brief
}

// Each frame with the id under which it can be cited, and its time; fewer of them if the budget has fewer left.
async function loadFrames(
  { context, meter, parts, ledger }: AgentSession,
  { by, service }: NamedService<ChatModel>,
  wanted: readonly number[],
  width: number | undefined,
): Promise<ContentPart[]> {
  const { index } = parts
  const count = Math.min(wanted.length, meter.framesLeft())
  const times = wanted.filter(
    (_, i) => Math.floor((i * count) / wanted.length) !== Math.floor(((i - 1) * count) / wanted.length),
  )
  const frames = await decoded(context, index, times, width ?? pictureWidth(service.id, count))
  const pictures = frames.length > 0 ? frames : await keptFrames(index, times)
  return pictures.flatMap(({ time, jpeg }, i): ContentPart[] => {
    const next = pictures[i + 1]?.time ?? index.coverage.duration
    const span = { start: time, end: Math.max(time, Math.min(next, time + longestFrameSpan)) }
    const row = context.note({ span, track: 'picture', text: `frame at ${formatMoment(time)}`, frame: time }, by)
    ledger.learn([row])
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

async function decoded(context: ToolContext, { video }: VideoIndex, times: number[], width: number) {
  const { jpeg } = context
  if (!jpeg || !video.picture) return []
  const frames = await framesAt(context, times, width)
  return Promise.all(frames.map(async (frame): Promise<TimedJpeg> => ({ time: frame.time, jpeg: await jpeg(frame) })))
}

// If the file gives no frames, those that the index kept.
async function keptFrames(index: VideoIndex, times: readonly number[]): Promise<TimedJpeg[]> {
  const at = [...new Set(times.flatMap(time => nearestStill(index.stills, time) ?? []))]
  return Promise.all(at.map(async still => ({ time: index.stills[still]?.time ?? 0, jpeg: await index.still(still) })))
}

function nearestStill(stills: readonly { time: number }[], time: number): number | undefined {
  const away = stills.map(still => Math.abs(still.time - time))
  return away.length === 0 ? undefined : away.indexOf(Math.min(...away))
}
