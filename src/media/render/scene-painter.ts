import { isShown, type Place, type Scene, type ScreenText, type Shown, type Thing } from '../../core/scene.ts'
import { backgroundPainter, even, type Size } from './background.ts'
import { boxMask, type Mask, paint } from './mask.ts'
import { newPlanes, type Planes, toYuv, type Yuv } from './planes.ts'
import { shapeMask } from './shape-mask.ts'
import { textMask } from './text-mask.ts'

// Paints a scene frame by frame. `stateAt` is equal for frames that look the same, so that they are painted once.
export interface ScenePainter {
  stateAt(frame: number): string
  paint(frame: number): Planes
}

// Something in front of the background: what it looks like, when and where.
interface Layer {
  shown: Shown
  masks: { mask: Mask; colour: Yuv; offset: Place }[]
  cornerAt(frame: number): Place // in pixels, even
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
