import { seededRandom } from '../../../core/basics/numbers.ts'
import { buildStencils } from '../layer.ts'
import { paint } from '../mask.ts'
import { areaStroke, blockStroke, dotStroke, lineStroke, type OutlinePart, type Stroke } from '../outline.ts'
import type { Planes } from '../planes.ts'
import type { ScenePlace } from '../scene.ts'

// Draws a place as wide as the picture: x 0..wide, y 0..1 in picture heights; the parts behind first.
type DrawPlace = (wide: number, next: () => number) => OutlinePart[]

const drawings: Record<ScenePlace, DrawPlace> = { kitchen, beach, forest: drawForest, street, garden, office }

export function drawPlace(picture: Planes, { place, seed }: { place: ScenePlace; seed: number }): void {
  const parts = drawings[place](picture.width / picture.height, seededRandom(seed))
  for (const { mask, colour, offset } of buildStencils(parts, picture.height))
    paint(picture, mask, offset.x, offset.y, colour)
}

type Next = () => number

// Cupboards above, a counter with a stove and a sink, tiles on the floor.
function kitchen(wide: number, next: Next): OutlinePart[] {
  const stove = (0.1 + next() * 0.5) * wide
  const tiles = Array.from({ length: 12 }, (_, i) => i).flatMap(i =>
    [0, 1, 2].flatMap(row => ((i + row) % 2 === 0 ? [tile(i * 0.16, 0.76 + row * 0.08)] : [])),
  )
  const lockers = Array.from({ length: Math.ceil(wide / 0.3) }, (_, i) => i * 0.3)
  return [
    { colour: '#f0e4c4', strokes: [blockStroke(0, 0, wide, 1)] },
    { colour: '#e8e8e0', strokes: [blockStroke(0, 0.76, wide, 1)] },
    { colour: '#b8b4a8', strokes: tiles },
    { colour: '#c8e0e8', strokes: [blockStroke(0, 0.3, wide, 0.46)] },
    { colour: '#a87848', strokes: [blockStroke(0, 0, wide, 0.2), blockStroke(0, 0.5, wide, 0.76)] },
    {
      colour: '#6c4828',
      strokes: lockers.flatMap(x => [lineStroke(x, 0, x, 0.2, 0.008), lineStroke(x, 0.52, x, 0.76, 0.008)]),
    },
    { colour: '#e0dcd0', strokes: [blockStroke(0, 0.46, wide, 0.51)] },
    { colour: '#585858', strokes: [blockStroke(stove, 0.5, stove + 0.3, 0.76)] },
    {
      colour: '#181818',
      strokes: [blockStroke(stove + 0.05, 0.6, stove + 0.25, 0.72), blockStroke(stove, 0.45, stove + 0.3, 0.47)],
    },
    {
      colour: '#8894a0',
      strokes: [
        blockStroke(stove + 0.08, 0.34, stove + 0.22, 0.45),
        lineStroke(stove + 0.02, 0.37, stove + 0.28, 0.37, 0.018),
      ],
    },
  ]
}

function tile(x: number, y: number): Stroke {
  return blockStroke(x, y, x + 0.16, y + 0.08)
}

