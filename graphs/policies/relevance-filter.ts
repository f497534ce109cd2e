import type { Rating, Step, Weighed } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { askModel } from '../nodes/ask-model.ts'
import { mayCallModel } from '../nodes/budget.ts'
import { rateRequest } from '../prompts/rate.ts'
import {
  askedOf,
  candidatesOf,
  isWordless,
  marksOf,
  rateByWords,
  ready,
  searchesIn,
  spared,
} from '../rating/candidates.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

const best = 4 // rows of a round that a reranker puts first

// What searches bring (16 a round) is rated 1 to 4 with a reason, by `models.rerank`, else by the model that checks; in a profile
// without models by words, and each rating says by whom. What `ratingBySight` rated keeps that rating, and pictures without words have no
// other. Rows rated 1 that only a search brought are put aside: they stay in the ledger, but nobody writes from them. Of what a reranker
// rates, neither the best four of a round nor a row that holds words asked for is rated 1.
export default {
  rate,
  write: (session, state) => ({ aside: putAside(session, state) }),
} satisfies Policy

// Rates what the searches of a round brought: by the reranker of the profile, else by the chat model that checks, else by words.
async function rate(session: AgentSession, state: RunState, steps: readonly Step[]): Promise<Weighed> {
  if (session.stopped()) return {}
  const rows = candidatesOf(session, steps, state).filter(row => !isWordless(row))
  if (rows.length === 0) return {}
  return { ratings: [...(state.weighed?.ratings ?? []), ...(await rateRows(session, state, rows))] }
}

async function rateRows(session: AgentSession, state: RunState, rows: readonly Evidence[]): Promise<Rating[]> {
  const made = (await byReranker(session, state, rows)) ?? (await byChat(session, state, rows)) ?? new Map()
  return rows.map(row => made.get(row.id) ?? rateByWords(session, row, state))
}

async function byReranker(session: AgentSession, state: RunState, rows: readonly Evidence[]) {
  const reranker = await ready(() => session.context.services.rerank())
  if (!reranker) return undefined
  try {
    const texts = rows.map(row => row.text.slice(0, 1500))
    const marks = await untilAborted(reranker.service.rate(askedOf(state), texts, session.signal), session.signal)
    const rated = rows.flatMap((row, i) => {
      const mark = marks[i]
      return mark ? [{ id: row.id, score: mark.relevance, reason: mark.reason, by: reranker.by, row }] : []
    })
    rated.sort((a, b) => b.score - a.score)
    return new Map(
      rated.map(({ row, ...rating }, rank) => [
        row.id,
        kept(rating, rank, () => rateByWords(session, row, state).score > 1),
      ]),
    )
  } catch (error) {
    session.watch({ type: 'note', text: `Candidates could not be rated: ${String(error).slice(0, 200)}` })
    return undefined
  }
}

// A reranker says which row fits better. That a row is of no use it cannot say of the best, nor of one that words found.
function kept(rating: Rating, rank: number, isWorded: () => boolean): Rating {
  if (rating.score > 1) return rating
  const why = rank < best ? 'one of the best' : isWorded() && 'words found it'
  return why ? spared(rating, why) : rating
}

async function byChat(session: AgentSession, state: RunState, rows: readonly Evidence[]) {
  const { parts } = session
  if (!parts.verifier.accepts.has('text') || !mayCallModel(session.usage(), parts.budget)) return undefined
  const reply = await askModel(session, 'verifier', () => rateRequest(askedOf(state), rows))
  return marksOf(reply?.text, rows, parts.verifier.id)
}

// Rows rated 1 that nothing but searches brought: they stay in the ledger, but nobody writes from them.
function putAside(session: AgentSession, state: RunState): Set<string> {
  const low = new Set(state.weighed?.ratings?.filter(one => one.score <= 1).map(one => one.id))
  const searches = searchesIn(session, state.steps)
  for (const step of state.steps) if (!searches.includes(step)) for (const id of step.evidence) low.delete(id)
  return low
}
