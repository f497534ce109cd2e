import type { Track } from '../../core/evidence.ts'
import type { Span } from '../../core/time.ts'
import type { Anchor } from './anchor.ts'
import type { Topic } from './topic.ts'
import type { Wants } from './wants.ts'

export type QuestionKind =
  | 'fact'
  | 'about' // what was said or shown about a thing
  | 'contents' // what is written, said or heard, without a thing named
  | 'when'
  | 'count' // how many times
  | 'count-units' // how many slides, shots, sounds
  | 'order'
  | 'neighbour' // what comes before or after
  | 'during' // what is there while something else is
  | 'at-time'
  | 'presence'
  | 'summary'
  | 'speaking' // who speaks most, how long each
  | 'picture' // only a look at the picture tells

export type CountedUnit = 'slide' | 'shot' | 'sound' | 'line' | 'speaker'

// A question as the rules understand it.
export interface ParsedQuestion extends QuestionMoment, QuestionSpeaker {
  text: string
  main: string // without its anchor and its times
  kind: QuestionKind
  topic: Topic
  earlier: Topic // of the turn before, where this one leans on it
  prior: string[] // the rows that the turn before rested on, where this one leans on it
  wants: Wants
  unit?: CountedUnit
  items: string[]
  yesNo: boolean
  excluded: boolean // "which of these is NOT"
}

// Where in the video the answer lies, as far as the question says it.
interface QuestionMoment {
  tracks: Track[] // where the answer lies; empty: anywhere
  anchor?: Anchor
  span?: Span
  moment?: number
  nth?: number | 'last'
}

// Whose words are asked for.
interface QuestionSpeaker {
  speaker?: string // whose words are asked for: "what does Tom say"
  speakerNumber?: number // "the second speaker", whether or not the index knows one
}
