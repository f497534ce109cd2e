import type { Evidence } from '../core/evidence.ts'
import { sameText } from '../core/occurrences.ts'

// Two rows this close in seconds may be one thing seen twice.
const close = 3

// The same finding twice: one text read from two frames, one line by two recognisers, two pictures of one moment.
export function nearDuplicate(a: Evidence, b: Evidence): boolean {
  if (a.track !== b.track || gap(a, b) > close) return false
  return a.track === 'picture' && isStill(a) && isStill(b) ? true : a.text === b.text || sameText(a.text, b.text) >= 0.8
}

// Keeps the first of each group: give it the best first.
export function withoutNearDuplicates<Item>(items: Item[], rowOf: (item: Item) => Evidence, atMost: number): Item[] {
  const kept: Item[] = []
  for (const item of items) {
    if (kept.length >= atMost) break
    if (!kept.some(other => nearDuplicate(rowOf(other), rowOf(item)))) kept.push(item)
  }
  return kept
}

function gap(a: Evidence, b: Evidence): number {
  return Math.max(a.span.start, b.span.start) - Math.min(a.span.end, b.span.end)
}

// A kept frame, as against a caption somebody wrote about one.
function isStill(row: Evidence): boolean {
  return row.frame === row.span.start && row.text.startsWith('picture at ')
}
