import { z } from 'zod'
import { byTime } from '../../src/core/evidence.ts'
import { evenMoments } from '../../src/core/sight/moments.ts'
import type { Tool } from '../../src/core/tool.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import { videoRagRules } from '../prompts/baselines.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { baselineGraph, baselineTool, findPlan, planJson, questionQueries, runRound } from './baseline.ts'
import { draftFromFrames, wholeSpan } from './frames.ts'
import { clipSpan, fittingRows } from './retrieve.ts'

const frameCount = 32
const pieceSeconds = 30 // of speech, as it is retrieved
const threshold = 0.3 // of a cosine
const sureText = 0.5 // confidence from which text on screen counts

const Request = z.object({ speech: z.string().nullish(), things: z.array(z.string()).nullish() })

// Video-RAG as LongShOT runs it: the model says what text it needs, what fits of speech and of text on 32 frames is retrieved, and
// the frames and that text answer in one call. Objects are not detected, as there.
export default baselineGraph(
  {
    request: { work: request, next: ['retrieve'] },
    retrieve: { work: retrieve, next: ['draft'] },
    draft: {
      work: (session, state) => draftFromFrames(session, state, frameTimes(session.parts.index)),
      next: ['answer'],
    },
    answer: { work: concludeAnswer, next: [] },
  },
  given => ({ ...given, tools: videoRagTools }),
)

async function request(session: AgentSession, state: RunState): Promise<Done> {
  const step = { name: 'request', rules: videoRagRules, shape: Request }
  return { update: (await planJson(session, state, step)).update }
}

async function retrieve(session: AgentSession, state: RunState): Promise<Done> {
  const { speech, things } = findPlan(state, Request) ?? {}
  const retrieval = (name: string, more: string[]) => ({
    ...{ id: name, name },
    arguments: { queries: [...questionQueries(session), ...more].slice(0, mostQueries) },
  })
  const calls = [retrieval('retrieve_speech', speech ? [speech] : []), retrieval('retrieve_text', things ?? [])]
  return { update: await runRound(session, state, calls) }
}

function frameTimes(index: VideoIndex): number[] {
  return evenMoments(wholeSpan(index), frameCount)
}

const mostQueries = 24
const queriesInput = z.object({ queries: z.array(z.string().min(1)).min(1).max(mostQueries) })

const videoRagTools: Tool[] = [
  baselineTool(
    {
      name: 'retrieve_speech',
      kind: 'search',
      description: `Speech in pieces of ${pieceSeconds} s that fit the queries.`,
    },
    queriesInput,
    async ({ queries }, { index }) => {
      const fitting = await fittingRows(index, queries, 'speech', threshold)
      const pieces = [...new Set(fitting.map(({ span }) => Math.floor(span.start / pieceSeconds)))]
      const spans = pieces.map(piece => clipSpan(piece, pieceSeconds, index))
      const rows = spans.flatMap(span => index.evidence({ tracks: ['speech'], span }))
      return { evidence: [...new Set(rows)].sort(byTime) }
    },
  ),
  baselineTool(
    { name: 'retrieve_text', kind: 'search', description: `Text on the ${frameCount} frames that fits the queries.` },
    queriesInput,
    async ({ queries }, { index }) => {
      const moments = frameTimes(index).map(time => ({ start: time, end: time }))
      const shownIds = new Set(moments.flatMap(span => index.evidence({ tracks: ['text'], span }).map(row => row.id)))
      const rows = await fittingRows(index, queries, 'text', threshold)
      return {
        evidence: rows.filter(({ id, confidence = 1 }) => shownIds.has(id) && confidence > sureText).sort(byTime),
      }
    },
  ),
]
