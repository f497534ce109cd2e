import { backgroundPainter, type Size } from './background.ts'
import { figureLayer } from './figure/figure-layer.ts'
import { movedLayer, type PictureLayer, type Stencil } from './layer.ts'
import { boxMask, buildMask, type Mask, textMask } from './mask.ts'
import { even, newPlanes, type Planes, toYuv } from './planes.ts'
import { type FigureShape, isShown, pointOn, type Scene, type ScreenText, type Thing } from './scene.ts'

// Paints a scene frame by frame. `stateAt` is equal for frames that look the same, so that they are painted once.
export interface ScenePainter {
  stateAt(frame: number): string
  paint(frame: number): Planes
}

export async function scenePainter(scene: Scene, size: Size): Promise<ScenePainter> {
  const background = backgroundPainter(scene.background, size, scene.frames)
  const things = scene.things.map(thing => thingLayer(thing, size, scene.frames))
  const texts = await Promise.all(scene.texts.map(text => textLayer(text, size)))
  const figures = (scene.figures ?? []).map(figure => figureLayer(figure, size, scene.frames))
  const layers = [...things, ...figures, ...texts]
  const seen = (frame: number) => layers.filter(layer => isShown(layer.shown, frame))
  return {
    stateAt(frame) {
      const places = layers.map(layer => (isShown(layer.shown, frame) ? layer.stateAt(frame) : '-'))
      return `${background.stateAt(frame)} ${places.join(' ')}`
    },
    paint(frame) {
      const picture = newPlanes(size.width, size.height)
      background.paint(picture, frame)
      for (const layer of seen(frame)) layer.paint(picture, frame)
      return picture
    },
  }
}

function thingLayer(thing: Thing, size: Size, sceneFrames: number): PictureLayer {
  const across = thing.size * size.height
  const mask = shapeMask(thing.shape, across)
  const stencils = [{ mask, colour: toYuv(thing.colour), offset: { x: 0, y: 0 } }]
  return movedLayer(thing, stencils, frame => {
    const centre = pointOn(thing.path, thing, sceneFrames, frame)
    return { x: even(centre.x * size.width - across / 2), y: even(centre.y * size.height - across / 2) }
  })
}

async function textLayer(text: ScreenText, size: Size): Promise<PictureLayer> {
  const line = text.size * size.height
  const mask = await textMask(text.text, line, text.bold ?? false)
  const stencils: Stencil[] = [{ mask, colour: toYuv(text.colour), offset: { x: 0, y: 0 } }]
  if (text.behind) {
    const margin = even(line * 0.3)
    const box = boxMask(mask.width + 2 * margin, mask.height + margin)
    stencils.unshift({ mask: box, colour: toYuv(text.behind), offset: { x: -margin, y: -even(margin / 2) } })
  }
  const speed = text.slide ?? { x: 0, y: 0 }
  return movedLayer(text, stencils, frame => {
    const seconds = (frame - (text.from ?? 0)) / size.fps
    return {
      x: even((text.at.x + speed.x * seconds) * size.width),
      y: even((text.at.y + speed.y * seconds) * size.height),
    }
  })
}

// How far a point lies inside a shape of radius 1 around 0, 0 (negative: outside). y points down.
const depth: Record<FigureShape, (x: number, y: number) => number> = {
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
function shapeMask(shape: FigureShape, across: number): Mask {
  const size = Math.max(2, Math.round(across / 2) * 2)
  const radius = size / 2
  const luma = new Uint8Array(size * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const inside = depth[shape]((x + 0.5) / radius - 1, (y + 0.5) / radius - 1) * radius
      luma[y * size + x] = Math.round(255 * Math.min(1, Math.max(0, inside + 0.5)))
    }
  return buildMask(size, size, luma)
}
