import type { HexColour, PicturePoint } from './scene.ts'

// What drawings are made of: a thick line with round ends (a dot where both ends are one), and a convex area with round corners.
export type Stroke = { line: [PicturePoint, PicturePoint]; width: number } | { area: PicturePoint[]; round?: number }

// Strokes of one colour.
export interface OutlinePart {
  colour: HexColour
  strokes: Stroke[]
  bare?: true // without a line around it
}

export interface Bounds {
  x: number // left
  y: number // upper
  width: number
  height: number
}

export const pointAt = (x: number, y: number): PicturePoint => ({ x, y })
export const lineStroke = (x: number, y: number, toX: number, toY: number, width: number): Stroke => ({
  line: [pointAt(x, y), pointAt(toX, toY)],
  width,
})
export const dotStroke = (x: number, y: number, radius: number): Stroke => lineStroke(x, y, x, y, radius * 2)
export const areaStroke = (...points: [number, number][]): Stroke => ({ area: points.map(([x, y]) => pointAt(x, y)) })
export const blockStroke = (left: number, top: number, right: number, bottom: number): Stroke =>
  areaStroke([left, top], [right, top], [right, bottom], [left, bottom])

export function computeBounds(strokes: readonly Stroke[]): Bounds {
  const reaches = strokes.flatMap(stroke => {
    const [points, margin] = 'line' in stroke ? [stroke.line, stroke.width / 2] : [stroke.area, stroke.round ?? 0]
    return points.map(({ x, y }) => ({ left: x - margin, right: x + margin, top: y - margin, bottom: y + margin }))
  })
  const x = Math.min(...reaches.map(({ left }) => left))
  const y = Math.min(...reaches.map(({ top }) => top))
  const width = Math.max(...reaches.map(({ right }) => right)) - x
  return { x, y, width, height: Math.max(...reaches.map(({ bottom }) => bottom)) - y }
}

// How far a point lies inside a stroke (negative: outside).
export function depthIn(stroke: Stroke, x: number, y: number): number {
  if ('line' in stroke) return stroke.width / 2 - distanceTo(stroke.line, x, y)
  const { area, round = 0 } = stroke
  let inside = Number.POSITIVE_INFINITY
  for (let i = 0; i < area.length; i++) {
    const [a, b] = [area[i]!, area[(i + 1) % area.length]!]
    const length = Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2)
    inside = Math.min(inside, ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / length)
  }
  return inside + round
}

function distanceTo([a, b]: [PicturePoint, PicturePoint], x: number, y: number): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0
  return Math.sqrt((x - a.x - dx * along) ** 2 + (y - a.y - dy * along) ** 2)
}
