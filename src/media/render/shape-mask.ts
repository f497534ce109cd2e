import type { Shape } from '../../core/scene.ts'
import { type Mask, maskOf } from './mask.ts'

// How far a point lies inside a shape of radius 1 around 0, 0 (negative: outside). y points down.
const depth: Record<Shape, (x: number, y: number) => number> = {
  circle: (x, y) => 1 - Math.hypot(x, y),
  ring: (x, y) => 0.22 - Math.abs(Math.hypot(x, y) - 0.78),
  square: (x, y) => 0.88 - Math.max(Math.abs(x), Math.abs(y)),
  diamond: (x, y) => (1 - Math.abs(x) - Math.abs(y)) * Math.SQRT1_2,
  triangle: (x, y) => Math.min(0.75 - y, (y + 1.0) * 0.454 - Math.abs(x) * 0.891),
  cross: (x, y) => {
    const [near, far] = [Math.min(Math.abs(x), Math.abs(y)), Math.max(Math.abs(x), Math.abs(y))]
    return Math.min(0.32 - near, 1 - far)
  },
}

// A shape `across` pixels wide with soft edges.
export function shapeMask(shape: Shape, across: number): Mask {
  const size = Math.max(2, Math.round(across / 2) * 2)
  const radius = size / 2
  const luma = new Uint8Array(size * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const inside = depth[shape]((x + 0.5) / radius - 1, (y + 0.5) / radius - 1) * radius
      luma[y * size + x] = Math.round(255 * Math.min(1, Math.max(0, inside + 0.5)))
    }
  return maskOf(size, size, luma)
}
