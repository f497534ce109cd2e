import { tokens } from '../text/words.ts'
import type { SearchHit } from './search-hit.ts'
import type { WeighedWord } from './text-index.ts'

// What the longest run of the query's words weighs that a row holds as it stands in the query, if two or more of them are telling.
// Words side by side are a quotation: chance seldom does that, so they are worth more than the same words apart.
export function weighQuotation(query: string, words: readonly WeighedWord[]): (row: SearchHit) => number {
  const queryTokens = tokens(query.slice(0, maxQuery))
  const rarity = new Map(words.map(word => [word.text, word.rarity]))
  return ({ evidence, terms }) => {
    if (terms.length < 2) return 0
    const rowTokens = tokens(evidence.text)
    const isSame = (from: number, at: number) =>
      from >= 0 && queryTokens[from] !== undefined && queryTokens[from].stem === rowTokens[at]?.stem
    let best = 0
    for (let from = 0; from < queryTokens.length; from++)
      for (let at = 0; at < rowTokens.length; at++) {
        if (isSame(from - 1, at - 1)) continue // within a run that was weighed
        let weight = 0
        let telling = 0
        for (let i = 0; isSame(from + i, at + i); i++) {
          const rare = rarity.get(queryTokens[from + i]?.text ?? '')
          if (rare === undefined) continue
          weight += rare
          telling++
        }
        if (telling > 1) best = Math.max(best, weight)
      }
    return best
  }
}

const maxQuery = 300 // characters; what is longer is no quotation of a line
