import type { ContentPart } from '../../src/core/chat.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import { changedFrames, framePart, frameRow, framesFor, openingWidth } from '../../src/core/sight/frame-rows.ts'
import { openingMoments } from '../../src/core/sight/opening-moments.ts'
import { framesAt } from '../../src/core/sight/view-frames.ts'
import { formatMoment, type Span, spanLength } from '../../src/core/time.ts'
import { isIndexed, lostSpans, toldTracks, type VideoIndex } from '../../src/core/video.ts'
import { fence } from '../../src/core/words/fence.ts'
import { compactLine, type IndexLine, indexLines } from '../../src/core/words/index-lines.ts'
import { overviewBlock, questionBlock } from '../prompts/blocks.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { conversationLengths } from './lengths.ts'

const overviewCharacters = 12_000
const indexTracks: Track[] = ['caption', 'text', 'person', 'sound', 'speech'] // in the order in which they have room
const farApart = 10 // seconds between frames from which a keyframe stands for a moment
const nearShare = 1 / 20 // of the distance: how much earlier it may lie

// Chooses the frames that the conversation begins with, and learns the rows of the index that are shown.
export async function openConversation(session: AgentSession): Promise<Done> {
  const { index } = session.parts
  session.watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  const { lines } = shownIndex(session)
  session.ledger.learn(lines.flatMap(({ id }) => index.byId(id) ?? []))
  if (!session.fit.sees || !session.context.jpeg || !index.video.picture) return { update: {} }
  const opening = await openingFrames(session)
  const { max, fit } = openingRoom(session)
  const note = `The context window of the model holds ${max} opening frames; ${fit} would have been shown.`
  const frames = opening.map(row => row.id)
  return {
    update: { messages: [{ by: 'code', about: 'opening', text: '', frames }], ...(max < fit && { notes: [note] }) },
  }
}

// How many opening frames there may be, and how many if only the context window bounds them.
function openingRoom({ parts }: AgentSession): { max: number; fit: number } {
  const { index, planner, budget, span = { start: 0, end: index.coverage.duration } } = parts
  const { openingFrames, maxOpeningFrames } = conversationLengths(planner)
  const most = Math.floor(budget.frames / 2)
  return { max: Math.min(openingFrames, most), fit: framesFor(span, Math.min(maxOpeningFrames, most)) }
}

async function openingFrames(session: AgentSession): Promise<Evidence[]> {
  const { frameStore } = session.parts
  const { context } = session
  const { times, distance } = sampledMoments(session)
  const frames = await framesAt(context, times, openingWidth, {
    ...(distance > farApart && { near: distance * nearShare }),
  })
  const changed = changedFrames(frames)
  session.meter.takeFrames(changed.length)
  const rows = changed.map(({ frame, unchanged }) => frameRow(context, frame, { distance, unchanged }))
  await Promise.all(rows.map((row, i) => frameStore?.put(context, row, changed[i]?.frame as never, openingWidth)))
  session.ledger.learn(rows)
  return rows
}

// The moments that are sampled; what was not decoded has none.
function sampledMoments(session: AgentSession): { times: number[]; distance: number } {
  const { index, span = { start: 0, end: index.coverage.duration } } = session.parts
  const lost = lostSpans(index.coverage, 'picture', span)
  const all = openingMoments(index, span, openingRoom(session).max)
  const times = all.filter(time => !lost.some(gap => time >= gap.start && time < gap.end))
  return { times, distance: spanLength(span) / Math.max(1, all.length) }
}

// What of the index fits into the first request: all of it, or whole tracks, the shortest ones first, and even parts of the others.
export function shownIndex(session: AgentSession): { lines: IndexLine[]; hidden: string[] } {
  const { index, planner, span } = session.parts
  const max = conversationLengths(planner).indexCharacters * session.fit.share
  const all = indexLines(index.evidence({ tracks: indexTracks, ...(span && { span }) }))
  const sizeOf = (lines: readonly IndexLine[]) => lines.reduce((sum, { line }) => sum + line.length + 1, 0)
  if (sizeOf(all) <= max) return { lines: all, hidden: [] }
  const shownIds = new Set<string>()
  const hidden: string[] = []
  let charactersLeft = max
  for (const track of indexTracks) {
    const lines = all.filter(line => line.track === track)
    const step = Math.max(1, Math.ceil(sizeOf(lines) / Math.max(1, charactersLeft)))
    const sampledLines = lines.filter((_, i) => i % step === 0)
    for (const { id } of sampledLines) shownIds.add(id)
    charactersLeft = Math.max(0, charactersLeft - sizeOf(sampledLines))
    if (sampledLines.length < lines.length)
      hidden.push(`${lines.length - sampledLines.length} of ${lines.length} rows of ${track}`)
  }
  return { lines: all.filter(({ id }) => shownIds.has(id)), hidden }
}

