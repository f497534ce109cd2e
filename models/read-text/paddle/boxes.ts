import type { Box } from '../../../src/core/evidence.ts'
import { type Component, components } from '../components.ts'

export interface BoxSettings {
  threshold: number // of a pixel to be text
  boxThreshold: number // of a box, the mean of its pixels
}

const grown = 1.75 // the map shows the middle of the letters; a box is that much of its area over its edge wider

// The boxes around the patches of a probability map of text.
export function textBoxes(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  { threshold, boxThreshold }: BoxSettings,
): Box[] {
  const mask = new Uint8Array(map.length)
  for (let i = 0; i < map.length; i++) mask[i] = map[i]! > threshold ? 1 : 0
  return components(mask, width, height, 1)
    .filter(({ left, right, top, bottom }) => Math.min(right - left, bottom - top) >= 3)
    .filter(patch => meanProbability(map, width, patch) >= boxThreshold)
    .map(({ left, right, top, bottom }) => {
      const [across, down] = [right - left, bottom - top]
      const edge = (across * down * grown) / (2 * (across + down))
      const x = Math.max(0, left - edge)
      const y = Math.max(0, top - edge)
      return {
        x: x / width,
        y: y / height,
        width: (Math.min(width, right + edge) - x) / width,
        height: (Math.min(height, bottom + edge) - y) / height,
      }
    })
}

function meanProbability(map: Float32Array, width: number, { runs, area }: Component): number {
  let sum = 0
  for (let i = 0; i < runs.length; i += 3)
    for (let x = runs[i + 1]!; x < runs[i + 2]!; x++) sum += map[runs[i]! * width + x]!
  return sum / area
}
