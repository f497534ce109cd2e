import { z } from 'zod'
import type { Spread } from '../../recipes/checks/spread.ts'
import type { Events, ItemInterval } from '../../recipes/item.ts'
import { type EventMark, Intervals, type ReviewLine } from './verdict.ts'

// What passes between a page of people's work (eval/page) and whoever gives it.

export interface PageVideo {
  id: string
  duration: number
  there: boolean
  pictures: boolean
  type?: string // of what a browser may play
  src?: string
  stills?: [time: number, src: string][] // where no server makes them
}

// What the script of the page (eval/page/review.tsx) begins with.
export interface ReviewData {
  mode: 'served' | 'static'
  set: string // its canary
  reviewer?: string | undefined
  videos: readonly PageVideo[]
  items?: readonly ItemView[] | undefined // of the static page
  kinds: readonly string[]
  reasons: readonly string[]
  total: number
  flagged: boolean // whether some are
}

// An item as the page shows it: the first part before the answer is given, `key` afterwards.
export interface ItemView {
  id: string
  hash: string
  video: string // id
  kind: string
  flags: string[]
  turns: string[] // of its conversation, before the question
  question: string
  options?: string[]
  key: KeyView
  before?: ReviewLine // what this reviewer said, where it was taken back
}

interface KeyView {
  answer: string
  right?: number
  clues: ItemInterval[]
  rows: RowView[]
  more: [name: string, text: string][]
  events?: EventsView
}

// What this reviewer said of them in this question or another.
interface EventsView extends Events {
  marks: Record<string, EventMark>
}

export interface RowView {
  start: number
  end: number
  text: string
  cited: boolean
}

export interface ReviewStep {
  item?: ItemView // undefined: nothing is left
  done: number // that this reviewer has said something of
  left: number // for this reviewer
  total: number
}

// What the script of the page (eval/page/write.tsx) begins with.
export interface PeopleData {
  set: string // its canary
  reviewer: string
  videos: readonly PageVideo[]
  negatives: number // at most
  types: readonly { name: string; kind: string; asks: string }[]
}

export interface PeopleStep {
  own: number // that this person wrote
  total: number // in the set, with those of its making
  spread: Spread
}

const text = z.string().trim().max(2000)

// What the page has of a question, whole or not.
export const WrittenDraft = z.strictObject({
  video: z.string(),
  type: z.string(),
  question: text,
  answer: text,
  negatives: z.array(text).max(7),
  clues: Intervals,
  seconds: z.number().min(0).default(0),
})
export type WrittenDraft = z.infer<typeof WrittenDraft>

interface WrittenCheck {
  check: string
  k: number
  detail: string
}

export interface Checked {
  faults: WrittenCheck[] // while there is one, the question is not taken
  doubts: WrittenCheck[] // a second person sees the question first
  set: string[] // what holds of the whole set with this question
  spread: Spread
}
