import { areaStroke, blockStroke, dotStroke, lineStroke, type OutlinePart, pointAt, type Stroke } from '../outline.ts'
import type { HexColour, PaintedFigure, PicturePoint, Prop } from '../scene.ts'
import { type Pose, poseAt } from './pose.ts'

const skin: HexColour = '#e4b48c'
const dark: HexColour = '#202020'
const chair: HexColour = '#8c6034'

type Dressed = Pick<PaintedFigure, 'hair' | 'top' | 'trousers' | 'hat' | 'holds' | 'doing'>

// A person in one step of a movement, the parts behind first. The crown of who stands is at y = -1, the feet at 0.
export function bodyParts(figure: Dressed, step: number): OutlinePart[] {
  const pose = poseAt(figure.doing, step)
  const sits = figure.doing === 'sits'
  const hand: PicturePoint = figure.holds ? pointAt(0.27, -0.58) : pointAt(0.2 + pose.stride * 0.1, -0.46)
  const upper: OutlinePart[] = [
    { colour: figure.top, strokes: [torso(), lineStroke(0.13, -0.75, hand.x, hand.y, 0.085), leftArm(pose)] },
    { colour: skin, strokes: [lineStroke(0, -0.85, 0, -0.78, 0.07), dotStroke(hand.x, hand.y, 0.045), leftHand(pose)] },
    ...head(figure),
    ...(figure.holds ? heldAt(figure.holds, hand) : []),
  ]
  const whole = [...(sits ? seat() : []), ...legs(figure.trousers, pose, sits), ...lowered(upper, pose.sunk)]
  return lowered(whole, -pose.lift)
}

function torso(): Stroke {
  const corners = [pointAt(-0.11, -0.78), pointAt(0.11, -0.78), pointAt(0.09, -0.47), pointAt(-0.09, -0.47)]
  return { area: corners, round: 0.03 }
}

function leftHandAt({ arm, stride }: Pose): PicturePoint {
  return arm === undefined ? pointAt(-0.2 - stride * 0.1, -0.46) : pointAt(-0.26 + arm * 0.1, -1.02)
}

function leftArm(pose: Pose): Stroke {
  const hand = leftHandAt(pose)
  return lineStroke(-0.13, -0.75, hand.x, hand.y, 0.085)
}

function leftHand(pose: Pose): Stroke {
  const hand = leftHandAt(pose)
  return dotStroke(hand.x, hand.y, 0.045)
}

function legs(trousers: HexColour, { stride }: Pose, sits: boolean): OutlinePart[] {
  if (sits)
    return [
      { colour: dark, strokes: [lineStroke(0.2, -0.03, 0.27, -0.03, 0.06)] },
      {
        colour: trousers,
        strokes: [lineStroke(-0.03, -0.28, 0.2, -0.27, 0.12), lineStroke(0.2, -0.27, 0.2, -0.06, 0.1)],
      },
    ]
  const feet = [-0.075 - stride * 0.13, 0.075 + stride * 0.13]
  const [left, right] = [feet[0]!, feet[1]!]
  return [
    { colour: dark, strokes: feet.map(x => lineStroke(x, -0.025, x + 0.045, -0.025, 0.05)) },
    {
      colour: trousers,
      strokes: [lineStroke(-0.06, -0.45, left, -0.06, 0.1), lineStroke(0.06, -0.45, right, -0.06, 0.1)],
    },
  ]
}

function seat(): OutlinePart[] {
  const legs = [lineStroke(-0.13, -0.2, -0.13, -0.01, 0.03), lineStroke(0.12, -0.2, 0.12, -0.01, 0.03)]
  return [
    {
      colour: chair,
      strokes: [blockStroke(-0.15, -0.22, 0.15, -0.18), lineStroke(-0.14, -0.2, -0.14, -0.6, 0.035), ...legs],
    },
  ]
}

function head({ hair, hat }: Dressed): OutlinePart[] {
  const face: OutlinePart[] = [
    {
      colour: hair,
      strokes: [
        dotStroke(0, -0.895, 0.105),
        lineStroke(-0.085, -0.88, -0.085, -0.82, 0.04),
        lineStroke(0.085, -0.88, 0.085, -0.82, 0.04),
      ],
    },
    { colour: skin, strokes: [dotStroke(0, -0.87, 0.08)] },
    {
      bare: true,
      colour: dark,
      strokes: [
        dotStroke(-0.03, -0.885, 0.012),
        dotStroke(0.03, -0.885, 0.012),
        lineStroke(-0.025, -0.83, 0.025, -0.83, 0.012),
      ],
    },
  ]
  if (!hat) return face
  return [
    ...face,
    { colour: hat, strokes: [blockStroke(-0.09, -1.07, 0.09, -0.95), lineStroke(-0.15, -0.945, 0.15, -0.945, 0.04)] },
  ]
}

function lowered(parts: readonly OutlinePart[], by: number): OutlinePart[] {
  if (by === 0) return [...parts]
  const moved = ({ x, y }: PicturePoint) => pointAt(x, y + by)
  return parts.map(part => ({
    ...part,
    strokes: part.strokes.map(stroke =>
      'line' in stroke
        ? { ...stroke, line: [moved(stroke.line[0]), moved(stroke.line[1])] }
        : { ...stroke, area: stroke.area.map(moved) },
    ),
  }))
}

const wood: HexColour = '#6c4420'

// What a hand at this place holds, the parts behind first.
function heldAt(prop: Prop, { x, y }: PicturePoint): OutlinePart[] {
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
