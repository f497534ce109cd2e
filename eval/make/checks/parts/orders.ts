import { shuffled } from './deck.ts'
import type { Choice } from './solvers.ts'

export interface Shown {
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
export function orderOf(item: Choice, order: number, seed: number): Shown {
  const { id, options, right: key } = item
  const round = Math.floor(order / options.length)
  const right = shuffled(options.length, seed, id, 'places', round)[order % options.length] as number
  const others = shuffled(options.length, seed, id, order).filter(at => at !== key)
  return { options: others.toSpliced(right, 0, key).map(at => options[at] as string), right }
}
