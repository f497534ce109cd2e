import { drawFor } from '../../../src/core/basics/draws.ts'
import { endless } from '../../data/deck.ts'
import type { DraftItem } from '../../recipes/item.ts'

// The right place is dealt from a deck: among questions with equally many options no place is right twice more than another. What was
// adopted keeps its own.
export function dealLetters(items: readonly DraftItem[], seed: number): DraftItem[] {
  const decks = new Map<number, { draw(): number }>()
  return items.map(item => {
    const { options, right, extra } = item
    if (!options || right === undefined || extra.adopted !== undefined) return item
    const count = options.length
    const places = Array.from({ length: count }, (_, at) => at)
    const deck = decks.get(count) ?? endless(places, drawFor(seed, 'letters', count))
    decks.set(count, deck)
    const letterIndex = deck.draw()
    const wrongOptions = options.filter((_, at) => at !== right)
    return {
      ...item,
      options: wrongOptions.toSpliced(letterIndex, 0, options[right] ?? item.answer),
      right: letterIndex,
    }
  })
}

// As sets list them: by video, and in the order given within one.
export function byPlace(items: readonly DraftItem[]): DraftItem[] {
  return [...items].sort((a, b) => (a.video === b.video ? 0 : a.video < b.video ? -1 : 1))
}
