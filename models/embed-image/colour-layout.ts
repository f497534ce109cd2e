import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { colourNames, colourOf, colourWords } from './colour-names.ts'

const GRID = 4
const COLOURS = colourNames.length
const WHOLE = 2.2 // how much the colours of the whole frame weigh beside those of its places
const SHAPE = 1.4 // how much light, dark and edges weigh
const DIMENSIONS = COLOURS + GRID * GRID * COLOURS + GRID * GRID * 2
const SAMPLES = 96 // pixels across that are looked at

// Which places of the grid a word means.
const places: Record<string, (column: number, row: number) => boolean> = {
  left: column => column < GRID / 2,
  right: column => column >= GRID / 2,
  top: (_, row) => row < GRID / 2,
  upper: (_, row) => row < GRID / 2,
  bottom: (_, row) => row >= GRID / 2,
  lower: (_, row) => row >= GRID / 2,
  centre: (column, row) => inner(column) && inner(row),
  center: (column, row) => inner(column) && inner(row),
  middle: (column, row) => inner(column) && inner(row),
}

const colourLayout: Backend<ImageEncoder> = {
  summary: 'named colours and where they are, light and edges; no model',
  version: '1',
  settings: z.object({}),
  async open() {
    return {
      dimensions: DIMENSIONS,
      images: async frames => frames.map(vectorOf),
      text: async queries => queries.map(vectorOfWords),
    }
  },
}

export default colourLayout

function vectorOf(frame: Frame): Float32Array {
  const { width, height, rgb } = frame
  const vector = new Float32Array(DIMENSIONS)
  const counts = new Float32Array(GRID * GRID)
  const step = Math.max(1, Math.floor(width / SAMPLES))
  const light = new Float32Array(GRID * GRID)
  const edges = new Float32Array(GRID * GRID)
  for (let y = 0; y < height; y += step) {
    const row = Math.min(GRID - 1, Math.floor((y * GRID) / height))
    let before = -1
    for (let x = 0; x < width; x += step) {
      const cell = row * GRID + Math.min(GRID - 1, Math.floor((x * GRID) / width))
      const at = (y * width + x) * 3
      const colour = colourOf(rgb[at], rgb[at + 1], rgb[at + 2])
      vector[colour]++
      vector[COLOURS + cell * COLOURS + colour]++
      const luma = (0.299 * rgb[at] + 0.587 * rgb[at + 1] + 0.114 * rgb[at + 2]) / 255
      light[cell] += luma
      if (before >= 0) edges[cell] += Math.abs(luma - before)
      before = luma
      counts[cell]++
    }
  }
  const all = counts.reduce((sum, count) => sum + count, 0)
  for (let colour = 0; colour < COLOURS; colour++) vector[colour] = WHOLE * Math.sqrt(vector[colour] / all)
  for (let cell = 0; cell < GRID * GRID; cell++) {
    const count = Math.max(1, counts[cell])
    for (let colour = 0; colour < COLOURS; colour++) {
      const part = COLOURS + cell * COLOURS + colour
      vector[part] = Math.sqrt(vector[part] / count) / GRID
    }
    const shape = COLOURS + GRID * GRID * COLOURS + cell * 2
    vector[shape] = (SHAPE * (light[cell] / count - 0.5)) / GRID
    vector[shape + 1] = (SHAPE * Math.min(1, (edges[cell] / count) * 6)) / GRID
  }
  return unit(vector)
}

// Colour words stand for a frame of these colours, at the places that are named; without a colour there is nothing to look for.
function vectorOfWords(query: string): Float32Array | undefined {
  const words = query.toLowerCase().match(/[a-z]+/g) ?? []
  const colours = [
    ...new Set(
      words.flatMap(word => (Object.hasOwn(colourWords, word) ? [colourNames.indexOf(colourWords[word])] : [])),
    ),
  ]
  if (colours.length === 0) return undefined
  const named = words.filter(word => Object.hasOwn(places, word)).map(word => places[word])
  const vector = new Float32Array(DIMENSIONS)
  for (const colour of colours) {
    vector[colour] = WHOLE
    for (let cell = 0; cell < GRID * GRID; cell++) {
      const here = named.every(place => place(cell % GRID, Math.floor(cell / GRID)))
      if (here) vector[COLOURS + cell * COLOURS + colour] = (named.length > 0 ? 2 : 1) / GRID
    }
  }
  return unit(vector)
}

function inner(at: number): boolean {
  return at >= GRID / 4 && at < (GRID * 3) / 4
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map(value => value / length)
}
