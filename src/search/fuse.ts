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
export function fuse<Item>(lists: RankedList<Item>[], idOf: (item: Item) => string, k = 60): Fused<Item>[] {
  const fused = new Map<string, Fused<Item>>()
  for (const { name, weight, items } of lists) {
    items.forEach((item, rank) => {
      const id = idOf(item)
      const entry = fused.get(id) ?? { item, score: 0, lists: [] }
      entry.score += weight / (k + rank + 1)
      entry.lists.push(name)
      fused.set(id, entry)
    })
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || (idOf(a.item) < idOf(b.item) ? -1 : 1))
}
