import { z } from 'zod'
import type { Question } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { WindowSettings } from '../../src/core/settings.ts'
import { formatSpan, type Span } from '../../src/core/time.ts'
import type { Tool, ToolResult } from '../../src/core/tool.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { fence } from '../../src/core/words/fence.ts'
import { indexLine, isTelling } from '../../src/core/words/index-lines.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import { runCalls } from '../nodes/act.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { answerDraft, baselineGraph, baselineTool, evenly, writeOnce } from './baseline.ts'
import { clipTracks, hasCaptions, noCaptions } from './dvd/clips.ts'
import { inspectFrames } from './dvd/tools.ts'

const hitsOfWindow = 8 // searched for, so that one window with many hits does not keep out the others
const charactersOfWindow = 6000 // of what is said and described in it

// The way of Goldfish: short windows, each with its description; those that fit the question best are looked at with the question, one
// by one, and the answer is written from what came of them.
export default baselineGraph(
  {
    retrieve: { work: retrieve, next: ['look'] },
    look: { work: look, next: ['draft'] },
    draft: { work: async (session, state) => answerDraft(session, await writeOnce(session, state)), next: ['answer'] },
    answer: { work: concludeAnswer, next: [] },
  },
  given => {
    const windows = given.windows ?? WindowSettings.parse({})
    const mostFrames = Math.max(1, Math.min(windows.frames, Math.floor(given.budget.frames / windows.k)))
    const tools = [searchTool(windows), inspectTool(mostFrames)]
    return { ...given, windows, tools, policy: { ...given.policy, callsPerRound: windows.k } }
  },
)

async function retrieve(session: AgentSession, state: RunState): Promise<Done> {
  const { index, question } = session.parts
  const calls: ToolCall[] = [{ id: 'windows_0', name: 'window_search', arguments: { query: writeQuery(question) } }]
  const update = await runCalls(session, state, calls, 0)
  return { update: { ...update, round: 1, ...(!hasCaptions(index) && { notes: [noCaptions] }) } }
}

async function look(session: AgentSession, state: RunState): Promise<Done> {
  const { question, index, vision, windows = WindowSettings.parse({}) } = session.parts
  if (!vision) return { update: { notes: ['No window was looked at: models.vision is off.'] } }
  const { spans, fitting } = await chooseWindows(index, writeQuery(question), windows)
  const calls = spans.map(
    (span, i): ToolCall => ({
      id: `windows_1_${i}`,
      name: 'window_inspect',
      arguments: { question: question.text, ...span },
    }),
  )
  const note = `${fitting} of the ${spans.length} windows that were looked at fit the question by their words; the others lie evenly.`
  const update = await runCalls(session, state, calls, 1)
  return { update: { ...update, round: 2, ...(fitting < spans.length && { notes: [note] }) } }
}

// Those with the best hits, in their order; where too few have any, others at even distances.
async function chooseWindows(index: VideoIndex, query: string, { seconds, k }: WindowSettings) {
  const all = cutWindows(index.coverage.duration, seconds)
  const hits = await index.search({ query, tracks: clipTracks(index), k: k * hitsOfWindow })
  const ranked = hits.flatMap(({ evidence }) => all.find(span => holds(span, evidence)) ?? [])
  const fitting = [...new Set(ranked)].slice(0, k)
  const rest = all.filter(span => !fitting.includes(span))
  const missing = Math.min(rest.length, k - fitting.length)
  const even = Array.from({ length: missing }, (_, i) => rest[Math.floor(((i + 0.5) * rest.length) / missing)] as Span)
  const spans = [...fitting, ...even]
  return { spans, fitting: fitting.length }
}

function writeQuery({ text, options = [] }: Question): string {
  return [text, ...options].join(' ').slice(0, 500)
}

function holds(window: Span, { span }: Evidence): boolean {
  return span.start >= window.start && span.start < window.end
}

function searchTool(windows: WindowSettings): Tool {
  return baselineTool(
    { name: 'window_search', description: 'The windows of the video that fit a question best.', kind: 'search' },
    z.object({ query: z.string().min(1) }),
    async ({ query }, { index }) => {
      const { spans } = await chooseWindows(index, query, windows)
      const rows = index.evidence({ tracks: clipTracks(index) }).filter(isTelling)
      const evidence = spans.flatMap(span =>
        evenly(
          rows.filter(row => holds(span, row)),
          charactersOfWindow,
        ),
      )
      return { evidence: evidence.sort(byTime), text: `Windows: ${spans.map(formatSpan).join(', ')}` }
    },
  )
}

function inspectTool(mostFrames: number): Tool {
  const time = z.number().min(0)
  return baselineTool(
    { name: 'window_inspect', description: 'Asks a vision model about one window.', kind: 'look' },
    z.object({ question: z.string().min(1), start: time, end: time }),
    async ({ question, start, end }, context): Promise<ToolResult> => {
      const speech = context.index.evidence({ tracks: ['speech'], span: { start, end } })
      const beside =
        speech.length > 0 ? fence('speech', evenly(speech, charactersOfWindow).map(indexLine).join('\n')) : ''
      return inspectFrames({ question, ranges: [{ start, end }], mostFrames, beside }, context)
    },
  )
}

// A rest shorter than half a window belongs to the last one.
function cutWindows(duration: number, seconds: number): Span[] {
  const count = Math.max(1, Math.round(duration / seconds))
  return Array.from({ length: count }, (_, i) => ({
    start: i * seconds,
    end: i === count - 1 ? duration : (i + 1) * seconds,
  }))
}