// A desk with a screen, shelves with files, a window with a town behind it.
function office(wide: number, next: Next): OutlinePart[] {
  const isLeft = next() < 0.5
  const desk = isLeft ? 0.06 : wide - 0.76
  const window = isLeft ? wide - 0.62 : 0.1
  const shelf = wide / 2 - 0.2
  const files = Array.from({ length: 8 }, (_, i) => ({ x: shelf + 0.02 + i * 0.046, height: 0.07 + next() * 0.05 }))
  return [
    { colour: '#ccd4dc', strokes: [blockStroke(0, 0, wide, 0.78)] },
    { colour: '#50586c', strokes: [blockStroke(0, 0.76, wide, 1)] },
    { colour: '#f8f8f8', strokes: [blockStroke(window - 0.02, 0.08, window + 0.54, 0.5)] },
    { colour: '#8cc4f0', strokes: [blockStroke(window, 0.1, window + 0.52, 0.48)] },
    {
      colour: '#7484a0',
      strokes: [blockStroke(window, 0.3, window + 0.12, 0.48), blockStroke(window + 0.2, 0.22, window + 0.34, 0.48)],
    },
    { colour: '#f8f8f8', strokes: [lineStroke(window + 0.26, 0.1, window + 0.26, 0.48, 0.014)] },
    { colour: '#705038', strokes: [blockStroke(shelf, 0.28, shelf + 0.4, 0.3)] },
    { colour: '#30507c', strokes: files.filter((_, i) => i % 2 === 0).map(upright) },
    { colour: '#c8b088', strokes: files.filter((_, i) => i % 2 === 1).map(upright) },
    {
      colour: '#8c6844',
      strokes: [
        blockStroke(desk, 0.6, desk + 0.7, 0.64),
        lineStroke(desk + 0.04, 0.62, desk + 0.04, 0.9, 0.03),
        lineStroke(desk + 0.66, 0.62, desk + 0.66, 0.9, 0.03),
      ],
    },
    {
      colour: '#202428',
      strokes: [
        blockStroke(desk + 0.2, 0.36, desk + 0.54, 0.56),
        lineStroke(desk + 0.37, 0.55, desk + 0.37, 0.59, 0.03),
      ],
    },
    { colour: '#48a0c8', strokes: [blockStroke(desk + 0.22, 0.38, desk + 0.52, 0.54)] },
    { colour: '#e4e4e4', strokes: [dotStroke(desk + 0.1, 0.58, 0.02)] },
  ]
}

function upright({ x, height }: { x: number; height: number }): Stroke {
  return blockStroke(x, 0.28 - height, x + 0.036, 0.28)
}

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

// Sky and sun, the sea with a sail, sand with a palm.
function beach(wide: number, next: Next): OutlinePart[] {
  const sun = (0.2 + next() * 0.6) * wide
  const sail = (0.1 + next() * 0.7) * wide
  const palm = next() < 0.5 ? 0.16 : wide - 0.16
  const leaves = [-0.2, -0.12, 0, 0.12, 0.2].map(x =>
    lineStroke(palm, 0.3, palm + x, 0.36 - Math.abs(0.2 - Math.abs(x)) * 0.7, 0.035),
  )
  return [
    { colour: '#90d0f8', strokes: [blockStroke(0, 0, wide, 1)] },
    { colour: '#fce458', strokes: [dotStroke(sun, 0.14, 0.08)] },
    { colour: '#2878c0', strokes: [blockStroke(0, 0.42, wide, 0.62)] },
    {
      colour: '#d8ecfc',
      strokes: times(6).map(i =>
        lineStroke(next() * wide, 0.46 + i * 0.022, next() * wide * 0.2, 0.46 + i * 0.022, 0.004),
      ),
    },
    { colour: '#fcfcfc', strokes: [areaStroke([sail, 0.26], [sail + 0.1, 0.41], [sail, 0.41])] },
    {
      colour: '#7c3c1c',
      strokes: [areaStroke([sail - 0.06, 0.42], [sail + 0.13, 0.42], [sail + 0.09, 0.46], [sail - 0.02, 0.46])],
    },
    { colour: '#f0d898', strokes: [blockStroke(0, 0.6, wide, 1)] },
    { colour: '#e0c07c', strokes: times(14).map(() => dotStroke(next() * wide, 0.66 + next() * 0.32, 0.008)) },
    { colour: '#7c5430', strokes: [lineStroke(palm + 0.02, 0.74, palm, 0.3, 0.035)] },
    { colour: '#1c7830', strokes: leaves },
  ]
}

// Firs, dark ones behind and lighter ones in front.
function drawForest(wide: number, next: Next): OutlinePart[] {
  const row = (count: number, ground: number, height: number) =>
    times(count).map(i => ({
      x: ((i + 0.2 + next() * 0.6) / count) * wide,
      ground,
      height: height * (0.8 + next() * 0.4),
    }))
  const [far, near] = [row(11, 0.56, 0.42), row(6, 0.72, 0.58)]
  return [
    { colour: '#a8c8b0', strokes: [blockStroke(0, 0, wide, 1)] },
    { colour: '#38542c', strokes: [blockStroke(0, 0.54, wide, 1)] },
    { colour: '#28503c', strokes: far.flatMap(fir) },
    { colour: '#583c20', strokes: near.map(({ x, ground }) => lineStroke(x, ground, x, ground - 0.14, 0.035)) },
    { colour: '#1c6c34', strokes: near.flatMap(fir) },
    { colour: '#5c7c38', strokes: [blockStroke(0, 0.82, wide, 1)] },
    {
      colour: '#486428',
      strokes: times(18)
        .map(() => next() * wide)
        .map(x => lineStroke(x, 0.84, x + 0.015, 0.8, 0.008)),
    },
  ]
}

