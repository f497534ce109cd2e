import type { Stencil } from './layer.ts'
import type { Planes } from './planes.ts'

// Stencils laid over one another once, so that what is shown in many frames is painted in one pass.
export interface Sprite {
  x: number // of its left upper corner, in pixels, even
  y: number
  planes: [luma: Sheet, blue: Sheet, red: Sheet]
}

interface Sheet {
  width: number
  values: Uint8Array
  cover: Uint8Array
}

export function buildSprite(stencils: readonly Stencil[]): Sprite {
  const x = Math.min(...stencils.map(({ offset }) => offset.x))
  const y = Math.min(...stencils.map(({ offset }) => offset.y))
  const width = Math.max(...stencils.map(({ offset, mask }) => offset.x + mask.width)) - x
  const height = Math.max(...stencils.map(({ offset, mask }) => offset.y + mask.height)) - y
  const sheet = (plane: 0 | 1 | 2): Sheet => {
    const half = plane === 0 ? 1 : 2
    const laid = emptySheet(width / half, height / half)
    for (const { mask, colour, offset } of stencils) {
      const cover = plane === 0 ? mask.luma : mask.chroma
      lay(laid, cover, mask.width / half, (offset.x - x) / half, (offset.y - y) / half, colour[plane])
    }
    return laid
  }
  return { x, y, planes: [sheet(0), sheet(1), sheet(2)] }
}

function emptySheet(width: number, height: number): Sheet {
  return { width, values: new Uint8Array(width * height), cover: new Uint8Array(width * height) }
}

function lay({ width, values, cover }: Sheet, mask: Uint8Array, across: number, x: number, y: number, value: number) {
  for (let i = 0; i < mask.length; i++) {
    const over = mask[i]! / 255
    if (over === 0) continue
    const at = (Math.floor(i / across) + y) * width + (i % across) + x
    const under = (cover[at]! / 255) * (1 - over)
    values[at] = Math.round((value * over + values[at]! * under) / (over + under))
    cover[at] = Math.round((over + under) * 255)
  }
}

// Paints a sprite, moved by x, y (even); what is outside the picture is clipped.
export function paintSprite(onto: Planes, sprite: Sprite, x: number, y: number): void {
  const [left, top] = [sprite.x + x, sprite.y + y]
  const [light, blue, red] = sprite.planes
  paintSheet(onto.y, onto.width, light, left, top)
  paintSheet(onto.u, onto.width / 2, blue, left / 2, top / 2)
  paintSheet(onto.v, onto.width / 2, red, left / 2, top / 2)
}

function paintSheet(plane: Uint8Array, width: number, sheet: Sheet, x: number, y: number): void {
  const x0 = Math.max(0, -x)
  const right = Math.min(sheet.width, width - x)
  const bottom = Math.min(sheet.values.length / sheet.width, plane.length / width - y)
  for (let row = Math.max(0, -y); row < bottom; row++) {
    const from = row * sheet.width
    const to = (row + y) * width + x
    for (let column = x0; column < right; column++) {
      const cover = sheet.cover[from + column]!
      if (cover === 0) continue
      const value = sheet.values[from + column]!
      if (cover === 255) plane[to + column] = value
      else plane[to + column]! += ((value - plane[to + column]!) * cover) / 255
    }
  }
}
