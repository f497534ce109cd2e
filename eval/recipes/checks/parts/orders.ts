import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffle } from '../../../data/deck.ts'
import type { ChoiceItem } from './solvers.ts'

export interface OrderedOptions {
  options: string[]
  right: number
}

// How many orders each model is shown, so that luck drops an item in one of a hundred at most.
export function ordersFor(options: number, models: number): number {
  let orders = 1
  while (options ** (models * orders) < 100) orders++
  return orders
}

// The options in one of the orders of an item. The right one stands elsewhere each time while there are places left, so that a model
// that always names one letter is not right in all.
export function arrangeOptions(item: ChoiceItem, order: number, seed: number): OrderedOptions {
  const { id, options, right: key } = item
  const round = Math.floor(order / options.length)
  const right = shufflePlaces(options.length, seed, id, 'places', round)[order % options.length] as number
  const wrongPlaces = shufflePlaces(options.length, seed, id, order).filter(at => at !== key)
  return { options: wrongPlaces.toSpliced(right, 0, key).map(at => options[at] as string), right }
}

// 0 to n - 1 in an order that hangs on the seed and on what it is drawn for.
function shufflePlaces(n: number, seed: number, ...what: unknown[]): number[] {
  return shuffle(
    Array.from({ length: n }, (_, at) => at),
    drawFor(seed, 'shuffle', ...what),
  )
}
