import type { Box } from '../../src/core/evidence.ts'
import { type Component, components } from './components.ts'

export interface BoxSettings {
  threshold: number // of a pixel to be text
  boxThreshold: number // of a box, the mean of its pixels
}

export type Corner = [x: number, y: number] // in shares of the picture

// Where a line of text stands: the upright box around it, and its own corners if it is tilted, from its upper left clockwise.
export interface LinePlace {
  box: Box
  corners?: [Corner, Corner, Corner, Corner]
}

interface Size {
  width: number
  height: number
}

const grown = 1.5 // the map shows the middle of the letters; a box is that much of its area over its edge wider

// The places of the patches of a probability map of text.
export function textBoxes(map: Float32Array, size: Size, { threshold, boxThreshold }: BoxSettings): LinePlace[] {
  const { width, height } = size
  const mask = new Uint8Array(map.length)
  for (let i = 0; i < map.length; i++) mask[i] = map[i]! > threshold ? 1 : 0
  return components(mask, width, height, 1)
    .filter(({ left, right, top, bottom }) => Math.min(right - left, bottom - top) >= 3)
    .filter(patch => meanProbability(map, width, patch) >= boxThreshold)
    .map(patch => tiltedPlace(patch, size) ?? { box: uprightBox(patch, size) })
}

function meanProbability(map: Float32Array, width: number, { runs, area }: Component): number {
  let sum = 0
  for (let i = 0; i < runs.length; i += 3)
    for (let x = runs[i + 1]!; x < runs[i + 2]!; x++) sum += map[runs[i]! * width + x]!
  return sum / area
}

function uprightBox({ left, right, top, bottom }: Omit<Component, 'runs' | 'area'>, size: Size): Box {
  const edge = edgeLength(right - left, bottom - top)
  const x = Math.max(0, left - edge)
  const y = Math.max(0, top - edge)
  return {
    x: x / size.width,
    y: y / size.height,
    width: (Math.min(size.width, right + edge) - x) / size.width,
    height: (Math.min(size.height, bottom + edge) - y) / size.height,
  }
}

function edgeLength(across: number, down: number): number {
  return (across * down * grown) / (2 * (across + down))
}

const minRise = 0.35 // of the height of a line, from its one end to the other: below it an upright box does
const maxTilt = Math.PI / 4

// The rectangle of the smallest area around a patch, if that is clearly tilted.
function tiltedPlace(patch: Component, size: Size): LinePlace | undefined {
  const { angle, along, across } = smallestRectangle(convexHull(patch))
  const [length, thickness] = [along[1] - along[0], across[1] - across[0]]
  if (Math.abs(angle) >= maxTilt || length < thickness * 2) return undefined
  const edge = edgeLength(length, thickness)
  if (Math.abs(Math.sin(angle)) * length < minRise * (thickness + 2 * edge)) return undefined
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const at = (u: number, v: number): Corner => [u * cos - v * sin, u * sin + v * cos]
  const [start, end, top, bottom] = [along[0] - edge, along[1] + edge, across[0] - edge, across[1] + edge]
  const corners = [at(start, top), at(end, top), at(end, bottom), at(start, bottom)]
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const clip = (value: number, most: number) => Math.min(most, Math.max(0, value)) / most
  const [x, y] = [clip(Math.min(...xs), size.width), clip(Math.min(...ys), size.height)]
  return {
    box: {
      x,
      y,
      width: clip(Math.max(...xs), size.width) - x,
      height: clip(Math.max(...ys), size.height) - y,
    },
    corners: corners.map(([x, y]) => [x / size.width, y / size.height]) as LinePlace['corners'],
  }
}

// The corners of the convex hull, by Andrew's monotone chain.
function convexHull({ runs }: Component): Corner[] {
  const points: Corner[] = []
  for (let i = 0; i < runs.length; i += 3)
    for (const x of [runs[i + 1]!, runs[i + 2]!]) for (const y of [runs[i]!, runs[i]! + 1]) points.push([x, y])
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (ordered: Corner[]) => {
    const chain: Corner[] = []
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(points), ...half(points.reverse())]
}

function turn([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

interface Rectangle {
  angle: number // of its longer side to the horizontal, -90 to 90 degrees in radians
  along: [number, number]
  across: [number, number]
}

// One side of the smallest rectangle lies on a side of the hull.
function smallestRectangle(hull: readonly Corner[]): Rectangle {
  let best: (Rectangle & { area: number }) | undefined
  hull.forEach(([x, y], i) => {
    const [nextX, nextY] = hull[(i + 1) % hull.length]!
    const side = Math.atan2(nextY - y, nextX - x)
    const [u, v] = [extent(hull, side), extent(hull, side + Math.PI / 2)]
    const area = (u[1] - u[0]) * (v[1] - v[0])
    if (best && best.area <= area) return
    const longer = u[1] - u[0] >= v[1] - v[0] ? side : side + Math.PI / 2
    const angle = longer - Math.PI * Math.round(longer / Math.PI)
    best = { angle, area, along: extent(hull, angle), across: extent(hull, angle + Math.PI / 2) }
  })
  return best ?? { angle: 0, along: [0, 0], across: [0, 0] }
}

function extent(points: readonly Corner[], angle: number): [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = points.map(([x, y]) => x * cos + y * sin)
  return [Math.min(...along), Math.max(...along)]
}
