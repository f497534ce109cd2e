import type { Span } from '../../../src/core/time.ts'
import type {
  Background,
  PaintedFigure,
  Scene,
  SceneSound,
  SceneVoice,
  ScreenText,
  Thing,
} from '../../../src/media/render/scene.ts'
import type { PeopleStory } from './people/people-story.ts'
import type { ThingColour } from './pools.ts'
import type { FactMaker, SpokenFact } from './spoken-facts.ts'

// What a video holds, to the frame: questions are made of nothing else. Spans are where it is seen or heard.
export interface NeedleStory {
  duration: number
  slides: Slide[] // in time order, as all lists are
  signs: Sign[]
  tickers: Ticker[]
  facts: SpokenLine[]
  sounds: Heard[]
  phrase: { words: string; spans: Span[] } // said several times
  makeFact: FactMaker // for what is not in the video
  people?: PeopleStory // only where people are drawn
}

export interface SlideItem {
  label: 'Budget' | 'Visitors' | 'Staff' | 'Room' | 'Opened' | 'Sponsor'
  value: string
}

export interface Slide {
  title: string
  items: SlideItem[]
  span: Span
}

export interface Things {
  shape: 'circle' | 'triangle' | 'square'
  colour: ThingColour
  count: number
}

export interface Sign {
  place: string // "HOTEL"
  name: string // "LUNA"
  things?: Things // shown beside it
  span: Span
}

export interface Ticker {
  city: string
  minutes: number
  span: Span
}

export interface SpokenLine {
  fact: SpokenFact
  voice: SceneVoice
  during?: { slide: string } | { sign: string } // its title or its place
  span: Span
}

export interface Heard {
  sound: CountedSound
  span: Span
}

export type CountedSound = Exclude<SceneSound, 'silence'>

export const countedSoundNames: Record<CountedSound, string> = {
  bell: 'bell',
  siren: 'siren',
  bark: 'barking dog',
  applause: 'applause',
  music: 'music',
  beep: 'beep',
  knock: 'knocking',
}

// A stretch of a video that is one scene: what is seen all through it, and what is heard in it.
export interface Segment {
  background: Background
  opens: Scene['opens']
  texts: ScreenText[]
  things: Thing[]
  figures?: PaintedFigure[]
  heard?: HeardItem
  seconds: number // minimum; longer where what is heard needs it
  placed?(seen: Span, heard: Span): void // called when the segment has its place; without sound both are the same
}

export type HeardItem =
  | { kind: 'speech'; text: string; voice: SceneVoice }
  | { kind: 'sound'; sound: CountedSound; seconds: number; seed: number }
