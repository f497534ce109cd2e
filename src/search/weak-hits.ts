import type { Fused } from './fuse.ts'
import { highestByChance, measureOutlier } from './rank-text.ts'
import type { LikenessSums, SearchHit } from './search-hit.ts'

const minCoverage = 0.25 // of the query, for a row that holds a single word of it
const minOutlier = 2 // standard deviations above the likeness of all rows, less among few: of normal ones 2 in 100 are
const fewest = 5 // first hits of an encoder stay: in another language no likeness stands out
const minPicture = 0.5 // of the likeness of the best picture

// Nearest rows exist whatever is asked for. Those that fit the query only as any row would are left out, so that what is not there
// finds little.
export function withoutWeak<Row extends SearchHit>(
  fused: readonly Fused<Row>[],
  likeness?: LikenessSums,
): Fused<Row>[] {
  const outlier = likeness && measureOutlier(likeness)
  const least = Math.min(minOutlier, highestByChance(likeness?.rows ?? 0))
  const isPicture = ({ lists }: Row) => lists.includes('picture')
  const bestPicture = Math.max(...fused.map(({ item }) => (isPicture(item) ? (item.likeness ?? 0) : 0)))
  return fused.filter(({ item }, rank) => {
    if (isPicture(item)) return (item.likeness ?? 0) >= minPicture * bestPicture
    return holdsEnough(item) || (outlier !== undefined && (rank < fewest || outlier(item.likeness) >= least))
  })
}

export function holdsEnough({ coverage, terms }: SearchHit): boolean {
  return coverage >= minCoverage || terms.length > 1
}
