import { type ColourName, type HairName, hairColours, sceneColours } from '../../src/media/render/colours.ts'
import {
  type Doing,
  doings,
  type FigureShape,
  type Prop,
  props,
  type ScenePlace,
  scenePlaces,
} from '../../src/media/render/scene.ts'

// What a question about frames asks for, and what it says of the person, thing or place that it means.

type Feature = 'top' | 'trousers' | 'hair' | 'hat'

export interface SightQuestion {
  wants: 'colour' | 'looks' | 'holds' | 'does' | 'place' | 'count' | 'text' | 'who' | 'whether' | 'all'
  part?: Feature // whose colour is wanted
  word?: string // as the question calls it: "coat"
  shape?: FigureShape // things that it is about
  person: {
    top?: ColourName
    trousers?: ColourName
    hair?: HairName
    hat?: ColourName | 'any' | 'none'
    holds?: Prop
    does?: Doing
    name?: string
  }
  place?: ScenePlace
  quoted: string[]
}

const garments: Record<Feature, string[]> = {
  top: ['coat', 'jacket', 'shirt', 't-shirt', 'top', 'sweater', 'pullover', 'jumper', 'blouse'],
  trousers: ['trousers', 'pants', 'jeans'],
  hair: ['hair'],
  hat: ['hat', 'cap'],
}
const shapes: FigureShape[] = ['circle', 'square', 'triangle', 'diamond', 'ring', 'cross']

const verbs: Record<Doing, string> = {
  stands: 'stand(?:s|ing)?',
  walks: 'walk(?:s|ing)?',
  waves: 'wav(?:e|es|ing)',
  sits: 'sit(?:s|ting)?',
  jumps: 'jump(?:s|ing)?',
}

export function readQuestion(question: string, names: readonly string[]): SightQuestion {
  const quoted = [...question.matchAll(/["“]([^"”]+)["”]/g)].map(([, text]) => text!)
  const text = question.replace(/["“][^"”]+["”]/g, ' ').toLowerCase()
  const placeAsked = scenePlaces.find(one => word(one).test(text))
  const wants = readWants(text)
  const shape = shapes.find(one => word(`${one}(?:s|es)?`).test(text))
  const garment = wants === 'colour' && !shape ? garmentAsked(text) : undefined
  return {
    wants,
    ...garment,
    ...(shape && { shape }),
    ...(placeAsked && { place: placeAsked }),
    quoted,
    person: {
      ...wornIn(text, garment?.part),
      ...nameIn(question, names),
      ...(wants !== 'holds' && findEntry('holds', props, one => word(`${one}s?`).test(text))),
      ...(wants !== 'does' && findEntry('does', doings, one => word(verbs[one]).test(text))),
    },
  }
}

// The first that fits says what is wanted.
const wishes: [SightQuestion['wants'], RegExp][] = [
  ['count', /\bhow many\b/],
  ['colour', /\b(?:what|which)(?: is| are| was)?(?: the)? colou?rs?\b/],
  [
    'who',
    /^\W*(?:and |but )?(?:who|whose|whom)\b|\bwhich (?:person|man|woman|of the (?:two|people))\b|\bwhat is the name of\b/,
  ],
  ['place', /^\W*where\b|\b(?:what|which) (?:kind of )?(?:place|room|location|setting|scene)\b/],
  ['text', /\b(?:what|which)\b.*\b(?:written|text|reads?|says?|sign|caption|name is on)\b/],
  ['holds', /\bwhat\b.*\b(?:hold(?:s|ing)?|held|carr(?:y|ies|ying|ied)|in (?:the|their|his|her) hands?)\b/],
  ['looks', /\bwhat\b.*\b(?:wear(?:s|ing)?|dressed|clothes|looks? like)\b/],
  ['does', /\bwhat\b.*\b(?:does|do|doing|did|happens)\b/],
  ['whether', /^\W*(?:is|are|was|were|does|do|did|has|have|can)\b/],
]

function readWants(text: string): SightQuestion['wants'] {
  return wishes.find(([, pattern]) => pattern.test(text))?.[0] ?? 'all'
}

// "What colour is the coat of the person in the green hat": the first garment that has no colour yet.
function garmentAsked(text: string): { part: Feature; word: string } | undefined {
  const after = text.slice(Math.max(0, text.search(/colou?r/)))
  const named = (Object.keys(garments) as Feature[]).flatMap(part =>
    garments[part].flatMap(name => {
      const at = after.search(word(name))
      return at >= 0 && !new RegExp(`\\b(?:${colourWords})[- ]${name}\\b`).test(after) ? [{ part, word: name, at }] : []
    }),
  )
  const [first] = named.sort((a, b) => a.at - b.at)
  return first && { part: first.part, word: first.word }
}

const colourWords = [...new Set([...Object.keys(sceneColours), ...Object.keys(hairColours), 'blonde', 'gray'])].join(
  '|',
)

function wornIn(text: string, asked: Feature | undefined): SightQuestion['person'] {
  const worn: SightQuestion['person'] = {}
  for (const part of Object.keys(garments) as Feature[]) {
    const names = garments[part].join('|')
    const colour = new RegExp(`\\b(${colourWords})[- ](?:${names})`).exec(text)?.[1]
    if (colour && part === 'hair') worn.hair = (colour === 'blonde' ? 'blond' : colour) as HairName
    else if (colour && part !== 'hair') worn[part] = (colour === 'gray' ? 'grey' : colour) as ColourName
  }
  if (worn.hat === undefined && asked !== 'hat') {
    if (/\b(?:no|without an?) (?:hat|cap)\b/.test(text)) worn.hat = 'none'
    else if (/\b(?:a|an|any|the) (?:hat|cap)\b/.test(text)) worn.hat = 'any'
  }
  return worn
}

// A name of somebody in the video, whole or the first one alone.
function nameIn(question: string, names: readonly string[]): { name?: string } {
  const name =
    names.find(one => word(one).test(question)) ?? names.find(one => word(one.split(' ')[0] ?? one).test(question))
  return name === undefined ? {} : { name }
}

function findEntry<Key extends string, Value>(
  key: Key,
  all: readonly Value[],
  fits: (one: Value) => boolean,
): Partial<Record<Key, Value>> {
  const value = all.find(fits)
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}

function word(pattern: string): RegExp {
  return new RegExp(`\\b(?:${pattern})\\b`, 'i')
}
