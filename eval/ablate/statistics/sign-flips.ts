import { seededRandom } from '../../metrics/statistics/random.ts'

export interface FlipTest {
  p: number // two-sided
  least: number // the smallest p that so many differences can give
  exact: boolean // every assignment of signs was tried; else drawn
}

const mostTried = 16 // differences: 65,536 assignments
const draws = 20_000

// Paired permutation test: had the two runs been alike, each difference would have had either sign with equal chance. How
// often is the sum then at least as far from 0 as the one that was seen? Differences of 0 change nothing and are left out.
export function signFlips(differences: readonly number[], seed = 1): FlipTest {
  const sizes = differences.filter(value => Math.abs(value) > 1e-12).map(Math.abs)
  const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  if (sizes.length === 0) return { p: 1, least: 1, exact: true }
  const asFar = (sum: number) => Math.abs(sum) >= seen - 1e-9
  if (sizes.length <= mostTried) {
    const all = 2 ** sizes.length
    let far = 0
    for (let signs = 0; signs < all; signs++)
      far += Number(asFar(sizes.reduce((sum, size, at) => sum + (signs & (1 << at) ? size : -size), 0)))
    return { p: far / all, least: Math.min(1, 2 / all), exact: true }
  }
  const random = seededRandom(seed)
  let far = 0
  for (let draw = 0; draw < draws; draw++)
    far += Number(asFar(sizes.reduce((sum, size) => sum + (random() < 0.5 ? size : -size), 0)))
  return { p: (far + 1) / (draws + 1), least: 1 / (draws + 1), exact: false }
}
