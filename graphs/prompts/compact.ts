import type { Rating, Step } from '../../src/core/agent.ts'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'

export interface Compacted {
  rows: Evidence[] // in full, in the order of the video
  rest: string[] // ids of those that did not fit; none is ever forgotten
}

// What of the ledger fits into a prompt: first what the steps found, then what holds the words of the question.
export function compact(
  question: string,
  ledger: readonly Evidence[],
  steps: readonly Step[],
  characters: number,
  ratings: readonly Rating[] = [],
): Compacted {
  const size = (row: Evidence) => Math.min(row.text.length, 600) + 40
  if (ledger.reduce((sum, row) => sum + size(row), 0) <= characters) return { rows: [...ledger].sort(byTime), rest: [] }
  const found = new Set(steps.flatMap(step => step.evidence))
  const rated = new Map(ratings.map(one => [one.id, one.score / 8]))
  const terms = tokens(question).filter(token => !isStopWord(token.text))
  const ranked = ledger
    .map((row, at) => ({
      row,
      at,
      score: coverage(terms, row.text) + (found.has(row.id) ? 0.5 : 0) + (rated.get(row.id) ?? 0),
    }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const rows: Evidence[] = []
  const rest: string[] = []
  let used = 0
  for (const { row } of ranked) {
    used += size(row)
    if (used <= characters) rows.push(row)
    else rest.push(row.id)
  }
  return { rows: rows.sort(byTime), rest }
}
