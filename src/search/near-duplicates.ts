import type { Evidence } from '../core/evidence.ts'
import { textOverlap } from '../text/occurrences.ts'

// Two rows this close in seconds may be one thing seen twice.
const close = 3

// The same finding twice: one text read from two frames, one line by two recognisers.
export function nearDuplicate(a: Evidence, b: Evidence): boolean {
  if (a.track !== b.track || a.track === 'picture') return false
  const gap = Math.max(a.span.start, b.span.start) - Math.min(a.span.end, b.span.end)
  return gap <= close && (a.text === b.text || textOverlap(a.text, b.text) >= 0.8)
}

// Keeps the first of each group of equals: give it the best first.
export function withoutRepeats<Item>(items: Item[], same: (a: Item, b: Item) => boolean, max: number): Item[] {
  const distinct: Item[] = []
  for (const item of items) {
    if (distinct.length >= max) break
    if (!distinct.some(other => same(other, item))) distinct.push(item)
  }
  return distinct
}
