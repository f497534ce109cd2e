import { z } from 'zod'
import { Box } from '../evidence.ts'

const places = {
  'top-left': [0, 0],
  top: [0.25, 0],
  'top-right': [0.5, 0],
  left: [0, 0.25],
  center: [0.25, 0.25],
  right: [0.5, 0.25],
  'bottom-left': [0, 0.5],
  bottom: [0.25, 0.5],
  'bottom-right': [0.5, 0.5],
} as const

type RegionName = keyof typeof places

const fraction = z.number().min(0).max(1)

// A part of the picture to enlarge: by its place, each half as wide and high as the picture, or as a box.
export const Region = z
  .union([
    z.enum(Object.keys(places) as [RegionName, ...RegionName[]]),
    Box.extend({ x: fraction, y: fraction, width: fraction, height: fraction }),
  ])
  .describe('enlarges a part of the picture: a place, or a box in fractions of its width and height')
export type Region = z.infer<typeof Region>

export function regionBox(region: Region): Box {
  if (typeof region !== 'string') {
    const [x, y] = [Math.min(region.x, 0.99), Math.min(region.y, 0.99)]
    const inside = (size: number, from: number) => Math.max(0.01, Math.min(size, 1 - from))
    return { x, y, width: inside(region.width, x), height: inside(region.height, y) }
  }
  const [x, y] = places[region]
  return { x, y, width: 0.5, height: 0.5 }
}
