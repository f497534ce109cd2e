import type { Frame } from '../../src/core/video.ts'

type Point = readonly [x: number, y: number]

// The places of eyes, nose and mouth in the square of 112 pixels that face recognisers are trained on.
const places: readonly Point[] = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
]
export const faceEdge = 112

// The face turned, moved and scaled to those places: red, green, blue from 0 to 255, plane by plane.
export function alignedFace(frame: Frame, marks: readonly Point[]): Float32Array {
  const from = marks.map(([x, y]): Point => [x * frame.width, y * frame.height])
  const { a, b, x: moveX, y: moveY } = similarity(from, places)
  const length = a * a + b * b
  const data = new Float32Array(3 * faceEdge * faceEdge)
  for (let row = 0; row < faceEdge; row++) {
    for (let column = 0; column < faceEdge; column++) {
      const [u, v] = [column - moveX, row - moveY]
      const x = (a * u + b * v) / length
      const y = (a * v - b * u) / length
      for (let plane = 0; plane < 3; plane++)
        data[(plane * faceEdge + row) * faceEdge + column] = between(frame, x, y, plane)
    }
  }
  return data
}

// The rotation, scale and translation that bring points nearest to others, by least squares: x' = ax - by + x, y' = bx + ay + y.
export function similarity(
  from: readonly Point[],
  to: readonly Point[],
): { a: number; b: number; x: number; y: number } {
  const [fx, fy] = mean(from)
  const [tx, ty] = mean(to)
  let along = 0
  let across = 0
  let spread = 0
  for (const [i, [x, y]] of from.entries()) {
    const [dx, dy] = [x - fx, y - fy]
    const [ex, ey] = [to[i]![0] - tx, to[i]![1] - ty]
    along += dx * ex + dy * ey
    across += dx * ey - dy * ex
    spread += dx * dx + dy * dy
  }
  const [a, b] = spread > 0 ? [along / spread, across / spread] : [1, 0]
  return { a, b, x: tx - a * fx + b * fy, y: ty - b * fx - a * fy }
}

function mean(points: readonly Point[]): Point {
  const [x, y] = points.reduce<Point>(([sumX, sumY], point) => [sumX + point[0], sumY + point[1]], [0, 0])
  return [x / points.length, y / points.length]
}

// Bilinear between the four pixels around a place; black outside the frame.
function between({ rgb, width, height }: Frame, x: number, y: number, plane: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const pixel = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : rgb[(row * width + column) * 3 + plane]!
  const [right, below] = [x - left, y - top]
  return (
    (pixel(left, top) * (1 - right) + pixel(left + 1, top) * right) * (1 - below) +
    (pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right) * below
  )
}
