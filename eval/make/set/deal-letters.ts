import { drawFor } from '../../../src/core/draws.ts'
import { endless } from '../../data/deck.ts'
import type { DraftItem } from '../item.ts'

// The right place is dealt from a deck: among questions with equally many options no place is right twice more than another.
export function dealLetters(items: readonly DraftItem[], seed: number): DraftItem[] {
  const decks = new Map<number, { draw(): number }>()
  return items.map(item => {
    const { options, right } = item
    if (!options || right === undefined) return item
    const count = options.length
    const places = Array.from({ length: count }, (_, at) => at)
    const deck = decks.get(count) ?? endless(places, drawFor(seed, 'letters', count))
    decks.set(count, deck)
    const place = deck.draw()
    const others = options.filter((_, at) => at !== right)
    return {
      ...item,
      options: [...others.slice(0, place), options[right] ?? item.answer, ...others.slice(place)],
      right: place,
    }
  })
}
