import type { Rating, Step } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { ToolServices } from '../../src/core/tool.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

const maxRatings = 400 // a run
const ratedARound = 16
const best = 4 // rows of a round that are never put aside

// What searches bring (16 rows a round) is rated 1 to 4 with a reason by `models.rerank`, if one is set. Rows rated 1 that only a
// search brought are put aside: they stay in the ledger, but nobody writes from them. Neither the best four of a round nor a row
// that holds words asked for is rated 1.
export default {
  async weigh(session, state, round) {
    if (session.stopped()) return {}
    const rows = candidatesOf(session, round, state).filter(row => !isWordless(row))
    const rated = rows.length > 0 ? await rate(session, state, rows) : []
    return rated.length > 0 ? { ratings: [...(state.weighed?.ratings ?? []), ...rated] } : {}
  },
} satisfies Policy

async function rate(session: AgentSession, { question }: RunState, rows: readonly Evidence[]): Promise<Rating[]> {
  const reranker = await rerankerOf(session)
  if (!reranker) return []
  const query = [question.text, ...(question.options ?? [])].join('\n')
  try {
    const texts = rows.map(row => row.text.slice(0, 1500))
    const marks = await untilAborted(reranker.service.rate(query, texts, session.signal), session.signal)
    const rated = rows.flatMap((row, i) => {
      const mark = marks[i]
      return mark ? [{ row, rating: { id: row.id, score: mark.relevance, reason: mark.reason, by: reranker.by } }] : []
    })
    rated.sort((a, b) => b.rating.score - a.rating.score)
    return rated.map(({ row, rating }, rank) =>
      withoutLowBest(rating, rank, coverage(contentWords(query), row.text) >= 0.12),
    )
  } catch (error) {
    session.watch({ type: 'note', text: `Candidates could not be rated: ${String(error).slice(0, 200)}` })
    return []
  }
}

// A reranker says which row fits better. That a row is of no use it cannot say of the best, nor of one that words found.
function withoutLowBest(rating: Rating, rank: number, isWorded: boolean): Rating {
  const why = rank < best ? 'one of the best' : isWorded && 'words found it'
  return rating.score <= 1 && why ? { ...rating, score: 2, reason: `${rating.reason}; kept: ${why}` } : rating
}

// What searches of this round brought that was not rated before. Lists are not candidates: whoever lists wants all of it.
function candidatesOf(session: AgentSession, round: readonly Step[], { weighed }: RunState): Evidence[] {
  const ratings = weighed?.ratings ?? []
  const rated = new Set(ratings.map(one => one.id))
  const hitIds = round.filter(step => session.kindOf(step.tool) === 'search').flatMap(step => step.evidence)
  const rows = session.rows([...new Set(hitIds)].filter(id => !rated.has(id)))
  return rows.slice(0, Math.min(ratedARound, maxRatings - ratings.length))
}

// Pictures are found by their likeness, not by words.
function isWordless(row: Evidence): boolean {
  return row.track === 'picture' && /^picture at /i.test(row.text)
}

// A role that is off is not a fault: nothing is rated then.
async function rerankerOf({ context }: AgentSession): Promise<Awaited<ReturnType<ToolServices['rerank']>> | undefined> {
  try {
    return await context.services.rerank()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
