import type { AgentState, Step } from '../../src/core/agent.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { Rating } from '../../src/core/weighed.ts'
import { coverage } from '../../src/text/alike.ts'
import { telling } from './terms.ts'

export const mostCandidates = 16 // a round
export const mostRatings = 400 // a run

// What searches of this round brought that was not rated before. Lists are not candidates: whoever lists wants all of it.
export function candidatesOf(steps: readonly Step[], state: AgentState): Evidence[] {
  const rated = new Set(state.weighed?.ratings?.map(one => one.id))
  const rows = new Map(state.evidence.map(row => [row.id, row]))
  const ids = new Set(steps.filter(isSearch).flatMap(step => step.evidence))
  return [...ids].flatMap(id => (rated.has(id) ? [] : (rows.get(id) ?? []))).slice(0, mostCandidates)
}

// Without a model: by the share of the words of the question, the options or the search that the row holds. It says so.
export function rateByWords(row: Evidence, state: AgentState): Rating {
  const { question, steps } = state
  const queries = steps.filter(step => isSearch(step) && step.evidence.includes(row.id)).map(queryOf)
  const asked = [question.text, ...(question.options ?? []), ...queries].map(text => telling(text))
  const share = Math.max(0, ...asked.filter(terms => terms.length > 0).map(terms => coverage(terms, row.text)))
  const score = share >= 0.75 ? 4 : share >= 0.45 ? 3 : share >= 0.12 ? 2 : 1
  return { id: row.id, score, reason: `holds ${Math.round(share * 100)} % of the words asked for`, by: 'words' }
}

// Pictures are found by their likeness, not by words: only a model that sees can rate them.
export function isWordless(row: Evidence): boolean {
  return row.track === 'picture' && /^picture at /i.test(row.text)
}

// Rows rated 1 that nothing but searches brought: they stay in the ledger, but nobody writes from them.
export function putAside(state: AgentState): Set<string> {
  const low = new Set(state.weighed?.ratings?.filter(one => one.score <= 1).map(one => one.id))
  for (const step of state.steps) if (!isSearch(step)) for (const id of step.evidence) low.delete(id)
  return low
}

export function isSearch(step: Step): boolean {
  return /search/.test(step.tool) && !/web/.test(step.tool)
}

function queryOf(step: Step): string {
  const { query } = (step.input ?? {}) as { query?: unknown }
  return typeof query === 'string' ? query : ''
}
