import { seededRandom } from '../../src/core/basics/numbers.ts'
import { type ColourName, type HairName, hairColours, sceneColours } from '../../src/media/render/colours.ts'
import {
  type Doing,
  doings,
  type FigureShape,
  type PaintedFigure,
  type Prop,
  props,
  type Scene,
  type ScenePlace,
  type ScreenText,
  type Script,
  scenePlaces,
  type Thing,
} from '../../src/media/render/scene.ts'

// Scripts of drawn videos, written short.

export interface Person {
  who: string
  top: ColourName
  trousers?: ColourName
  hair?: HairName
  hat?: ColourName
  holds?: Prop
  doing?: Doing
  x?: number
  size?: number
  from?: number
  to?: number
}

export function drawn(scenes: Scene[]): Script {
  return { title: 'drawn', width: 640, height: 360, fps: 25, scenes, cues: [] }
}

interface Drawn {
  place?: ScenePlace
  people?: Person[]
  texts?: string[]
  things?: { shape: FigureShape; colour: ColourName; count: number }
  seconds?: number
}

export function drawnScene({ place, people = [], texts = [], things, seconds = 10 }: Drawn): Scene {
  return {
    frames: seconds * 25,
    opens: { kind: 'cut' },
    background: place ? { kind: 'place', place, seed: 1 } : { kind: 'plain', colour: '#303030' },
    texts: texts.map(
      (text, row): ScreenText => ({ text, size: 0.08, at: { x: 0.05, y: 0.04 + row * 0.1 }, colour: '#ffffff' }),
    ),
    things: things ? inRow(things) : [],
    figures: people.map(figure),
  }
}

function figure({
  top,
  trousers = 'blue',
  hair = 'brown',
  hat,
  doing = 'stands',
  x = 0.5,
  size = 0.6,
  ...rest
}: Person): PaintedFigure {
  const feet = { x, y: 0.95 }
  return {
    ...rest,
    top: sceneColours[top],
    trousers: sceneColours[trousers],
    hair: hairColours[hair],
    ...(hat && { hat: sceneColours[hat] }),
    doing,
    size,
    path: [feet, feet],
  }
}

function inRow({ shape, colour, count }: { shape: FigureShape; colour: ColourName; count: number }): Thing[] {
  return Array.from({ length: count }, (_, i) => {
    const at = { x: (i + 0.5) / count, y: 0.5 }
    return { shape, colour: sceneColours[colour], size: 0.15, path: [at, at] }
  })
}

// Many scenes of ten seconds, three people each, all that can be drawn dealt by the seed.
export function crowded(scenes: number, seed = 1): Script {
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const names = Object.keys(sceneColours) as ColourName[]
  const hairs = Object.keys(hairColours) as HairName[]
  return drawn(
    Array.from({ length: scenes }, (_, nth) =>
      drawnScene({
        place: pick(scenePlaces),
        texts: [`line ${nth}`, `row ${nth}`],
        things: { shape: 'circle', colour: pick(names), count: 2 },
        people: [0.2, 0.5, 0.8].map((x, at) => ({
          ...{ who: `person ${nth}-${at}`, x, top: pick(names), trousers: pick(names), hair: pick(hairs) },
          ...{ hat: pick(names), holds: pick(props), doing: pick(doings) },
        })),
      }),
    ),
  )
}
