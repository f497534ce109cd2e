import { byTime, type Evidence } from '../../src/core/evidence.ts'

// All lines where they fit; else lines at even distances, so that no part of the video is preferred.
export function evenly(rows: readonly Evidence[], characters: number): Evidence[] {
  const sorted = [...rows].sort(byTime)
  const size = sorted.reduce((sum, row) => sum + row.text.length + 40, 0)
  const step = Math.max(1, size / characters)
  return sorted.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}
