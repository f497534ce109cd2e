import { type ColourName, type HairName, hairColours, sceneColours } from '../../src/media/render/colours.ts'
import type { HexColour } from '../../src/media/render/scene.ts'

// The word for a colour: the nearest of the table.
export function colourName(colour: HexColour): ColourName {
  return nearest(colour, sceneColours)
}

export function hairName(colour: HexColour): HairName {
  return nearest(colour, hairColours)
}

function nearest<Name extends string>(colour: HexColour, table: Record<Name, HexColour>): Name {
  const names = Object.keys(table) as Name[]
  return names.reduce((best, name) => (distance(colour, table[name]) < distance(colour, table[best]) ? name : best))
}

function distance(a: HexColour, b: HexColour): number {
  const [one, other] = [rgb(a), rgb(b)]
  return one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0)
}

function rgb(colour: HexColour): number[] {
  return [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
}
