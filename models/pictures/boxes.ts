import { z } from 'zod'
import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'

// The area that two boxes share.
export function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

// The unit in which a vision-language model gives coordinates.
export const BoxUnit = z.enum(['thousandths', 'pixels'])
export type BoxUnit = z.infer<typeof BoxUnit>

// A box in the reply of a model: left, top, right, bottom.
export const Corners = z.array(z.number()).length(4)
export const cornersSchema = { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 }

// How a model is told to write a box.
export function boxWords(unit: BoxUnit): string {
  return `[left, top, right, bottom] in ${unit === 'pixels' ? 'pixels' : 'thousandths of the picture'}`
}

// The corners as a box in shares of the frame that the model was shown; undefined if it would be empty.
export function markedBox(corners: readonly number[], frame: Pick<Frame, 'width' | 'height'>, unit: BoxUnit) {
  const [across, down] = unit === 'pixels' ? [frame.width, frame.height] : [1000, 1000]
  const share = (at: number, whole: number) => Math.min(1, Math.max(0, (corners[at] ?? 0) / whole))
  const [left, top] = [share(0, across), share(1, down)]
  const box: Box = { x: left, y: top, width: share(2, across) - left, height: share(3, down) - top }
  return box.width > 0 && box.height > 0 ? box : undefined
}
