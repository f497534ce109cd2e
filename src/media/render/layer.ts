import { buildMask, type Mask, paint } from './mask.ts'
import { computeBounds, depthIn, type OutlinePart, type Stroke } from './outline.ts'
import { type Planes, toYuv, type Yuv } from './planes.ts'
import type { FrameRange, HexColour, PicturePoint } from './scene.ts'

// Something in front of the background. `stateAt` is equal for frames that look the same.
export interface PictureLayer {
  shown: FrameRange
  stateAt(frame: number): string
  paint(onto: Planes, frame: number): void
}

// What keeps its looks and moves; its corner in pixels is even.
export function movedLayer(
  shown: FrameRange,
  stencils: readonly Stencil[],
  cornerAt: (frame: number) => PicturePoint,
): PictureLayer {
  return {
    shown,
    stateAt(frame) {
      const { x, y } = cornerAt(frame)
      return `${x},${y}`
    },
    paint(onto, frame) {
      const { x, y } = cornerAt(frame)
      for (const { mask, colour, offset } of stencils) paint(onto, mask, x + offset.x, y + offset.y, colour)
    },
  }
}

// One colour and where it goes.
export interface Stencil {
  mask: Mask
  colour: Yuv
  offset: PicturePoint // in pixels, even
}

// A drawing as stencils, a unit of it `scale` pixels long. With an edge each part has a dark line of that many pixels around it.
export function buildStencils(
  parts: readonly OutlinePart[],
  scale: number,
  edge?: { colour: HexColour; pixels: number },
): Stencil[] {
  return parts.flatMap(part => [
    ...(edge && !part.bare ? [stencil({ ...part, colour: edge.colour }, scale, edge.pixels)] : []),
    stencil(part, scale, 0),
  ])
}

function stencil({ strokes, colour }: OutlinePart, scale: number, grown: number): Stencil {
  const { left, top, right, bottom } = computePixels(strokes, scale, grown)
  const width = right - left
  const luma = new Uint8Array(width * (bottom - top))
  for (const stroke of strokes) {
    const near = computePixels([stroke], scale, grown)
    for (let y = near.top; y < near.bottom; y++)
      for (let x = near.left; x < near.right; x++) {
        const inside = depthIn(stroke, (x + 0.5) / scale, (y + 0.5) / scale) * scale + grown + 0.5
        const at = (y - top) * width + x - left
        if (inside > 0) luma[at] = Math.max(luma[at]!, Math.round(255 * Math.min(1, inside)))
      }
  }
  return { mask: buildMask(width, bottom - top, luma), colour: toYuv(colour), offset: { x: left, y: top } }
}

// The even pixels around some strokes.
function computePixels(strokes: readonly Stroke[], scale: number, grown: number) {
  const { x, y, width, height } = computeBounds(strokes)
  const margin = grown + 1
  return {
    left: Math.floor((x * scale - margin) / 2) * 2,
    top: Math.floor((y * scale - margin) / 2) * 2,
    right: Math.ceil(((x + width) * scale + margin) / 2) * 2,
    bottom: Math.ceil(((y + height) * scale + margin) / 2) * 2,
  }
}
