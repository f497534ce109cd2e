import { type Layer, type Stencil, stencilsOf } from '../layer.ts'
import { even } from '../planes.ts'
import { type Figure, pointOn } from '../scene.ts'
import { bodyParts } from './body.ts'
import { stepAt } from './pose.ts'

// A person who moves: each step of the movement is drawn once.
export function figureLayer(
  figure: Figure,
  size: { width: number; height: number; fps: number },
  sceneFrames: number,
): Layer {
  const tall = figure.size * size.height
  const edge = { colour: '#202020', pixels: Math.max(1, tall / 160) } as const
  const drawn = new Map<number, Stencil[]>()
  const stepOf = (frame: number) => stepAt(figure.doing, frame / size.fps)
  return {
    shown: figure,
    look: frame => ` ${stepOf(frame)}`,
    stencilsAt(frame) {
      const step = stepOf(frame)
      const stencils = drawn.get(step) ?? stencilsOf(bodyParts(figure, step), tall, edge)
      drawn.set(step, stencils)
      return stencils
    },
    cornerAt(frame) {
      const feet = pointOn(figure.path, figure, sceneFrames, frame)
      return { x: even(feet.x * size.width), y: even(feet.y * size.height) }
    },
  }
}
