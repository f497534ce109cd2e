import { areaStroke, blockStroke, dotStroke, lineStroke, type OutlinePart, pointAt, type Stroke } from '../outline.ts'
import type { HexColour, PicturePoint, Prop } from '../scene.ts'

const wood: HexColour = '#6c4420'

// What a hand at this place holds, the parts behind first.
export function heldAt(prop: Prop, { x, y }: PicturePoint): OutlinePart[] {
  switch (prop) {
    case 'umbrella':
      return [
        { colour: wood, strokes: [lineStroke(x, y + 0.1, x, y - 0.62, 0.022)] },
        { colour: '#d02090', strokes: [dome(x, y - 0.4, 0.27)] },
        { colour: '#f8d0e8', strokes: [lineStroke(x, y - 0.66, x, y - 0.42, 0.03)] },
      ]
    case 'box':
      return [
        { colour: '#c89458', strokes: [blockStroke(x - 0.12, y - 0.12, x + 0.12, y + 0.1)] },
        { colour: '#8c5c28', strokes: [blockStroke(x - 0.02, y - 0.12, x + 0.02, y + 0.1)] },
      ]
    case 'ball':
      return [
        { colour: '#f4f4f4', strokes: [dotStroke(x, y, 0.1)] },
        { colour: '#d81818', strokes: [lineStroke(x - 0.075, y, x + 0.075, y, 0.04)] },
      ]
    case 'book':
      return [
        { colour: '#1c5c8c', strokes: [blockStroke(x - 0.13, y - 0.1, x + 0.13, y + 0.08)] },
        {
          colour: '#fcfcf4',
          strokes: [
            blockStroke(x - 0.115, y - 0.085, x - 0.008, y + 0.06),
            blockStroke(x + 0.008, y - 0.085, x + 0.115, y + 0.06),
          ],
        },
      ]
    case 'lamp':
      return [
        {
          colour: wood,
          strokes: [lineStroke(x, y - 0.12, x, y + 0.08, 0.03), lineStroke(x - 0.06, y + 0.1, x + 0.06, y + 0.1, 0.04)],
        },
        {
          colour: '#fce060',
          strokes: [areaStroke([x - 0.05, y - 0.28], [x + 0.05, y - 0.28], [x + 0.12, y - 0.1], [x - 0.12, y - 0.1])],
        },
      ]
    case 'flag':
      return [
        { colour: wood, strokes: [lineStroke(x, y + 0.1, x, y - 0.5, 0.022)] },
        { colour: '#18a0d0', strokes: [blockStroke(x + 0.01, y - 0.5, x + 0.3, y - 0.38)] },
        { colour: '#f4f4f4', strokes: [blockStroke(x + 0.01, y - 0.38, x + 0.3, y - 0.28)] },
      ]
  }
}

// The upper half of a disc.
function dome(x: number, y: number, radius: number): Stroke {
  const points = Array.from({ length: 13 }, (_, i) => {
    const turn = Math.PI + (i / 12) * Math.PI
    return pointAt(x + Math.cos(turn) * radius, y + Math.sin(turn) * radius)
  })
  return { area: points }
}
