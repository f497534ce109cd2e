import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { basicColours, brightnesses, type Hue, type Tone } from './colour-names.ts'
import { cellAt, dimensions, grid, pictureVector, wholeAt } from './picture-vector.ts'

const Settings = z.strictObject({})

const colourLayout: Backend<ImageEncoder, z.infer<typeof Settings>> = {
  summary: 'compares pictures by colour and layout, and understands colour words; needs no model',
  version: '1',
  selfContained: true,
  settings: Settings,
  async open() {
    return {
      dimensions,
      minLikeness: 0.055, // a hundredth of the picture is of the colour
      async images(frames, signal) {
        const vectors: Float32Array[] = []
        for (const frame of frames) {
          await new Promise(setImmediate) // other work goes on between pictures
          signal.throwIfAborted()
          vectors.push(pictureVector(frame))
        }
        return vectors
      },
      async text(queries, signal) {
        signal.throwIfAborted()
        return queries.map(colourQuery)
      },
    }
  },
}

export default colourLayout

// Words about colour, tone and place as a vector in the space of pictures: "blue sky at the top" lies near pictures that
// are blue at the top. Undefined if a query names neither colour nor tone: this space has no other meanings.
export function colourQuery(query: string): Float32Array | undefined {
  const words = query.match(/[\p{L}\p{N}'-]+|[,;]/gu) ?? []
  const wishes = wishesIn(words)
  if (wishes.length === 0) return undefined
  const vector = new Float32Array(dimensions)
  for (const { index, places } of wishes) {
    if (places.length === 0) vector[wholeAt(index)]! += 1
    const targetCells = cellsIn(places)
    for (const cell of targetCells) vector[cellAt(cell, index)]! += 1 / Math.sqrt(targetCells.length)
  }
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}

type Region = 'left' | 'right' | 'top' | 'bottom' | 'centre'

interface ColourWord {
  index: number // of a colour, or of a tone counted on from the colours
  places: Region[]
}

const colourWords = wordTable<Hue>({
  ...Object.fromEntries(basicColours.map(name => [name, name])),
  grey: 'grey gray silver',
  red: 'red crimson scarlet',
  yellow: 'yellow golden',
  purple: 'purple violet',
  pink: 'pink magenta',
  blue: 'blue navy cyan turquoise',
})
const toneWords = wordTable<Tone>({ dark: 'dark dim night', bright: 'bright' })
const placeWords = wordTable<Region>({
  left: 'left',
  right: 'right',
  top: 'top upper above sky',
  bottom: 'bottom lower below ground floor',
  centre: 'centre center middle',
})

// What each word means, from the words of each meaning.
function wordTable<Meaning extends string>(words: Partial<Record<Meaning, string>>): Map<string, Meaning> {
  const table = new Map<string, Meaning>()
  for (const [meaning, list] of Object.entries<string>(words as Record<Meaning, string>))
    for (const word of list.split(' ')) table.set(word, meaning as Meaning)
  return table
}

const reach = 6 // words between a colour and its place

// A place belongs to the colour before it, or to the one after it where another part of the sentence has begun:
// "blue at the top and green at the bottom", "on the left a red box".
function wishesIn(words: string[]): ColourWord[] {
  const colourMentions = words.flatMap((word, at) => {
    const index = classify(word, at)
    return index === undefined ? [] : [{ index, places: [] as Region[], at }]
  })
  words.forEach((word, at) => {
    const cellsOfWord = placeWords.get(word.toLowerCase())
    if (!cellsOfWord) return
    const before = colourMentions.findLast(wish => wish.at < at && at - wish.at <= reach)
    const after = colourMentions.find(wish => wish.at > at && wish.at - at <= reach)
    const parted = before && words.slice(before.at, at).some(between => /^(and|with|while|[,;])$/i.test(between))
    const wish = parted ? (after ?? before) : (before ?? after)
    wish?.places.push(cellsOfWord)
  })
  return colourMentions
}

// "Mr Brown" and "the White House" are not colours: a capital inside a sentence makes a name.
function classify(word: string, at: number): number | undefined {
  if (at > 0 && /^\p{Lu}\p{Ll}/u.test(word)) return undefined
  const colour = colourWords.get(word.toLowerCase())
  if (colour) return basicColours.indexOf(colour)
  const tone = toneWords.get(word.toLowerCase())
  return tone ? basicColours.length + brightnesses.indexOf(tone) : undefined
}

const inside: Record<Region, (row: number, column: number) => boolean> = {
  left: (_, column) => column < grid / 2,
  right: (_, column) => column >= grid / 2,
  top: row => row < grid / 2,
  bottom: row => row >= grid / 2,
  centre: (row, column) => row > 0 && row < grid - 1 && column > 0 && column < grid - 1,
}

// The cells in all of the places ("top left"), or in any of them where none is in all ("left and right").
function cellsIn(places: Region[]): number[] {
  const cells = Array.from({ length: grid * grid }, (_, cell) => cell)
  const isIn = (cell: number) => (place: Region) => inside[place](Math.floor(cell / grid), cell % grid)
  const common = cells.filter(cell => places.length > 0 && places.every(isIn(cell)))
  return common.length > 0 ? common : cells.filter(cell => places.some(isIn(cell)))
}
