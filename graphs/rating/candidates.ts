import type { Rating, Step } from '../../src/core/agent.ts'
import { Ratings } from '../../src/core/brief.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { readJson } from '../../src/core/json.ts'
import { ratedARound } from '../../src/core/sight/sheet.ts'
import type { Named } from '../../src/core/tool.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'

const mostRatings = 400 // a run

// What searches of this round brought that was not rated before. Lists are not candidates: whoever lists wants all of it.
export function candidatesOf(session: AgentSession, steps: readonly Step[], state: RunState): Evidence[] {
  const ratings = state.weighed?.ratings ?? []
  const rated = new Set(ratings.map(one => one.id))
  const found = searchesIn(session, steps).flatMap(step => step.evidence)
  const rows = session.rows([...new Set(found)].filter(id => !rated.has(id)))
  return rows.slice(0, Math.min(ratedARound, mostRatings - ratings.length))
}

export function searchesIn(session: AgentSession, steps: readonly Step[]): Step[] {
  return steps.filter(step => session.kindOf(step.tool) === 'search')
}

export function askedOf({ question }: RunState): string {
  return [question.text, ...(question.options ?? [])].join('\n')
}

// The ratings in a reply, by the ids of the rows that were numbered from 1; undefined where it holds none.
export function marksOf(
  text: string | undefined,
  rows: readonly Evidence[],
  by: string,
): Map<string, Rating> | undefined {
  const parsed = Ratings.safeParse(readJson(text ?? ''))
  if (!parsed.success) return undefined
  return new Map(
    parsed.data.ratings.flatMap(({ number, relevance, reason }) => {
      const row = rows[number - 1]
      return row ? [[row.id, { id: row.id, score: relevance, reason: reason.slice(0, 200), by }] as const] : []
    }),
  )
}

// Without a model: by the share of the words of the question, the options or the search that the row holds. It says so.
export function rateByWords(session: AgentSession, row: Evidence, { question, steps }: RunState): Rating {
  const queries = searchesIn(session, steps)
    .filter(step => step.evidence.includes(row.id))
    .map(queryOf)
  const asked = [question.text, ...(question.options ?? []), ...queries].map(text => contentWords(text))
  const share = Math.max(0, ...asked.filter(terms => terms.length > 0).map(terms => coverage(terms, row.text)))
  const score = share >= 0.75 ? 4 : share >= 0.45 ? 3 : share >= 0.12 ? 2 : 1
  return { id: row.id, score, reason: `holds ${Math.round(share * 100)} % of the words asked for`, by: 'words' }
}

// One that was rated 1 and is kept all the same.
export function spared(rating: Rating, why: string): Rating {
  return { ...rating, score: 2, reason: `${rating.reason}; kept: ${why}` }
}

// Pictures are found by their likeness, not by words: only a model that sees can rate them.
export function isWordless(row: Evidence): boolean {
  return row.track === 'picture' && /^picture at /i.test(row.text)
}

// A role that is off is not a fault here: the next way of rating takes its place, and each rating says who made it.
export async function ready<Service>(open: () => Promise<Named<Service>>): Promise<Named<Service> | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function queryOf(step: Step): string {
  const { query } = (step.input ?? {}) as { query?: unknown }
  return typeof query === 'string' ? query : ''
}