// The first message: the question, the timed index, the frames with their ids and times, and what is not shown.
export function firstMessage(session: AgentSession, state: RunState): ContentPart[] {
  const { index, answerAlways } = session.parts
  const { lines, hidden } = shownIndex(session)
  const { duration } = index.coverage
  const frames = openingRows(session, state)
  const speech = lines.filter(({ track }) => track === 'speech')
  const isDoubted = speech.length > 1 && speech.every(({ line }) => line.includes(' (?): '))
  const facts = [
    fence('file', `${index.video.name}, ${formatMoment(duration)} long`),
    answerAlways ? 'An answer is required: if nothing shows it, give the best inference.' : '',
    tracksBlock(index),
    isDoubted ? 'All speech below is doubtful.' : '',
    hidden.length > 0 ? overviewBlock(index.overview, overviewCharacters) : '',
    fence('index', lines.map(line => compactLine({ ...line, isDoubted })).join('\n') || '(no rows)'),
    hidden.length > 0
      ? `Not shown: ${hidden.join(', ')}. read(start, end) gives all of a span, find searches all.`
      : '',
  ]
  const parts: ContentPart[] = [
    { type: 'text', text: `${questionBlock(state, session.parts.earlier)}\n\n${facts.filter(Boolean).join('\n')}` },
  ]
  if (frames.length === 0) return parts
  const { times, distance } = sampledMoments(session)
  const spread = `of ${times.length} sampled, one in about ${distance.toFixed(1)} s`
  const missing = openingIds(state).length - frames.length
  const thinned =
    missing > 0 ? `; ${missing} more were left out, evenly, because the context window is full: use view` : ''
  parts.push({ type: 'text', text: `\n\n${frames.length} frames in order, ${spread}${thinned}:` })
  return [...parts, ...frames.flatMap(row => framePart(session.parts.frameStore, row, openingWidth))]
}

// What was looked at, by whom, and how far that can be trusted.
function tracksBlock(index: VideoIndex): string {
  const { coverage } = index
  const trackLines = toldTracks(coverage, ['speech', 'text', 'sound', 'picture']).map(({ name, track }) => {
    const { state, items, notUnderstood = [] } = track
    const isRead = isIndexed(track)
    const rows = name === 'picture' || !isRead ? [] : index.evidence({ tracks: [name] })
    const sure = rows.flatMap(({ confidence }) => confidence ?? [])
    const mean = sure.length > 0 ? `, mean confidence ${(sure.reduce((a, b) => a + b) / sure.length).toFixed(2)}` : ''
    const by = rows[0] ? ` by ${rows[0].by}${mean}` : ''
    const gaps = name === 'caption' ? [] : lostSpans(coverage, name, { start: 0, end: coverage.duration })
    const count = name === 'picture' ? '' : `, ${items} rows`
    const unknown = notUnderstood.length > 0 ? `, voices without words at ${momentsText(notUnderstood)}` : ''
    return `${name}: ${state}${isRead ? `${count}${by}` : ''}${unknown}${gaps.length > 0 ? `, not decoded at ${momentsText(gaps)}` : ''}`
  })
  const notes = coverage.notes.length > 0 ? `\n${fence('notes', coverage.notes.join('\n'))}` : ''
  return `Index: ${trackLines.join('; ')}.${notes}`
}

function momentsText(spans: readonly Span[]): string {
  const spanTexts = spans.slice(0, 12).map(({ start, end }) => `${formatMoment(start)}-${formatMoment(end)}`)
  return `${spanTexts.join(' ')}${spans.length > 12 ? ` and ${spans.length - 12} more` : ''}`
}

// The opening frames that are still shown: fewer, evenly, if the prompt was too long.
export function openingRows(session: AgentSession, state: RunState): Evidence[] {
  if (!session.fit.sees) return []
  const step = Math.max(1, Math.round(1 / session.fit.share))
  return session.ledger.rows(openingIds(state)).filter((_, i) => i % step === 0)
}

function openingIds({ messages }: RunState): string[] {
  return messages.flatMap(one => (one.by === 'code' ? (one.frames ?? []) : []))
}
