// Draws from a list without drawing anything twice.
export interface Deck<Item> {
  draw(): Item
  others(count: number, than: readonly Item[]): Item[] // further ones, which stay in the deck
}

export function deck<Item>(items: readonly Item[], random: () => number): Deck<Item> {
  const remaining = shuffle(items, random)
  return {
    draw() {
      const item = remaining.pop()
      if (item === undefined)
        throw new RangeError(`All ${items.length} of "${items.slice(0, 3).join(', ')}, ..." are drawn.`)
      return item
    },
    others(count, than) {
      return shuffle(items, random)
        .filter(item => !than.includes(item))
        .slice(0, count)
    },
  }
}

export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const mixed = [...items]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
  }
  return mixed
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!
}

export function whole(from: number, to: number, random: () => number): number {
  return from + Math.floor(random() * (to - from + 1))
}

// Deals all before it deals any again.
export function endless<Item>(items: readonly Item[], random: () => number): Pick<Deck<Item>, 'draw'> {
  let current: Item[] = []
  return {
    draw() {
      if (current.length === 0) current = shuffle(items, random)
      return current.pop()!
    },
  }
}
