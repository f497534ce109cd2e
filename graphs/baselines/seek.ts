import type { StopReason } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import type { ChatReply, ToolCall } from '../../src/core/chat.ts'
import { SeekSettings } from '../../src/core/settings.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { exhausted } from '../asking/budget.ts'
import type { Blueprint } from '../compile.ts'
import { act, runCalls } from '../nodes/act.ts'
import type { GraphParts } from '../parts.ts'
import { openPictures } from '../pictures.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { plainAnswer } from './plain-answer.ts'
import { plainGraph } from './plain-graph.ts'
import { seekRequest, shownLooks, spokenLines } from './seek/request.ts'
import { seekTools } from './seek/tools.ts'
import { toolLoop } from './tool-loop.ts'

// The way of VideoSeek: pictures of the whole video, then looks from coarse to fine, all in the context of a planner that sees. It
// needs no index: frames are decoded when they are asked for.
const seek: Blueprint = {
  ...plainGraph(
    {
      look: { work: firstLook, next: ['plan'] },
      plan: {
        work: toolLoop({
          rounds: ({ parts }) => parts.seek?.rounds ?? 0,
          request: seekRequest,
          prepare,
          ends,
          taken: withSeenNotes,
        }),
        next: ['act', 'answer'],
      },
      act: { work: act, next: ['plan'] },
      answer: { work: plainAnswer, next: [] },
    },
    settled,
  ),
  withoutIndex: true,
  sees: true,
}
export default seek

function settled(given: GraphParts): GraphParts {
  const { planner, index } = given
  const usual = given.seek ?? SeekSettings.parse({})
  const pictures = openPictures(usual.width)
  const tools = seekTools(pictures, usual, planner.id)
  const spoken = spokenOf(index, usual.words === 'off')
  return { ...given, seek: usual, pictures, tools, index: spoken, context: { ...given.context, index: spoken } }
}

// Nothing of an index but what is said.
function spokenOf(index: VideoIndex, silent: boolean): VideoIndex {
  const spoken = (filter: Parameters<VideoIndex['evidence']>[0]) =>
    silent || (filter?.tracks && !filter.tracks.includes('speech'))
      ? []
      : index.evidence({ ...filter, tracks: ['speech'] })
  return { ...index, overview: { ...index.overview, chapters: [] }, evidence: spoken }
}

// The overview comes before the planner is asked: it would ask for it first, and that is a call of the model less.
async function firstLook(session: AgentSession, state: RunState): Promise<Done> {
  session.learn(spokenLines(session))
  const calls: ToolCall[] = [{ id: 'look_0', name: 'overview', arguments: {} }]
  return { update: { ...(await runCalls(session, state, calls, 0)), round: 1 } }
}

function ends(session: AgentSession, state: RunState): StopReason | undefined {
  return exhausted(session.usage(), session.parts.budget, state.round)
}

async function prepare(session: AgentSession, state: RunState): Promise<void> {
  const frames = shownLooks(session, state).flatMap(look => look.frames.flatMap(row => row.frame ?? []))
  const loading = session.parts.pictures?.load(session.context, frames)
  if (loading) await untilAborted(loading, session.signal)
}

// What a planner says beside a call is what it has seen, where the call itself does not say it. It becomes a row, so that an answer,
// and whoever reads the run, still has it when the pictures are gone.
function withSeenNotes(session: AgentSession, state: RunState, reply: ChatReply): ChatReply {
  const calls = reply.calls.map(call => ({ ...call, arguments: withSeen(call.arguments, reply.text.trim()) }))
  const seen = calls
    .map(call => (call.arguments as { seen?: unknown } | null)?.seen)
    .find(one => typeof one === 'string')
  const lastRound = state.steps.at(-1)?.round
  const looks = state.steps.filter(step => step.round === lastRound)
  const rows = session.rows(looks.flatMap(step => step.evidence)).filter(row => row.frame !== undefined)
  const [first] = rows
  const { planner } = session.parts
  if (typeof seen === 'string' && seen.trim() !== '' && first) {
    const end = Math.max(...rows.map(row => row.span.end))
    const start = Math.min(...rows.map(row => row.span.start))
    const finding = { span: { start, end }, track: 'picture' as const, text: seen.trim().slice(0, 2000) }
    session.learn([session.context.note({ ...finding, frame: first.frame }, planner.id)])
  }
  return { ...reply, calls }
}

function withSeen(given: unknown, said: string): unknown {
  if (said === '' || !given || typeof given !== 'object' || Array.isArray(given) || 'seen' in given) return given
  return { ...given, seen: said.slice(0, 2000) }
}
