import { rankText } from './rank-text.ts'
import type { SearchHit, SearchLists } from './search-hit.ts'

// One list of a search, best first.
interface RankedList<Item> {
  weight: number
  items: Item[]
}

export interface Fused<Item> {
  item: Item
  score: number
}

// Reciprocal rank fusion: what several lists place high comes first, whatever scales their scores are on.
export function fuse<Item>(lists: RankedList<Item>[], idOf: (item: Item) => string): Fused<Item>[] {
  const fused = new Map<string, Fused<Item>>()
  for (const { weight, items } of lists) {
    items.forEach((item, rank) => {
      const id = idOf(item)
      const entry = fused.get(id) ?? { item, score: 0 }
      entry.score += weight / (60 + rank + 1)
      fused.set(id, entry)
    })
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || (idOf(a.item) < idOf(b.item) ? -1 : 1))
}

// One ranking of a search: words and meaning as one list, and the pictures beside it.
export function fuseLists<Row extends SearchHit>(
  { words, meaning, picture, likeness }: SearchLists<Row>,
  idOf: (row: Row) => string,
): Fused<Row>[] {
  const covered = Math.max(0, ...words.map(hit => hit.coverage))
  const text = likeness
    ? { weight: listWeights.text, items: rankText(words, meaning, likeness, idOf) }
    : { weight: wordsWeight(covered), items: withoutTail(words) }
  return fuse([text, { weight: listWeights.picture, items: picture }], idOf)
}

// What a list is worth beside the others. A nearest picture exists whether it fits or not, so pictures come a little later.
export const listWeights = { text: 1, picture: 0.85 }

// A list of words without meaning counts for more the more of the query its best row holds.
export function wordsWeight(covered: number): number {
  return listWeights.text * (0.3 + 0.7 * covered)
}

// Rows that hold one common word of many only push other lists down.
function withoutTail<Item extends { score: number }>(found: Item[]): Item[] {
  const best = found[0]?.score ?? 0
  return found.filter(hit => hit.score >= best * 0.2)
}
