import { backgroundPainter, type Size } from './background.ts'
import { bodyParts } from './figure/body.ts'
import { stepAt } from './figure/pose.ts'
import { buildStencils, movedLayer, type PictureLayer, type Stencil } from './layer.ts'
import { boxMask, buildMask, type Mask, textMask } from './mask.ts'
import { even, newPlanes, type Planes, toYuv } from './planes.ts'
import {
  type FigureShape,
  isShown,
  type PaintedFigure,
  pointOn,
  type Scene,
  type ScreenText,
  type Thing,
} from './scene.ts'

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

// A person who moves: each step of the movement is drawn once.
function figureLayer(figure: PaintedFigure, size: Size, sceneFrames: number): PictureLayer {
  const tall = figure.size * size.height
  const edge = { colour: '#202020', pixels: Math.max(1, tall / 160) } as const
  const drawn = new Map<number, Sprite>()
  const stepOf = (frame: number) => stepAt(figure.doing, frame / size.fps)
  const cornerAt = (frame: number) => {
    const feet = pointOn(figure.path, figure, sceneFrames, frame)
    return { x: even(feet.x * size.width), y: even(feet.y * size.height) }
  }
  return {
    shown: figure,
    stateAt(frame) {
      const { x, y } = cornerAt(frame)
      return `${x},${y},${stepOf(frame)}`
    },
    paint(onto, frame) {
      const step = stepOf(frame)
      const sprite = drawn.get(step) ?? buildSprite(buildStencils(bodyParts(figure, step), tall, edge))
      drawn.set(step, sprite)
      const { x, y } = cornerAt(frame)
      paintSprite(onto, sprite, x, y)
    },
  }
}

// Stencils laid over one another once, so that what is shown in many frames is painted in one pass.
interface Sprite {
  x: number // of its left upper corner, in pixels, even
  y: number
  planes: [luma: Sheet, blue: Sheet, red: Sheet]
}

interface Sheet {
  width: number
  values: Uint8Array
  cover: Uint8Array
}

function buildSprite(stencils: readonly Stencil[]): Sprite {
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
function paintSprite(onto: Planes, sprite: Sprite, x: number, y: number): void {
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
