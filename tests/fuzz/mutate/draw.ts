import { seededRandom } from '../../../src/core/basics/numbers.ts'

// Choices that are the same for the same seed.
export interface Draw {
  share(): number // 0 to 1
  below(limit: number): number // whole, from 0
  chance(share: number): boolean
  of<Item>(items: readonly Item[]): Item
}

export function drawing(seed: number): Draw {
  const share = seededRandom(seed)
  const below = (limit: number) => Math.floor(share() * limit)
  return { share, below, chance: of => share() < of, of: items => items[below(items.length)]! }
}
