import { type Column, firstAfter } from './columns.ts'

export interface Window {
  from: number // seconds
  to: number
}

// How much of each pixel is covered by rows, from 0 to 1, and at least a little where a row is: work goes with the rows of the
// window and its width, never with both.
export function cover(column: Column, { from, to }: Window, out: Float32Array): void {
  const width = out.length
  out.fill(0)
  const scale = width / ((to - from) * 1000)
  const origin = from * 1000
  const { starts, ends, reach } = column
  const last = firstAfter(starts, to * 1000)
  let depth = 0 // rows that cover pixels whole: their edges are summed up at the end
  const edges = new Float32Array(width + 1)
  for (let row = firstAfter(reach, origin); row < last; row++) {
    const end = ends[row] ?? 0
    if (end < origin) continue
    const x0 = Math.max(0, ((starts[row] ?? 0) - origin) * scale)
    const right = Math.min(width, Math.max((end - origin) * scale, x0 + 0.2)) // the smallest row is still seen
    const first = Math.floor(x0)
    const final = Math.min(width - 1, Math.floor(right))
    if (first >= width) continue
    if (first === final) add(out, first, right - x0)
    else {
      add(out, first, first + 1 - x0)
      add(out, final, right - final)
      edges[first + 1] = (edges[first + 1] ?? 0) + 1
      edges[final] = (edges[final] ?? 0) - 1
    }
  }
  for (let x = 0; x < width; x++) {
    depth += edges[x] ?? 0
    out[x] = Math.min(1, (out[x] ?? 0) + depth)
  }
}

function add(out: Float32Array, at: number, share: number): void {
  out[at] = (out[at] ?? 0) + share
}
