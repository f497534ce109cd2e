import { areaStroke, blockStroke, dotStroke, lineStroke, type OutlinePart, type Stroke } from '../outline.ts'

type Next = () => number

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

// Sky and sun, the sea with a sail, sand with a palm.
export function beach(wide: number, next: Next): OutlinePart[] {
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
export function drawForest(wide: number, next: Next): OutlinePart[] {
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
export function street(wide: number, next: Next): OutlinePart[] {
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
export function garden(wide: number, next: Next): OutlinePart[] {
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
