// One list of a search, best first.
export interface RankedList<Item> {
  name: string // "words", "meaning", "picture"
  weight: number
  items: Item[]
}

export interface Fused<Item> {
  item: Item
  score: number
  lists: string[]
}

// Reciprocal rank fusion: what several lists place high comes first, whatever scales their scores are on.
export function fuse<Item>(lists: RankedList<Item>[], idOf: (item: Item) => string): Fused<Item>[] {
  const fused = new Map<string, Fused<Item>>()
  for (const { name, weight, items } of lists) {
    items.forEach((item, rank) => {
      const id = idOf(item)
      const entry = fused.get(id) ?? { item, score: 0, lists: [] }
      entry.score += weight / (60 + rank + 1)
      entry.lists.push(name)
      fused.set(id, entry)
    })
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || (idOf(a.item) < idOf(b.item) ? -1 : 1))
}

// What a list is worth beside the others. A nearest picture exists whether it fits or not, so pictures come a little later.
export const listWeights = { words: 1, meaning: 1, picture: 0.85 }

// The list of words counts for more the more of the query its best row holds.
export function wordsWeight(covered: number): number {
  return listWeights.words * (0.3 + 0.7 * covered)
}

// Rows that hold one common word of many only push other lists down.
export function withoutTail<Item extends { score: number }>(found: Item[]): Item[] {
  const best = found[0]?.score ?? 0
  return found.filter(hit => hit.score >= best * 0.2)
}
