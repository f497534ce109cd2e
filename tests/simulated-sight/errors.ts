import { drawFor, happens } from '../../src/core/basics/draws.ts'
import type { SightSettings } from './settings.ts'

// What goes wrong when a fact is looked at. It rests on the seed, the video, the fact and when it was first seen, and on nothing
// else: the same look errs in the same way again, and another look may see what this one did not.
export interface Errors {
  misses: number
  confusions: number
  happens(rate: number, kind: string, ...fact: unknown[]): boolean
  pick<Item>(items: readonly Item[], kind: string, ...fact: unknown[]): Item | undefined
  taken<Item>(rate: number, right: Item, all: readonly Item[], ...fact: unknown[]): Item
}

export function seedErrors({ seed, misses, confusions }: SightSettings, video: string): Errors {
  const pick: Errors['pick'] = (items, kind, ...fact) =>
    items[Math.floor(drawFor(seed, `${kind}: which`, video, ...fact)() * items.length)]
  const happensTo: Errors['happens'] = (rate, kind, ...fact) => happens(rate, seed, kind, video, ...fact)
  return {
    misses,
    confusions,
    happens: happensTo,
    pick,
    taken(rate, right, all, ...fact) {
      if (!happensTo(rate, 'confusion', ...fact)) return right
      const alternatives = all.filter(one => one !== right)
      return pick(alternatives, 'confusion', ...fact) ?? right
    },
  }
}

// What each of two chances must be so that one or the other strikes at this rate.
export function half(rate: number): number {
  return 1 - Math.sqrt(1 - rate)
}
