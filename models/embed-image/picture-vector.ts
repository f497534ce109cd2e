import type { Frame } from '../../src/core/video.ts'
import { basicColours, brightnesses, classShares, colourClasses, sharesAt } from './colour-names.ts'

// A picture as a unit vector of six parts, each of a fixed length, so that one number means the same in every picture:
// the shares of colours and of tones, whole and by the cells of a grid, then where it is light, and where edges run.

export const grid = 4
const cells = grid * grid
const lightGrid = 8
const directions = 4

const parts = {
  colours: { at: 0, size: basicColours.length, weight: 0.3 },
  colourCells: { at: basicColours.length, size: cells * basicColours.length, weight: 0.3 },
  tones: { at: basicColours.length * (1 + cells), size: brightnesses.length, weight: 0.05 },
  toneCells: {
    at: basicColours.length * (1 + cells) + brightnesses.length,
    size: cells * brightnesses.length,
    weight: 0.05,
  },
  light: { at: colourClasses * (1 + cells), size: lightGrid ** 2 + 1, weight: 0.2 },
  edges: { at: colourClasses * (1 + cells) + lightGrid ** 2 + 1, size: cells * directions + 1, weight: 0.1 },
}

export const dimensions = parts.edges.at + parts.edges.size

export function pictureVector(frame: Frame): Float32Array {
  const vector = new Float32Array(dimensions)
  fillShares(vector, frame)
  const light = shrink(frame)
  fillLight(vector, light)
  fillEdges(vector, light)
  for (const { at, size, weight } of Object.values(parts)) {
    const slice = vector.subarray(at, at + size)
    const length = Math.hypot(...slice) || 1
    for (let i = 0; i < size; i++) slice[i]! *= Math.sqrt(weight) / length
  }
  return vector
}

const across = 128 // pixels looked at in a row, and in a column

// Square roots of shares: the dot product of two such lists is their overlap, and a small area still counts.
function fillShares(vector: Float32Array, frame: Frame): void {
  const sums = new Float64Array(cells * colourClasses)
  for (let row = 0; row < across; row++) {
    const y = Math.floor(((row + 0.5) * frame.height) / across)
    for (let column = 0; column < across; column++) {
      const at = (y * frame.width + Math.floor(((column + 0.5) * frame.width) / across)) * 3
      const from = sharesAt(frame.rgb[at]!, frame.rgb[at + 1]!, frame.rgb[at + 2]!)
      const cell = Math.floor((row * grid) / across) * grid + Math.floor((column * grid) / across)
      for (let i = 0; i < colourClasses; i++) sums[cell * colourClasses + i]! += classShares[from + i]!
    }
  }
  for (let cell = 0; cell < cells; cell++) {
    for (let i = 0; i < colourClasses; i++) {
      const share = sums[cell * colourClasses + i]! / across ** 2
      vector[wholeAt(i)]! += share
      vector[cellAt(cell, i)] = Math.sqrt(share)
    }
  }
  for (let i = 0; i < colourClasses; i++) vector[wholeAt(i)] = Math.sqrt(vector[wholeAt(i)]!)
}

// Where a class (a colour, or a tone counted on from the colours) lies in the vector.
export function wholeAt(index: number): number {
  return index < basicColours.length ? parts.colours.at + index : parts.tones.at + index - basicColours.length
}

export function cellAt(cell: number, index: number): number {
  if (index < basicColours.length) return parts.colourCells.at + cell * basicColours.length + index
  return parts.toneCells.at + cell * brightnesses.length + index - basicColours.length
}

const small = 32

// Luma of the picture on a square of 32 by 32, each the mean of its area.
function shrink(frame: Frame): Float32Array {
  const sums = new Float32Array(small * small)
  const counts = new Float32Array(small * small)
  const stepX = Math.max(1, Math.floor(frame.width / (small * 4)))
  const stepY = Math.max(1, Math.floor(frame.height / (small * 4)))
  for (let y = 0; y < frame.height; y += stepY) {
    const row = Math.floor((y * small) / frame.height) * small
    for (let x = 0; x < frame.width; x += stepX) {
      const at = (y * frame.width + x) * 3
      const to = row + Math.floor((x * small) / frame.width)
      sums[to]! += 0.299 * frame.rgb[at]! + 0.587 * frame.rgb[at + 1]! + 0.114 * frame.rgb[at + 2]!
      counts[to]!++
    }
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i]!))
}

const flat = 12 // of 255: the spread of light under which a picture begins to count as having none

// Light against the mean. A flat picture has nothing there but noise, so the less spread, the more goes to "flat".
function fillLight(vector: Float32Array, light: Float32Array): void {
  const { at, size } = parts.light
  const area = small / lightGrid
  for (let i = 0; i < small * small; i++) {
    const cell = Math.floor(i / small / area) * lightGrid + Math.floor((i % small) / area)
    vector[at + cell]! += light[i]! / area ** 2
  }
  const values = vector.subarray(at, at + size - 1)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  for (let i = 0; i < values.length; i++) values[i]! -= mean
  vector[at + size - 1] = flat * Math.sqrt(values.length)
}

// How strong edges are in each cell, by direction.
function fillEdges(vector: Float32Array, light: Float32Array): void {
  const { at, size } = parts.edges
  for (let y = 1; y < small - 1; y++) {
    for (let x = 1; x < small - 1; x++) {
      const i = y * small + x
      const across = light[i + 1]! - light[i - 1]!
      const down = light[i + small]! - light[i - small]!
      const turn = (Math.atan2(down, across) / Math.PI + 1) * directions
      const cell = Math.floor((y * grid) / small) * grid + Math.floor((x * grid) / small)
      vector[at + cell * directions + (Math.round(turn) % directions)]! += Math.hypot(across, down)
    }
  }
  const values = vector.subarray(at, at + size - 1)
  for (let i = 0; i < values.length; i++) values[i] = Math.sqrt(values[i]!)
  vector[at + size - 1] = flat * 4
}
