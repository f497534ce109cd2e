import type { ContentPart } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { evenMoments } from '../../src/core/sight/moments.ts'
import { formatMoment, formatSpan, type Span } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { coverageBlock, questionBlock } from '../prompt-blocks.ts'
import { overviewBlock } from '../prompts/overview-block.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { changedFrames, frameRow, framesAt, framesFor, openingWidth } from './frames.ts'
import { indexLines } from './index-lines.ts'
import { conversationLengths } from './lengths.ts'

const overviewCharacters = 12_000
const indexTracks = ['speech', 'text', 'sound', 'caption'] as const

// Chooses the frames that the conversation begins with, and learns the rows of the index that are shown.
export async function openConversation(session: AgentSession, state: RunState): Promise<Done> {
  const { index } = session.parts
  session.watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  session.learn(shownRows(session).rows)
  const opening = session.sees && session.context.jpeg ? await openingFrames(session) : []
  return { update: { opening: opening.map(row => row.id), round: state.round } }
}

async function openingFrames(session: AgentSession): Promise<Evidence[]> {
  const { index, frameStore, planner, budget } = session.parts
  const { duration } = index.coverage
  if (!index.video.picture) return []
  const span = session.parts.span ?? { start: 0, end: duration }
  const most = Math.min(conversationLengths(planner).openingFrames, Math.floor(budget.frames / 2))
  const times = evenMoments(span, framesFor(span, most))
  const distance = (span.end - span.start) / Math.max(1, times.length)
  const frames = await framesAt(session.context, times, openingWidth)
  const { shown } = changedFrames(frames)
  session.takeFrames(shown.length)
  const rows = shown.map(frame => frameRow(session.context, frame, distance))
  await Promise.all(rows.map((row, i) => frameStore?.put(session.context, row, shown[i] ?? (frames[0] as never))))
  session.learn(rows)
  return rows
}

// What of the index fits into the first request: all of it, or the rows at the chapters of a longer film.
function shownRows(session: AgentSession): { rows: Evidence[]; lines: string[]; left: number; silences: number } {
  const { index, planner, span } = session.parts
  const all = index.evidence({ tracks: [...indexTracks], ...(span && { span }) })
  const { lines, ids, silences } = indexLines(all)
  const max = conversationLengths(planner).indexCharacters * session.promptShare
  const whole = lines.reduce((sum, line) => sum + line.length + 1, 0) <= max
  const step = whole ? 1 : Math.ceil(lines.reduce((sum, line) => sum + line.length + 1, 0) / max)
  const kept = lines.map((_, i) => i).filter(i => whole || i % step === 0)
  const known = new Set(kept.map(i => ids[i]))
  return {
    rows: all.filter(row => known.has(row.id)),
    lines: kept.map(i => lines[i] ?? ''),
    left: lines.length - kept.length,
    silences,
  }
}

// The first message: the question, the timed index, the frames with their ids and times, and what is not shown.
export function firstMessage(session: AgentSession, state: RunState): ContentPart[] {
  const { index } = session.parts
  const { lines, left } = shownRows(session)
  const { duration } = index.coverage
  const frames = openingRows(session, state)
  const facts = [
    `The video is ${formatMoment(duration)} long.`,
    session.parts.answerAlways ? 'An answer is required: if nothing shows it, give the best inference.' : '',
    coverageBlock(index.coverage),
    left > 0 ? overviewBlock(index.overview, overviewCharacters) : '',
    fence('index', lines.join('\n') || '(no rows)'),
    left > 0 ? `${left} more rows of the index are not shown here: read(start, end) gives all of a span.` : '',
  ]
  const parts: ContentPart[] = [
    { type: 'text', text: `${questionBlock(state, session.turns)}\n\n${facts.filter(Boolean).join('\n')}` },
  ]
  if (frames.length === 0) return parts
  parts.push({ type: 'text', text: `\n\n${frames.length} frames, in order${gapsText(frames, duration)}:` })
  return [...parts, ...frames.flatMap(row => framePart(session, row))]
}

// A frame with its id and time before it.
export function framePart(session: AgentSession, row: Evidence): ContentPart[] {
  const jpeg = session.parts.frameStore?.jpegOf(row)
  const label: ContentPart = { type: 'text', text: `\n${row.id} ${formatMoment(row.frame ?? row.span.start)}:` }
  return jpeg
    ? [label, { type: 'image', jpeg, time: row.frame }]
    : [label, { type: 'text', text: ' (cannot be shown)' }]
}

// The opening frames that are still shown: fewer, evenly, if the prompt was too long.
export function openingRows(session: AgentSession, state: RunState): Evidence[] {
  if (!session.sees) return []
  const rows = session.rows(state.opening)
  const step = Math.max(1, Math.round(1 / session.promptShare))
  return rows.filter((_, i) => i % step === 0)
}

function gapsText(frames: readonly Evidence[], duration: number): string {
  const times = frames.map(row => row.frame ?? row.span.start)
  const gaps = [...times, duration].map((time, i): Span => ({ start: times[i - 1] ?? 0, end: time }))
  const usual = [...gaps].sort((a, b) => a.end - a.start - (b.end - b.start))[Math.floor(gaps.length / 2)]
  const distance = usual ? usual.end - usual.start : 0
  const unchanged = gaps.slice(1).filter(gap => gap.end - gap.start > 1.7 * distance + 0.5)
  const said = unchanged.slice(0, 12).map(formatSpan).join(' ')
  return `, about one in ${distance.toFixed(1)} s${said ? `; unchanged as far as sampled: ${said}` : ''}`
}
