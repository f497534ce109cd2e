import type { AgentState, Step } from '../../src/core/agent.ts'
import type { ContentPart } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { Ratings } from '../../src/core/ratings.ts'
import { untilAborted } from '../../src/core/signals.ts'
import type { Named } from '../../src/core/tool.ts'
import type { Rating } from '../../src/core/weighed.ts'
import { mayCallModel } from '../policy/budgets.ts'
import { candidatesOf, isWordless, mostRatings, rateByWords } from '../policy/relevance-filter.ts'
import { rateFramesRequest, rateRequest } from '../prompts/rate.ts'
import type { Session } from '../session.ts'
import { askModel, spendMoney } from './ask-model.ts'
import { readJson } from './read-json.ts'

// Rates what the searches of a round brought: by the reranker of the profile, else by the chat model that checks, pictures by
// the vision model; where there is none of them, by words.
export async function rateCandidates(session: Session, agent: AgentState, steps: readonly Step[]): Promise<AgentState> {
  const { policy } = session.parts
  if (!policy.relevanceFilter || session.stopped()) return agent
  const before = agent.weighed?.ratings ?? []
  const rows = candidatesOf(steps, agent).slice(0, mostRatings - before.length)
  if (rows.length === 0) return agent
  const worded = rows.filter(row => !isWordless(row))
  const found = [
    ...(await rateRows(session, agent, worded)),
    ...(await rateFrames(session, agent, rows.filter(isWordless))),
  ]
  return session.state(agent, { weighed: { ...agent.weighed, ratings: [...before, ...found] } })
}

async function rateRows(session: Session, agent: AgentState, rows: readonly Evidence[]): Promise<Rating[]> {
  if (rows.length === 0) return []
  const made = (await byReranker(session, agent, rows)) ?? (await byChat(session, agent, rows)) ?? new Map()
  return rows.map(row => made.get(row.id) ?? rateByWords(row, agent))
}

async function byReranker(session: Session, agent: AgentState, rows: readonly Evidence[]) {
  const reranker = await ready(() => session.context.services.rerank())
  if (!reranker) return undefined
  try {
    const texts = rows.map(row => row.text.slice(0, 1500))
    const marks = await untilAborted(reranker.service.rate(asked(agent), texts, session.signal), session.signal)
    return new Map(
      rows.map((row, i) => [
        row.id,
        { id: row.id, score: marks[i].relevance, reason: marks[i].reason, by: reranker.by },
      ]),
    )
  } catch (error) {
    session.parts.watch({ type: 'note', text: `Candidates could not be rated: ${String(error).slice(0, 200)}` })
    return undefined
  }
}

async function byChat(session: Session, agent: AgentState, rows: readonly Evidence[]) {
  const { parts } = session
  if (!parts.verifier.accepts.has('text') || !mayCallModel(agent, parts.budget, session.elapsed())) return undefined
  const reply = await askModel(session, 'verifier', () => rateRequest(asked(agent), rows))
  return marksOf(reply?.text, rows, parts.verifier.id)
}

async function rateFrames(session: Session, agent: AgentState, rows: readonly Evidence[]): Promise<Rating[]> {
  const { index, budget } = session.parts
  const shown = rows.slice(0, 8)
  const frames = shown.map(row => nearestStill(index.stills, row.frame ?? row.span.start))
  const left = budget.frames - session.usage().frames
  if (shown.length === 0 || frames.includes(undefined) || left < 2 * shown.length) return []
  const vision = await ready(() => session.context.services.vision())
  if (!vision?.service.accepts.has('image') || !mayCallModel(agent, budget, session.elapsed())) return []
  try {
    const jpegs = await Promise.all(frames.map(at => index.still(at ?? 0)))
    const pictures: ContentPart[] = jpegs.map(jpeg => ({ type: 'image', jpeg }))
    const request = rateFramesRequest(asked(agent), pictures)
    const reply = await untilAborted(vision.service.reply(request, session.signal), session.signal)
    session.context.spend({ calls: 1, ...reply.usage, frames: shown.length })
    spendMoney(session, 'vision', reply)
    return [...(marksOf(reply.text, shown, vision.by) ?? new Map()).values()]
  } catch (error) {
    session.parts.watch({ type: 'note', text: `Pictures could not be rated: ${String(error).slice(0, 200)}` })
    return []
  }
}

function marksOf(text: string | undefined, rows: readonly Evidence[], by: string): Map<string, Rating> | undefined {
  const parsed = Ratings.safeParse(readJson(text ?? ''))
  if (!parsed.success) return undefined
  return new Map(
    parsed.data.ratings.flatMap(({ number, relevance, reason }) => {
      const row = rows[number - 1]
      return row ? [[row.id, { id: row.id, score: relevance, reason: reason.slice(0, 200), by }] as const] : []
    }),
  )
}

function asked({ question }: AgentState): string {
  return [question.text, ...(question.options ?? [])].join('\n')
}

function nearestStill(stills: readonly { time: number }[], time: number): number | undefined {
  if (stills.length === 0) return undefined
  return stills.reduce(
    (best, still, i) => (Math.abs(still.time - time) < Math.abs(stills[best].time - time) ? i : best),
    0,
  )
}

// A role that is off is no fault here: the next way of rating takes its place, and each rating says who made it.
async function ready<Service>(open: () => Promise<Named<Service>>): Promise<Named<Service> | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
