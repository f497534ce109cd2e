import { seededRandom } from '../../core/basics/numbers.ts'
import { drawPlace } from './place/draw-place.ts'
import { between, even, fillRows, newPlanes, type Planes, toYuv, type Yuv } from './planes.ts'
import type { Background, HexColour, PicturePoint } from './scene.ts'

// The background of a scene. `stateAt` is equal for frames that look the same.
interface BackgroundPainter {
  stateAt(frame: number): string
  paint(onto: Planes, frame: number): void
}

export interface Size {
  width: number
  height: number
  fps: number
}

const room = 1.4 // a texture is this much wider and higher than the picture, so that there is something to pan over

export function backgroundPainter(background: Background, size: Size, frames: number): BackgroundPainter {
  switch (background.kind) {
    case 'plain':
      return still(size, picture => fillRows(picture, 0, size.height, toYuv(background.colour)))
    case 'slide':
      return still(size, picture => {
        const bar = even(size.height * 0.16)
        fillRows(picture, 0, bar, toYuv(background.bar))
        fillRows(picture, bar, size.height, toYuv(background.paper))
      })
    case 'gradient': {
      const [from, to] = background.colours
      const [top, bottom] = [toYuv(from), toYuv(to)]
      const shift = (frame: number) => even((frame / size.fps) * background.drift * size.height)
      return {
        stateAt: frame => String(shift(frame)),
        paint(onto, frame) {
          const period = size.height * 2
          for (let row = 0; row < size.height; row += 2) {
            const along = ((((row - shift(frame)) % period) + period) % period) / size.height // there and back again
            fillRows(onto, row, row + 2, between(top, bottom, along > 1 ? 2 - along : along))
          }
        },
      }
    }
    case 'place':
      return still(size, picture => drawPlace(picture, background))
    case 'texture': {
      const wide = texture(even(size.width * room), even(size.height * room), background.seed, background.colours)
      const corner = (frame: number) => cornerAt(background.from, background.to, frames, frame, wide, size)
      return {
        stateAt: frame => {
          const { x, y } = corner(frame)
          return `${x},${y}`
        },
        paint(onto, frame) {
          const { x, y } = corner(frame)
          copyRows(onto.y, size.width, size.height, wide.y, wide.width, x, y)
          copyRows(onto.u, size.width / 2, size.height / 2, wide.u, wide.width / 2, x / 2, y / 2)
          copyRows(onto.v, size.width / 2, size.height / 2, wide.v, wide.width / 2, x / 2, y / 2)
        },
      }
    }
  }
}

function still(size: Size, draw: (picture: Planes) => void): BackgroundPainter {
  const picture = newPlanes(size.width, size.height)
  draw(picture)
  return { stateAt: () => '', paint: onto => onto.bytes.set(picture.bytes) }
}

function cornerAt(
  from: PicturePoint,
  to: PicturePoint,
  frames: number,
  frame: number,
  wide: Planes,
  size: Size,
): PicturePoint {
  const share = Math.min(1, frame / Math.max(1, frames - 1))
  const along = (a: number, b: number) => Math.min(1, Math.max(0, a + (b - a) * share))
  return {
    x: even(along(from.x, to.x) * (wide.width - size.width)),
    y: even(along(from.y, to.y) * (wide.height - size.height)),
  }
}

function copyRows(
  to: Uint8Array,
  width: number,
  height: number,
  from: Uint8Array,
  fromWidth: number,
  x: number,
  y: number,
): void {
  for (let row = 0; row < height; row++) {
    const start = (row + y) * fromWidth + x
    to.set(from.subarray(start, start + width), row * width)
  }
}

const shades = 64

// Soft clouds in three colours with some plain shapes on them: large, small and sharp detail, as pictures have.
function texture(width: number, height: number, seed: number, colours: [HexColour, HexColour, HexColour]): Planes {
  const next = seededRandom(seed)
  const planes = newPlanes(width, height)
  const scale = ramp(colours)
  const field = clouds(width / 2, height / 2, next)
  for (let y = 0; y < height / 2; y++)
    for (let x = 0; x < width / 2; x++) {
      const at = y * (width / 2) + x
      const [light, blue, red] = scale[Math.min(shades - 1, Math.max(0, Math.floor(field[at]! * shades)))]!
      const top = y * 2 * width + x * 2
      planes.y[top] = planes.y[top + 1] = planes.y[top + width] = planes.y[top + width + 1] = light
      planes.u[at] = blue
      planes.v[at] = red
    }
  blocks(planes, next, scale)
  return planes
}

function ramp([dark, middle, bright]: [HexColour, HexColour, HexColour]): Yuv[] {
  const stops = [toYuv(dark), toYuv(middle), toYuv(bright)] as const
  return Array.from({ length: shades }, (_, i) => {
    const at = (i / (shades - 1)) * 2
    return at < 1 ? between(stops[0], stops[1], at) : between(stops[1], stops[2], at - 1)
  })
}

// Value noise in octaves, mostly within 0..1.
function clouds(width: number, height: number, next: () => number): Float32Array {
  const field = new Float32Array(width * height).fill(0.5)
  for (let cell = height * 0.7, strength = 0.62; cell >= 5; cell /= 2.3, strength *= 0.58) {
    const columns = Math.ceil(width / cell) + 2
    const grid = Float32Array.from({ length: columns * (Math.ceil(height / cell) + 2) }, () => next() - 0.5)
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / cell)
      const down = smooth(y / cell - row)
      for (let x = 0; x < width; x++) {
        const column = Math.floor(x / cell)
        const right = smooth(x / cell - column)
        const at = row * columns + column
        const above = grid[at]! + (grid[at + 1]! - grid[at]!) * right
        const below = grid[at + columns]! + (grid[at + columns + 1]! - grid[at + columns]!) * right
        field[y * width + x]! += strength * (above + (below - above) * down)
      }
    }
  }
  return field
}

const smooth = (t: number) => t * t * (3 - 2 * t)

function blocks(planes: Planes, next: () => number, scale: Yuv[]): void {
  const even = (value: number) => Math.floor(value / 2) * 2
  for (let n = 4 + Math.floor(next() * 5); n > 0; n--) {
    const width = even(planes.width * (0.03 + next() * 0.1))
    const height = even(planes.height * (0.05 + next() * 0.2))
    const x = even(next() * (planes.width - width))
    const top = even(next() * (planes.height - height))
    const [light, blue, red] = scale[Math.floor(next() * shades)]!
    for (let y = top; y < top + height; y++) planes.y.fill(light, y * planes.width + x, y * planes.width + x + width)
    for (let y = top / 2; y < (top + height) / 2; y++) {
      const from = y * (planes.width / 2) + x / 2
      planes.u.fill(blue, from, from + width / 2)
      planes.v.fill(red, from, from + width / 2)
    }
  }
}
