import type { Background, HexColour, PicturePoint, Scene, ScreenText, Thing } from '../../../src/media/render/scene.ts'
import { pick, whole } from '../../data/deck.ts'
import * as pool from './pools.ts'
import type { Segment, SlideItem, Things } from './story.ts'

type Random = () => number
type Rest = Pick<Segment, 'heard' | 'placed'>

// A title above, lines below, in one of several looks, sizes and strengths of ink.
export function slideSegment(title: string, items: readonly SlideItem[], rest: Rest, random: Random): Segment {
  const look = pick(pool.slideLooks, random)
  const size = pick([0.1, 0.085, 0.07], random)
  const ink = pick(look.inks, random)
  const heading: ScreenText = { text: title, size: 0.1, at: { x: 0.05, y: 0.03 }, colour: '#ffffff', bold: true }
  const lines = items.map(
    ({ label, value }, row): ScreenText => ({
      text: `${label}: ${value}`,
      size,
      at: { x: 0.08, y: 0.26 + row * 0.17 },
      colour: ink,
    }),
  )
  return {
    ...base(random),
    ...rest,
    background: { kind: 'slide', paper: look.paper, bar: look.bar },
    texts: [heading, ...lines],
    seconds: whole(6, 9, random),
  }
}

// A sign in front of a grey field, alone or with some things of one shape and colour.
export function signSegment(text: string, things: Things | undefined, rest: Rest, random: Random): Segment {
  const behind = pick(['#a01c24', '#1c4c88', '#146434', '#303030'] as HexColour[], random)
  const sign: ScreenText = {
    text,
    size: pick([0.15, 0.12, 0.09], random),
    at: { x: 0.08 + random() * 0.2, y: 0.1 },
    colour: pick(['#ffffff', '#e0e0e0'] as HexColour[], random),
    behind,
    bold: true,
  }
  return {
    ...base(random),
    ...rest,
    background: { kind: 'gradient', colours: ['#8c8c8c', '#c0c0c0'], drift: things ? 0 : 0.02 },
    texts: [sign],
    things: things ? row(things, random) : [],
    seconds: whole(5, 8, random),
  }
}

// Two or more side by side, slowly moving together.
function row({ shape, colour, count }: Things, random: Random): Thing[] {
  const drift = (random() - 0.5) * 0.08
  const enters = whole(10, 40, random) // a moment after the sign
  return Array.from({ length: count }, (_, i) => {
    const from: PicturePoint = { x: 0.12 + (i * 0.76) / (count - 1), y: 0.62 }
    const size = Math.min(0.24, 0.9 / count)
    const path: Thing['path'] = [from, { x: from.x + drift, y: from.y + 0.08 }]
    return { shape, colour: pool.thingColours[colour], size, path, from: enters }
  })
}

// A line that runs through below a landscape.
export function tickerSegment(text: string, rest: Rest, seconds: number, random: Random): Segment {
  const ticker: ScreenText = {
    text,
    size: 0.085,
    at: { x: 1, y: 0.86 },
    slide: { x: -1.9 / seconds, y: 0 },
    colour: '#ffffff',
    behind: '#101010',
  }
  return { ...base(random), ...rest, background: landscape(random), texts: [ticker], seconds }
}

// Something to look at while something is heard.
export function viewSegment(rest: Rest, seconds: number, random: Random): Segment {
  return { ...base(random), ...rest, background: view(random), seconds }
}

// A line of text that no question is about.
export function cardSegment(text: string, seconds: number, random: Random): Segment {
  const line: ScreenText = { text, size: 0.07, at: { x: 0.06, y: 0.42 }, colour: '#d0d0d0' }
  return { ...base(random), background: { kind: 'plain', colour: '#202428' }, texts: [line], seconds }
}

function base(random: Random): Omit<Segment, 'background' | 'seconds'> {
  return { opens: opening(random), texts: [], things: [] }
}

export function opening(random: Random): Scene['opens'] {
  return random() < 0.25 ? { kind: 'dissolve', frames: whole(8, 20, random) } : { kind: 'cut' }
}

function view(random: Random): Background {
  if (random() < 0.75) return landscape(random)
  const [dark, , bright] = pick(pool.landscapes, random)
  return { kind: 'gradient', colours: [dark, bright], drift: 0.04 }
}

function landscape(random: Random): Background {
  const corner = (): PicturePoint => ({ x: random(), y: random() })
  return {
    kind: 'texture',
    seed: whole(1, 1_000_000, random),
    colours: pick(pool.landscapes, random),
    from: corner(),
    to: corner(),
  }
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
