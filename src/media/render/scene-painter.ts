import { backgroundPainter, even, type Size } from './background.ts'
import { boxMask, type Mask, maskOf, paint, textMask } from './mask.ts'
import { newPlanes, type Planes, toYuv, type Yuv } from './planes.ts'
import { isShown, type Point, type Scene, type ScreenText, type Shape, type Shown, type Thing } from './scene.ts'

// Paints a scene frame by frame. `stateAt` is equal for frames that look the same, so that they are painted once.
export interface ScenePainter {
  stateAt(frame: number): string
  paint(frame: number): Planes
}

// Something in front of the background: what it looks like, when and where.
interface Layer {
  shown: Shown
  masks: { mask: Mask; colour: Yuv; offset: Point }[]
  cornerAt(frame: number): Point // in pixels, even
}

export async function scenePainter(scene: Scene, size: Size): Promise<ScenePainter> {
  const background = backgroundPainter(scene.background, size, scene.frames)
  const things = scene.things.map(thing => thingLayer(thing, size, scene.frames))
  const texts = await Promise.all(scene.texts.map(text => textLayer(text, size)))
  const layers = [...things, ...texts]
  const seen = (frame: number) => layers.filter(layer => isShown(layer.shown, frame))
  return {
    stateAt(frame) {
      const places = layers.map(layer => {
        if (!isShown(layer.shown, frame)) return '-'
        const { x, y } = layer.cornerAt(frame)
        return `${x},${y}`
      })
      return `${background.stateAt(frame)} ${places.join(' ')}`
    },
    paint(frame) {
      const picture = newPlanes(size.width, size.height)
      background.paint(picture, frame)
      for (const layer of seen(frame)) {
        const corner = layer.cornerAt(frame)
        for (const { mask, colour, offset } of layer.masks)
          paint(picture, mask, corner.x + offset.x, corner.y + offset.y, colour)
      }
      return picture
    },
  }
}

function thingLayer(thing: Thing, size: Size, sceneFrames: number): Layer {
  const across = thing.size * size.height
  const mask = shapeMask(thing.shape, across)
  const first = thing.from ?? 0
  const last = Math.min(thing.to ?? sceneFrames, sceneFrames) - 1
  const [start, end] = thing.path
  return {
    shown: thing,
    masks: [{ mask, colour: toYuv(thing.colour), offset: { x: 0, y: 0 } }],
    cornerAt(frame) {
      const share = last > first ? Math.min(1, (frame - first) / (last - first)) : 0
      return {
        x: even((start.x + (end.x - start.x) * share) * size.width - across / 2),
        y: even((start.y + (end.y - start.y) * share) * size.height - across / 2),
      }
    },
  }
}

async function textLayer(text: ScreenText, size: Size): Promise<Layer> {
  const line = text.size * size.height
  const mask = await textMask(text.text, line, text.bold ?? false)
  const masks: Layer['masks'] = [{ mask, colour: toYuv(text.colour), offset: { x: 0, y: 0 } }]
  if (text.behind) {
    const margin = even(line * 0.3)
    const box = boxMask(mask.width + 2 * margin, mask.height + margin)
    masks.unshift({ mask: box, colour: toYuv(text.behind), offset: { x: -margin, y: -even(margin / 2) } })
  }
  const speed = text.slide ?? { x: 0, y: 0 }
  return {
    shown: text,
    masks,
    cornerAt(frame) {
      const seconds = (frame - (text.from ?? 0)) / size.fps
      return {
        x: even((text.at.x + speed.x * seconds) * size.width),
        y: even((text.at.y + speed.y * seconds) * size.height),
      }
    },
  }
}

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
function shapeMask(shape: Shape, across: number): Mask {
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
