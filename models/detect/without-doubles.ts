import type { Box } from '../../src/core/evidence.ts'
import type { Detection } from '../../src/core/services.ts'

const same = 0.35 // share of the area of both from which two boxes show one thing

// One box a thing: the surest of those that lie over each other. Surest first.
export function withoutDoubles<Thing extends Detection>(found: readonly Thing[]): Thing[] {
  const kept: Thing[] = []
  for (const thing of [...found].sort((a, b) => b.confidence - a.confidence))
    if (kept.every(other => shared(thing.box, other.box) <= same)) kept.push(thing)
  return kept
}

// The area that two boxes have in common, as a share of that of both together.
export function shared(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (a.width * a.height + b.width * b.height - common)
}
