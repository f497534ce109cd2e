import { between, fillRows, newPlanes, type Planes, toYuv } from './planes.ts'
import type { Background, Place } from './scene.ts'
import { texture } from './texture.ts'

// The background of a scene. `stateAt` is equal for frames that look the same.
export interface BackgroundPainter {
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

function cornerAt(from: Place, to: Place, frames: number, frame: number, wide: Planes, size: Size): Place {
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

export const even = (value: number) => Math.round(value / 2) * 2
