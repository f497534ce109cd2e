import type { Background, Scene, ScreenText, Thing, Voice } from '../../../src/core/scene.ts'
import type { Span } from '../../../src/core/time.ts'
import type { CountedSound } from './story.ts'

// A stretch of a video that is one scene: what is seen all through it, and what is heard in it, one after another.
export interface Segment {
  background: Background
  opens: Scene['opens']
  texts: ScreenText[]
  things: Thing[]
  heard: HeardItem[]
  seconds: number // at least; longer where what is heard needs it
  placed(place: Placed): void // told when it has its place
}

export type HeardItem =
  | { kind: 'speech'; text: string; voice: Voice }
  | { kind: 'sound'; sound: CountedSound; seconds: number; seed: number }

export interface Placed {
  seen: Span
  heard: Span[] // one for each item
}
