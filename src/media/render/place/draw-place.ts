import { random } from '../../../core/basics/numbers.ts'
import { buildStencils } from '../layer.ts'
import { paint } from '../mask.ts'
import type { OutlinePart } from '../outline.ts'
import type { Planes } from '../planes.ts'
import type { ScenePlace } from '../scene.ts'
import { kitchen, office } from './indoors.ts'
import { beach, drawForest, garden, street } from './outdoors.ts'

// Draws a place as wide as the picture: x 0..wide, y 0..1 in picture heights; the parts behind first.
type DrawPlace = (wide: number, next: () => number) => OutlinePart[]

const drawings: Record<ScenePlace, DrawPlace> = { kitchen, beach, forest: drawForest, street, garden, office }

export function drawPlace(picture: Planes, { place, seed }: { place: ScenePlace; seed: number }): void {
  const parts = drawings[place](picture.width / picture.height, random(seed))
  for (const { mask, colour, offset } of buildStencils(parts, picture.height))
    paint(picture, mask, offset.x, offset.y, colour)
}
