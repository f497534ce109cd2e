import type { Span } from '../../../../src/core/time.ts'
import type { ColourName, HairName } from '../../../../src/media/render/colours.ts'
import type { Doing, Prop, ScenePlace, SceneVoice } from '../../../../src/media/render/scene.ts'
import type { Reason } from './pools.ts'

// Who is in a video, and where. Nobody is at a place twice, and no two people hold the same thing at one place.
export interface PeopleStory {
  people: CastMember[]
  sightings: Appearance[] // in time order, as all lists but the people are
  introductions: Introduction[] // one for each person
  sayings: Saying[]
  reasons: StoryFact[]
}

// Clothes stay the same all through a video. Some share the colour of their shirts, nobody shares trousers.
export interface CastMember {
  name: string
  first: string
  last: string
  job: string
  voice: SceneVoice
  hair: HairName
  top: ColourName
  trousers: ColourName
  hat?: ColourName
}

export interface Appearance {
  person: CastMember
  place: ScenePlace
  holds?: Prop
  doing: Doing
  as: 'introduced' | 'speaker' | 'seen'
  span: Span
}

// The only moment at which a name and a face come together.
export interface Introduction {
  person: CastMember
  by: 'speech' | 'text'
  span: Span
}

export interface Saying {
  person: CastMember
  words: string
  place: ScenePlace
  span: Span
}

// Said while nobody is seen.
export interface StoryFact {
  person: CastMember
  reason: Reason
  span: Span
}
