import type { Rating, Step, Weighed } from '../../src/core/agent.ts'
import { Ratings } from '../../src/core/brief.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { readJson } from '../../src/core/json.ts'
import { untilAborted } from '../../src/core/signals.ts'
import type { Named } from '../../src/core/tool.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { nearestStill } from '../nearest-still.ts'
import { askModel } from '../nodes/ask-model.ts'
import { mayCallModel } from '../nodes/budget.ts'
import { rateFramesRequest, rateRequest } from '../prompts/rate.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

const mostCandidates = 16 // a round
const mostRatings = 400 // a run
const best = 4 // rows of a round that a reranker puts first

// What searches bring (16 a round) is rated 1 to 4 with a reason, by `models.rerank`, else by the model that checks; pictures
// without words by `models.vision`; in a profile without models by words, and each rating says by whom. Rows rated 1 that only
// a search brought are put aside: they stay in the ledger, but nobody writes from them. Of what a reranker rates, neither the best
// four of a round nor a row that holds words asked for is rated 1.
export default {
  rate,
  write: (session, state) => ({ aside: putAside(session, state) }),
} satisfies Policy

// Rates what the searches of a round brought: by the reranker of the profile, else by the chat model that checks, pictures by
// the vision model; where there is none of them, by words.
async function rate(session: AgentSession, state: RunState, steps: readonly Step[]): Promise<Weighed> {
  if (session.stopped()) return {}
  const before = state.weighed?.ratings ?? []
  const rows = candidatesOf(session, steps, state).slice(0, mostRatings - before.length)
  if (rows.length === 0) return {}
  const worded = rows.filter(row => !isWordless(row))
  const found = [
    ...(await rateRows(session, state, worded)),
    ...(await rateFrames(session, state, rows.filter(isWordless))),
  ]
  return { ratings: [...before, ...found] }
}

async function rateRows(session: AgentSession, state: RunState, rows: readonly Evidence[]): Promise<Rating[]> {
  if (rows.length === 0) return []
  const made = (await byReranker(session, state, rows)) ?? (await byChat(session, state, rows)) ?? new Map()
  return rows.map(row => made.get(row.id) ?? rateByWords(session, row, state))
}

async function byReranker(session: AgentSession, state: RunState, rows: readonly Evidence[]) {
  const reranker = await ready(() => session.context.services.rerank())
  if (!reranker) return undefined
  try {
    const texts = rows.map(row => row.text.slice(0, 1500))
    const marks = await untilAborted(reranker.service.rate(asked(state), texts, session.signal), session.signal)
    const rated = rows.flatMap((row, i) => {
      const mark = marks[i]
      return mark ? [{ id: row.id, score: mark.relevance, reason: mark.reason, by: reranker.by, row }] : []
    })
    rated.sort((a, b) => b.score - a.score)
    return new Map(
      rated.map(({ row, ...rating }, rank) => [
        row.id,
        spared(rating, rank, () => rateByWords(session, row, state).score > 1),
      ]),
    )
  } catch (error) {
    session.watch({ type: 'note', text: `Candidates could not be rated: ${String(error).slice(0, 200)}` })
    return undefined
  }
}

// A reranker says which row fits better. That a row is of no use it cannot say of the best, nor of one that words found.
function spared(rating: Rating, rank: number, isWorded: () => boolean): Rating {
  if (rating.score > 1) return rating
  const why = rank < best ? 'one of the best' : isWorded() && 'words found it'
  return why ? { ...rating, score: 2, reason: `${rating.reason}; kept: ${why}` } : rating
}

async function byChat(session: AgentSession, state: RunState, rows: readonly Evidence[]) {
  const { parts } = session
  if (!parts.verifier.accepts.has('text') || !mayCallModel(session.usage(), parts.budget)) return undefined
  const reply = await askModel(session, 'verifier', () => rateRequest(asked(state), rows))
  return marksOf(reply?.text, rows, parts.verifier.id)
}

async function rateFrames(session: AgentSession, state: RunState, rows: readonly Evidence[]): Promise<Rating[]> {
  const { index, budget } = session.parts
  const shown = rows.slice(0, 8)
  const frames = shown.map(row => nearestStill(index.stills, row.frame ?? row.span.start))
  const left = budget.frames - session.usage().frames
  if (shown.length === 0 || frames.includes(undefined) || left < 2 * shown.length) return []
  const vision = await ready(() => session.context.services.vision())
  if (!vision?.service.accepts.has('image') || !mayCallModel(session.usage(), budget)) return []
  try {
    const pictures = await Promise.all(
      frames.map(async (at = 0) => ({ jpeg: await index.still(at), time: index.stills[at]?.time ?? 0 })),
    )
    const request = rateFramesRequest(asked(state), pictures, index.video)
    const reply = await untilAborted(vision.service.reply(request, session.signal), session.signal)
    session.context.spend({ calls: 1, ...reply.usage, frames: shown.length })
    session.pay('vision', reply)
    return [...(marksOf(reply.text, shown, vision.by) ?? new Map()).values()]
  } catch (error) {
    session.watch({ type: 'note', text: `Pictures could not be rated: ${String(error).slice(0, 200)}` })
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

function asked({ question }: RunState): string {
  return [question.text, ...(question.options ?? [])].join('\n')
}

// A role that is off is not a fault here: the next way of rating takes its place, and each rating says who made it.
async function ready<Service>(open: () => Promise<Named<Service>>): Promise<Named<Service> | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

// What searches of this round brought that was not rated before. Lists are not candidates: whoever lists wants all of it.
function candidatesOf(session: AgentSession, steps: readonly Step[], state: RunState): Evidence[] {
  const rated = new Set(state.weighed?.ratings?.map(one => one.id))
  const found = searchesIn(session, steps).flatMap(step => step.evidence)
  return session.rows([...new Set(found)].filter(id => !rated.has(id))).slice(0, mostCandidates)
}

// Without a model: by the share of the words of the question, the options or the search that the row holds. It says so.
function rateByWords(session: AgentSession, row: Evidence, { question, steps }: RunState): Rating {
  const queries = searchesIn(session, steps)
    .filter(step => step.evidence.includes(row.id))
    .map(queryOf)
  const asked = [question.text, ...(question.options ?? []), ...queries].map(text => contentWords(text))
  const share = Math.max(0, ...asked.filter(terms => terms.length > 0).map(terms => coverage(terms, row.text)))
  const score = share >= 0.75 ? 4 : share >= 0.45 ? 3 : share >= 0.12 ? 2 : 1
  return { id: row.id, score, reason: `holds ${Math.round(share * 100)} % of the words asked for`, by: 'words' }
}

// Pictures are found by their likeness, not by words: only a model that sees can rate them.
function isWordless(row: Evidence): boolean {
  return row.track === 'picture' && /^picture at /i.test(row.text)
}

// Rows rated 1 that nothing but searches brought: they stay in the ledger, but nobody writes from them.
function putAside(session: AgentSession, state: RunState): Set<string> {
  const low = new Set(state.weighed?.ratings?.filter(one => one.score <= 1).map(one => one.id))
  const searches = searchesIn(session, state.steps)
  for (const step of state.steps) if (!searches.includes(step)) for (const id of step.evidence) low.delete(id)
  return low
}

function searchesIn(session: AgentSession, steps: readonly Step[]): Step[] {
  return steps.filter(step => session.kindOf(step.tool) === 'search')
}

function queryOf(step: Step): string {
  const { query } = (step.input ?? {}) as { query?: unknown }
  return typeof query === 'string' ? query : ''
}
