import { contentHash } from '../json.ts'
import { seededRandom } from './numbers.ts'

// Chance for what errs on purpose.

// Numbers in 0..1 that depend on the seed and on what they are drawn for, and on nothing else: not on order, not on time.
export function drawFor(seed: number, ...what: unknown[]): () => number {
  return seededRandom(Number.parseInt(contentHash([seed, ...what]).slice(0, 8), 16))
}

// Whether something happens to this one thing. What happens at a strength happens at every greater one too.
export function happens(amount: number, seed: number, ...what: unknown[]): boolean {
  return Number.parseInt(contentHash([seed, ...what]).slice(0, 12), 16) / 2 ** 48 < amount
}
