import { random } from '../../../core/basics/numbers.ts'
import { stencilsOf } from '../layer.ts'
import { paint } from '../mask.ts'
import type { Part } from '../outline.ts'
import type { Planes } from '../planes.ts'
import type { Place } from '../scene.ts'
import { kitchen, office } from './indoors.ts'
import { beach, forest, garden, street } from './outdoors.ts'

// Draws a place as wide as the picture: x 0..wide, y 0..1 in picture heights; the parts behind first.
type DrawPlace = (wide: number, next: () => number) => Part[]

const drawings: Record<Place, DrawPlace> = { kitchen, beach, forest, street, garden, office }

export function drawPlace(picture: Planes, { place, seed }: { place: Place; seed: number }): void {
  const parts = drawings[place](picture.width / picture.height, random(seed))
  for (const { mask, colour, offset } of stencilsOf(parts, picture.height))
    paint(picture, mask, offset.x, offset.y, colour)
}
