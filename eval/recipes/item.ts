import type { ChatModel } from '../../src/core/chat.ts'
import type { Box, Track } from '../../src/core/evidence.ts'
import type { Span } from '../../src/core/time.ts'

// What passes between the stages of a making and its checks.

export type ItemInterval = [start: number, end: number]

export const toSpans = (intervals: readonly ItemInterval[]): Span[] => intervals.map(([start, end]) => ({ start, end }))
export const toIntervals = (spans: readonly Span[]) => spans.map(({ start, end }): ItemInterval => [start, end])

// A row of the index, as drafts and checks cite it.
export interface SourceRow {
  id: string
  track: Track
  span: Span
  text: string
  confidence?: number
  speaker?: string
}

// One video as a recipe sees it: LongShOT's caption form, with the rows that each segment rests on.
export interface SourceRecord {
  video_id: string // "talk"
  video: string // file name in the set
  mute?: true // it has no sound at all
  absent?: true // its file is not there, and what was adopted says all that is known of it
  segments: SourceSegment[]
  statistics: { segments: number; duration: number; fps: number; frames: number; rows: number }
  meta: {
    title?: string
    genre?: string
    year?: number
    summary?: string
    source?: string
    licence?: string
    language?: string
    categories?: string[]
  }
  rows: SourceRow[] // by time
  texts?: SourceRow[] // what people wrote of it: pages of its script, its summary, questions and answers; without a time
  sightings?: Sightings // where the recipe wants them
}

// Where those are seen whose pictures were given.
export interface Sightings {
  key: string // of all that they depend on
  by: Record<SightRole, string> // "detect/owl"; "off"
  people: ItemSighting[] // none if a role is off
}

export const sightRoles = ['faces', 'detect', 'embedImage'] as const
export type SightRole = (typeof sightRoles)[number]

export interface ItemSighting {
  name: string
  appears: ItemInterval[]
  looks: { time: number; box: Box }[] // by time: the whole person, each unlike the one before
}

export interface SourceSegment {
  segment_index: number
  temporal: { start: number; end: number; duration: number }
  multimodal_description: string
  key_events: string[]
  modalities: { speech: string; visual: string; audio_environment: string }
  rows: string[] // ids
}

// A question on its way into the set. Times are seconds; `rows` and `clues` say what it rests on.
export interface DraftItem {
  id: string // "talk_q07": video and place
  video: string // video_id of its source record
  kind: string // sub_category, task or type, as the recipe names it
  question: string
  answer: string // the text of the right option, or the reference
  options?: string[] // without letters
  right?: number // place of the answer among the options
  clues: ItemInterval[]
  rows: string[]
  events?: Events // what its answer rests on, where people can say of each when it happens
  extra: Record<string, unknown> // what the form of the recipe needs
}

// "talk_q07": of the questions of a video the seventh.
export function draftItemId(video: string, at: number, digits = 2): string {
  return `${video}_q${String(at + 1).padStart(digits, '0')}`
}

export interface Events {
  of: string // the list that they are of: the same name in another question of the video means the same events
  list: string[] // in the order that the answer gives them, each another
}

// reject: it leaves the set; again: its author may write it once more, with the detail as the reason; flag: people see it first.
export type CheckOutcome = 'pass' | 'reject' | 'again' | 'flag'

export interface CheckVerdict {
  item: string
  outcome: CheckOutcome
  detail?: string // names the words or the value at fault
  right?: number // what share of these was right
  replies?: (string | null)[] // of a model, in the order of the requests; they are kept in made/
}

// A rule that every item of a set is held to. Its verdicts do not depend on the order of the items, and a stricter threshold
// leaves a subset of the survivors.
export interface ItemCheck {
  k: number // as cards and files number it: 1 to 18; 0: a filter of one recipe
  name: string // "blind": as cards, funnels and rejected.jsonl name it
  scope?: 'set' // it is about the whole set, and sees it after all filters, with its letters dealt
  warnsOfGuessing?: true // its warnings say that the options by themselves give answers away
  role?: MakeRole // whose model it asks; it is not run, and the card says so, where nobody fills the role
  optionalRole?: MakeRole // whose model it asks where somebody fills the role; without, only its rules decide
  calls?(items: readonly DraftItem[], given: CheckGiven): number // of `role` or `optionalRole`, exactly where nothing is rejected or repeated
  judged?(items: readonly DraftItem[], given: CheckGiven): number // further calls, of make.judge, as exactly
  run(items: readonly DraftItem[], given: CheckGiven): Promise<CheckVerdict[]> // one for each item, in any order
  // What holds of the whole set and of no single item: a line for the card each.
  warnings?(items: readonly DraftItem[], given: CheckGiven): string[]
}

export const makeRoles = ['author', 'look', 'listen', 'blind', 'glance', 'check', 'judge'] as const
export type MakeRole = (typeof makeRoles)[number]

// What a recipe fixes and its checks hold it to.
export interface RecipeRules {
  names?: Readonly<Record<string, readonly string[]>> // closed lists: of "kind", and of keys of `extra`
  criteria?: readonly string[] // names of rubric criteria that a reply shall meet
  penalties?: Readonly<Record<string, string>> // names of penalties, and the sentence of each
  wordings?: readonly string[] // of its own questions: their words claim nothing of a video
  timed?: readonly string[] // kinds whose questions may name a clock time
  computed?: readonly string[] // kinds whose answers are counted or measured from rows and stand in none
  lookFirst?: readonly string[] // kinds that go wrong most: people see them before the others
  excluded?: readonly string[] // ids of items and videos that are held out
  together?: string // key of `extra`: items that share its value stay or go together
}

export interface CheckGiven {
  seed: number
  rules?: RecipeRules
  thresholds: Record<string, number> // of this check, by the names that its recipe gives; its own defaults where left out
  record(video: string): SourceRecord // RangeError for a video that the set lacks
  models(role: MakeRole): readonly ChatModel[] // recorded, budgeted and replayed; empty where the role is off
  frames(video: string, times: readonly number[]): Promise<Uint8Array[]> // JPEG
  embed?(texts: readonly string[]): Promise<Float32Array[]> // unit vectors; left out if `embedText` is off
  signal: AbortSignal
}
