import { drawFor } from '../../../../src/core/draws.ts'
import type { DraftItem } from '../../item.ts'
import { type Choice, isChoice } from './solvers.ts'
import { byId } from './verdicts.ts'

// 0 to n - 1 in an order that hangs on the seed and on what it is drawn for.
export function shuffled(n: number, seed: number, ...what: unknown[]): number[] {
  const draw = drawFor(seed, 'shuffle', ...what)
  const places = Array.from({ length: n }, (_, at) => at)
  for (let at = n - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1))
    ;[places[at], places[other]] = [places[other] as number, places[at] as number]
  }
  return places
}

// The same items with the places of their right options dealt from a deck, so that each letter is right as often as the others.
export function dealPlaces(items: readonly DraftItem[], seed: number): DraftItem[] {
  const places = new Map<string, number>()
  const dealt = new Map<number, number>()
  for (const { id, options } of byId(items).filter(isChoice)) {
    const count = dealt.get(options.length) ?? 0
    const deck = shuffled(options.length, seed, 'deck', options.length, Math.floor(count / options.length))
    places.set(id, deck[count % options.length] as number)
    dealt.set(options.length, count + 1)
  }
  return items.map(item => (isChoice(item) ? withRightAt(item, places.get(item.id) ?? item.right) : item))
}

function withRightAt(item: Choice, place: number): DraftItem {
  const others = item.options.filter((_, at) => at !== item.right)
  return { ...item, options: others.toSpliced(place, 0, item.options[item.right] as string), right: place }
}
