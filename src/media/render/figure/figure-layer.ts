import { buildStencils, type PictureLayer } from '../layer.ts'
import { even } from '../planes.ts'
import { type PaintedFigure, pointOn } from '../scene.ts'
import { buildSprite, paintSprite, type Sprite } from '../sprite.ts'
import { bodyParts } from './body.ts'
import { stepAt } from './pose.ts'

// A person who moves: each step of the movement is drawn once.
export function figureLayer(
  figure: PaintedFigure,
  size: { width: number; height: number; fps: number },
  sceneFrames: number,
): PictureLayer {
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
