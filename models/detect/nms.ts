import type { Box } from '../../src/core/evidence.ts'
import type { Detection } from '../../src/core/services.ts'
import { sharedArea } from '../pictures/boxes.ts'

const maxOverlap = 0.35 // intersection over union above which two boxes show one thing

// Non-maximum suppression: of boxes that overlap the surest is kept. Surest first.
export function suppressDuplicates<Thing extends Omit<Detection, 'label'>>(found: readonly Thing[]): Thing[] {
  const selected: Thing[] = []
  for (const candidate of [...found].sort((a, b) => b.confidence - a.confidence))
    if (selected.every(other => iou(candidate.box, other.box) <= maxOverlap)) selected.push(candidate)
  return selected
}

// Intersection over union.
export function iou(a: Box, b: Box): number {
  const shared = sharedArea(a, b)
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared)
}
