import { blockStroke, dotStroke, lineStroke, type OutlinePart, type Stroke } from '../outline.ts'

type Next = () => number

// Cupboards above, a counter with a stove and a sink, tiles on the floor.
export function kitchen(wide: number, next: Next): OutlinePart[] {
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
export function office(wide: number, next: Next): OutlinePart[] {
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
