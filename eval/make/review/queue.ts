import { contentHash } from '../../../src/core/json.ts'
import type { DraftItem } from '../../recipes/item.ts'
import { readWriter } from './people/written.ts'
import type { ReviewLine } from './verdict.ts'

// The verdicts that hold of one item, the last of each reviewer.
export type LineByReviewer = ReadonlyMap<string, ReviewLine>

export interface Reviews {
  of(item: string): LineByReviewer
  stale: number // verdicts on an item as it no longer is
}

// Later lines of a reviewer, by what they say of their time, take the place of earlier ones: a file may be brought late. What was said
// of an item that has changed since does not hold.
export function collectReviews(lines: readonly ReviewLine[], hashes: ReadonlyMap<string, string>): Reviews {
  const linesByItem = new Map<string, Map<string, ReviewLine>>()
  for (const line of inTime(lines)) {
    const of = linesByItem.get(line.item) ?? new Map<string, ReviewLine>()
    linesByItem.set(line.item, of.set(line.reviewer, line))
  }
  let stale = 0
  for (const [item, of] of linesByItem)
    for (const [reviewer, line] of of) {
      if (line.verdict !== 'undone' && line.itemHash === hashes.get(item)) continue
      if (line.verdict !== 'undone') stale++
      of.delete(reviewer)
    }
  return { of: item => linesByItem.get(item) ?? new Map(), stale }
}

export function inTime(lines: readonly ReviewLine[]): ReviewLine[] {
  return [...lines].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

// How many people are to see an item: one; two of a seeded share; three where some of them would drop it and others not.
function wantedReviewers(held: LineByReviewer, isShared: boolean): number {
  const drops = [...held.values()].filter(({ verdict }) => verdict === 'drop').length
  return drops > 0 && drops < held.size ? 3 : isShared ? 2 : 1
}

interface QueueOrder {
  items: readonly DraftItem[] // flagged ones first, then by the seed
  shared: ReadonlySet<string>
}

export function queueOrder(
  items: readonly DraftItem[],
  { flagged, share, seed }: { flagged: ReadonlySet<string>; share: number; seed: number },
): QueueOrder {
  const drawn = (what: string) => {
    const keyed = items.map(item => ({ item, key: contentHash([seed, what, item.id]) }))
    return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)
  }
  const shared = drawn('share').slice(0, Math.round(share * items.length))
  const order = drawn('order')
  return {
    items: [...order.filter(({ id }) => flagged.has(id)), ...order.filter(({ id }) => !flagged.has(id))],
    shared: new Set(shared.map(({ id }) => id)),
  }
}

// What this reviewer is still to see, and did not write. `others` are looked at by other people right now: these count as if they had
// said something.
export function openItems(
  order: QueueOrder,
  reviews: Reviews,
  reviewer: string,
  others: readonly string[] = [],
): DraftItem[] {
  return order.items.filter(item => {
    const lines = reviews.of(item.id)
    if (readWriter(item) === reviewer || lines.has(reviewer)) return false
    const looking = others.filter(one => one === item.id).length
    return lines.size + looking < wantedReviewers(lines, order.shared.has(item.id))
  })
}