function fir({ x, ground, height }: { x: number; ground: number; height: number }): Stroke[] {
  return times(3).map(i => {
    const [top, bottom] = [ground - height + i * height * 0.22, ground - height * 0.56 + i * height * 0.23]
    const half = height * (0.13 + i * 0.05)
    return areaStroke([x, top], [x + half, bottom], [x - half, bottom])
  })
}

// Houses with windows, a pavement, a road with a broken line.
function street(wide: number, next: Next): OutlinePart[] {
  const houses = times(Math.ceil(wide / 0.36)).map(i => ({ left: i * 0.36, top: 0.06 + next() * 0.24 }))
  const wall = (nth: number) =>
    houses.filter((_, i) => i % 3 === nth).map(({ left, top }) => blockStroke(left, top, left + 0.36, 0.7))
  const windows = houses.flatMap(({ left, top }) =>
    [0.06, 0.22].flatMap(x => [0.06, 0.22].map(y => blockStroke(left + x, top + y, left + x + 0.08, top + y + 0.1))),
  )
  return [
    { colour: '#bcd4e4', strokes: [blockStroke(0, 0, wide, 1)] },
    { colour: '#a8604c', strokes: wall(0) },
    { colour: '#c8b494', strokes: wall(1) },
    { colour: '#8890a4', strokes: wall(2) },
    { colour: '#f4ecb8', strokes: windows },
    { colour: '#503420', strokes: houses.map(({ left }) => blockStroke(left + 0.14, 0.56, left + 0.22, 0.7)) },
    { colour: '#c0c0bc', strokes: [blockStroke(0, 0.7, wide, 0.8)] },
    { colour: '#4c4c50', strokes: [blockStroke(0, 0.8, wide, 1)] },
    {
      colour: '#f4f4ec',
      strokes: times(Math.ceil(wide / 0.3)).map(i => blockStroke(i * 0.3, 0.965, i * 0.3 + 0.16, 0.98)),
    },
  ]
}

// A lawn with flowers before a fence, an apple tree behind it.
function garden(wide: number, next: Next): OutlinePart[] {
  const tree = next() < 0.5 ? 0.24 : wide - 0.24
  const flowers = times(15).map(i => ({ x: ((i + next()) / 15) * wide, y: 0.68 + next() * 0.09 }))
  const blossom = (nth: number) => flowers.filter((_, i) => i % 3 === nth).map(({ x, y }) => dotStroke(x, y, 0.018))
  return [
    { colour: '#a8dcf8', strokes: [blockStroke(0, 0, wide, 1)] },
    { colour: '#70482c', strokes: [lineStroke(tree, 0.66, tree, 0.34, 0.06)] },
    {
      colour: '#3c9848',
      strokes: [dotStroke(tree, 0.24, 0.17), dotStroke(tree - 0.13, 0.3, 0.11), dotStroke(tree + 0.13, 0.3, 0.11)],
    },
    {
      colour: '#d83030',
      strokes: times(6).map(() => dotStroke(tree + (next() - 0.5) * 0.36, 0.16 + next() * 0.2, 0.018)),
    },
    {
      colour: '#fcfcf8',
      strokes: [
        blockStroke(0, 0.46, wide, 0.48),
        blockStroke(0, 0.56, wide, 0.58),
        ...times(Math.ceil(wide / 0.1)).map(i => blockStroke(i * 0.1 + 0.03, 0.42, i * 0.1 + 0.07, 0.64)),
      ],
    },
    { colour: '#78c450', strokes: [blockStroke(0, 0.62, wide, 1)] },
    { colour: '#2c7c30', strokes: flowers.map(({ x, y }) => lineStroke(x, y, x, y + 0.05, 0.008)) },
    { colour: '#f060a0', strokes: blossom(0) },
    { colour: '#f8e040', strokes: blossom(1) },
    { colour: '#fcfcfc', strokes: blossom(2) },
  ]
}
