import type { Planes, Yuv } from './planes.ts'

// How much of each pixel a letter or a shape covers, 0..255, for the luma plane and for the chroma planes of half size.
export interface Mask {
  width: number // even
  height: number // even
  luma: Uint8Array
  chroma: Uint8Array
}

export function maskOf(width: number, height: number, luma: Uint8Array): Mask {
  const half = width / 2
  const chroma = new Uint8Array(half * (height / 2))
  for (let y = 0; y < height / 2; y++)
    for (let x = 0; x < half; x++) {
      const at = y * 2 * width + x * 2
      chroma[y * half + x] = (luma[at]! + luma[at + 1]! + luma[at + width]! + luma[at + width + 1]! + 2) >> 2
    }
  return { width, height, luma, chroma }
}

export function boxMask(width: number, height: number): Mask {
  return maskOf(width, height, new Uint8Array(width * height).fill(255))
}

// Paints a colour through a mask, its left upper corner at x, y (even); what is outside the picture is clipped.
export function paint(planes: Planes, mask: Mask, x: number, y: number, [light, blue, red]: Yuv): void {
  paintPlane(planes.y, planes.width, planes.height, mask.luma, mask.width, x, y, light)
  const width = planes.width / 2
  paintPlane(planes.u, width, planes.height / 2, mask.chroma, mask.width / 2, x / 2, y / 2, blue)
  paintPlane(planes.v, width, planes.height / 2, mask.chroma, mask.width / 2, x / 2, y / 2, red)
}

function paintPlane(
  plane: Uint8Array,
  width: number,
  height: number,
  mask: Uint8Array,
  maskWidth: number,
  x: number,
  y: number,
  value: number,
): void {
  const left = Math.max(0, -x)
  const right = Math.min(maskWidth, width - x)
  const bottom = Math.min(mask.length / maskWidth, height - y)
  for (let row = Math.max(0, -y); row < bottom; row++) {
    const from = row * maskWidth
    const to = (row + y) * width + x
    for (let column = left; column < right; column++) {
      const cover = mask[from + column]!
      if (cover === 255) plane[to + column] = value
      else if (cover > 0) plane[to + column]! += ((value - plane[to + column]!) * cover) / 255
    }
  }
}
