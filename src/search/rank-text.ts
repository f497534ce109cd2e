import { tokens } from '../text/words.ts'
import type { LikenessSums, SearchHit } from './search-hit.ts'
import type { WeighedWord } from './text-index.ts'

// Found by trial on three of the talks in tests/fixtures/talks and confirmed on the others: `npx tsx tests/parity/search.ts`. In standard deviations of the likeness; twice or half of each changes few ranks.
const weights = {
  words: 0.4, // a point of the score of the words, where the row holds all of the query
  severalWords: 0.5, // what holds more than one rare word, squared: chance seldom does that
  quotation: 3, // what words side by side weigh more than one rare word
  wholeQuery: 3, // a row that holds all of the query
}

// Words and meaning as one ranking: each row's likeness to the query in standard deviations, and above it what its words are worth.
// One stray word of a paraphrase is worth little, and nothing if a line surely stands out by its meaning; all words of a quotation are worth more than any likeness.
export function rankText<Row extends SearchHit>(
  words: readonly Row[],
  meaning: readonly Row[],
  likeness: LikenessSums,
  idOf: (row: Row) => string,
): Row[] {
  const outstanding = measureOutlier(likeness)
  const best = outstanding(Math.max(...meaning.map(row => row.likeness ?? Number.NEGATIVE_INFINITY)))
  // 0 if the nearest row is as near as the nearest of so many would be by chance.
  const surety = Math.min(1, Math.max(0, best - highestByChance(likeness.rows)))
  const rareWord = Math.log(1 + (likeness.rows - 0.5) / 1.5) // the score of a word that one row holds
  const worthOfWords = ({ score, coverage, terms, quotation = 0 }: Row) =>
    weights.words * score * coverage ** (1 + surety) * (terms.length < 2 && coverage < 0.5 ? 1 - surety : 1) +
    weights.severalWords * Math.max(0, score / rareWord - 1) ** 2 +
    weights.quotation * Math.max(0, quotation / rareWord - 1) +
    weights.wholeQuery * coverage ** 8
  const rows = new Map<string, Row>()
  for (const row of meaning) rows.set(idOf(row), { ...row, score: outstanding(row.likeness) })
  for (const row of words) {
    const lists = [...row.lists, ...(rows.get(idOf(row))?.lists ?? [])]
    rows.set(idOf(row), { ...row, lists, score: outstanding(row.likeness) + worthOfWords(row) })
  }
  return [...rows.values()].sort((a, b) => b.score - a.score || (idOf(a) < idOf(b) ? -1 : 1))
}

// In standard deviations above the mean; a row without a vector is like any other.
export function measureOutlier({ rows, sum, squares }: LikenessSums): (likeness: number | undefined) => number {
  const mean = sum / rows
  const deviation = Math.sqrt(Math.max(0, squares / rows - mean ** 2))
  return likeness => (likeness === undefined || !(deviation > 0) ? 0 : (likeness - mean) / deviation)
}

// The expected maximum of so many draws from a normal distribution, in standard deviations.
export function highestByChance(count: number): number {
  if (count < 3) return 0
  const scale = Math.sqrt(2 * Math.log(count))
  return scale - (Math.log(Math.log(count)) + Math.log(4 * Math.PI)) / (2 * scale)
}

export function addSums(all: readonly LikenessSums[]): LikenessSums | undefined {
  if (all.length === 0) return undefined
  const total = (of: (one: LikenessSums) => number) => all.reduce((sum, one) => sum + of(one), 0)
  return { rows: total(one => one.rows), sum: total(one => one.sum), squares: total(one => one.squares) }
}

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

const maxQuery = 300 // characters; what is longer is not a quotation of a line
