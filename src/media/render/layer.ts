import { type Mask, maskOf } from './mask.ts'
import { boxOf, depthIn, type Part } from './outline.ts'
import { toYuv, type Yuv } from './planes.ts'
import type { Colour, Point, Shown } from './scene.ts'

// Something in front of the background: what it looks like, when and where.
export interface Layer {
  shown: Shown
  stencilsAt(frame: number): Stencil[]
  cornerAt(frame: number): Point // in pixels, even
  look?(frame: number): string // differs where the stencils do
}

// One colour and where it goes.
export interface Stencil {
  mask: Mask
  colour: Yuv
  offset: Point // in pixels, even
}

// A drawing as stencils, a unit of it `scale` pixels long. With an edge each part has a dark line of that many pixels around it.
export function stencilsOf(
  parts: readonly Part[],
  scale: number,
  edge?: { colour: Colour; pixels: number },
): Stencil[] {
  return parts.flatMap(part => [
    ...(edge ? [stencil({ ...part, colour: edge.colour }, scale, edge.pixels)] : []),
    stencil(part, scale, 0),
  ])
}

function stencil({ strokes, colour }: Part, scale: number, grown: number): Stencil {
  const box = boxOf(strokes)
  const margin = grown + 1
  const left = Math.floor((box.x * scale - margin) / 2) * 2
  const top = Math.floor((box.y * scale - margin) / 2) * 2
  const width = Math.ceil(((box.x + box.width) * scale + margin - left) / 2) * 2
  const height = Math.ceil(((box.y + box.height) * scale + margin - top) / 2) * 2
  const luma = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [right, down] = [(left + x + 0.5) / scale, (top + y + 0.5) / scale]
      let inside = Number.NEGATIVE_INFINITY
      for (const stroke of strokes) inside = Math.max(inside, depthIn(stroke, right, down))
      luma[y * width + x] = Math.round(255 * Math.min(1, Math.max(0, inside * scale + grown + 0.5)))
    }
  return { mask: maskOf(width, height, luma), colour: toYuv(colour), offset: { x: left, y: top } }
}
