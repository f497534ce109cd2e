import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { truthAt } from '../../../tests/simulated-sight/truth.ts'
import { hairColours, sceneColours } from './colours.ts'
import { type Planes, toYuv } from './planes.ts'
import {
  type Doing,
  doings,
  type PaintedFigure,
  props,
  type Scene,
  type ScenePlace,
  type Script,
  scenePlaces,
} from './scene.ts'
import { scenePainter } from './scene-painter.ts'

const size = { width: 320, height: 180, fps: 25 }
const person: PaintedFigure = {
  who: 'Diane Miller',
  hair: hairColours.brown,
  top: sceneColours.red,
  trousers: sceneColours.blue,
  doing: 'stands',
  size: 0.6,
  path: [
    { x: 0.5, y: 0.9 },
    { x: 0.5, y: 0.9 },
  ],
}
const scene = (figures: PaintedFigure[], place: ScenePlace = 'kitchen', seed = 1): Scene => ({
  frames: 60,
  opens: { kind: 'cut' },
  background: { kind: 'place', place, seed },
  texts: [],
  things: [],
  figures,
})
const painted = async (scene: Scene, frame = 0) => (await scenePainter(scene, size)).paint(frame)

describe('people', () => {
  test('are painted exactly within the box that the truth tells, whatever they do, hold and wear', async () => {
    for (const [i, doing] of doings.entries())
      for (const frame of [0, 5, 13]) {
        const figure: PaintedFigure = {
          ...person,
          doing,
          holds: props[i + (frame % 2)],
          ...(i % 2 && { hat: sceneColours.pink }),
        }
        const script: Script = { title: doing, ...size, scenes: [scene([figure])], cues: [] }
        const box = truthAt(script, frame / size.fps).figures[0]!.box
        const found = changed(await painted(scene([]), frame), await painted(scene([figure]), frame))
        const edges = [box.x * 320, box.y * 180, (box.x + box.width) * 320, (box.y + box.height) * 180]
        for (const [side, edge] of edges.entries())
          expect(Math.abs(found[side]! - edge), `${doing} ${side}`).toBeLessThan(4)
      }
  })

  test('wear the colours of the script, in every place', async () => {
    for (const [i, [name, top]] of Object.entries(sceneColours).entries())
      for (const place of [scenePlaces[i % 6]!, scenePlaces[(i + 3) % 6]!]) {
        const picture = await painted(scene([{ ...person, top, hat: top, holds: undefined }], place))
        expect(colourAt(picture, 160, 162 - 0.6 * 108), `${name} top, ${place}`).toEqual(toYuv(top))
        expect(colourAt(picture, 160, 162 - 1.01 * 108), `${name} hat, ${place}`).toEqual(toYuv(top))
        expect(colourAt(picture, 160 - 0.07 * 108, 162 - 0.25 * 108)).toEqual(toYuv(person.trousers))
      }
  })

  test('who walks, waves or jumps moves; who stands or sits is painted once', async () => {
    const states = async (doing: Doing) => {
      const painter = await scenePainter(scene([{ ...person, doing }]), size)
      const frames = Array.from({ length: 60 }, (_, frame) => frame)
      const pictures = new Set(frames.map(frame => digest([painter.paint(frame)])))
      expect(new Set(frames.map(painter.stateAt)).size).toBeGreaterThanOrEqual(pictures.size)
      return pictures.size
    }
    for (const doing of ['walks', 'waves', 'jumps'] as const) expect(await states(doing)).toBeGreaterThan(2)
    for (const doing of ['stands', 'sits'] as const) expect(await states(doing)).toBe(1)
  })

  test('look different with each thing in the hand', async () => {
    const pictures = await Promise.all([undefined, ...props].map(holds => painted(scene([{ ...person, holds }]))))
    expect(new Set(pictures.map(picture => digest([picture]))).size).toBe(props.length + 1)
  })
})

test('every place fills the picture, looks unlike the others, and varies with its seed', async () => {
  const seen = new Set<string>()
  for (const place of scenePlaces)
    for (const seed of [1, 2, 3, 4]) {
      const picture = await painted(scene([], place, seed))
      expect(Math.min(...picture.y), place).toBeGreaterThanOrEqual(16)
      expect(Math.min(...picture.u), place).toBeGreaterThan(30)
      seen.add(digest([picture]))
    }
  expect(seen.size).toBe(scenePlaces.length * 4)
})

// Left, upper, right and lower edge of what differs.
function changed(a: Planes, b: Planes): number[] {
  const at = [...a.y.keys()].filter(i => a.y[i] !== b.y[i])
  const [columns, rows] = [at.map(i => i % a.width), at.map(i => Math.floor(i / a.width))]
  return [Math.min(...columns), Math.min(...rows), Math.max(...columns) + 1, Math.max(...rows) + 1]
}

function colourAt(picture: Planes, x: number, y: number): number[] {
  const [column, row] = [Math.round(x), Math.round(y)]
  const half = Math.floor(row / 2) * (picture.width / 2) + Math.floor(column / 2)
  return [picture.y[row * picture.width + column]!, picture.u[half]!, picture.v[half]!]
}

function digest(pictures: readonly Planes[]): string {
  const hash = createHash('sha256')
  for (const { bytes } of pictures) hash.update(bytes)
  return hash.digest('hex')
}
