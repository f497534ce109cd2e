import type { Question } from '../../src/core/agent.ts'
import type { Span } from '../../src/core/time.ts'

// One thing to ask of one video, with what is held to be true of it.
export interface Sample<Item = unknown> extends SampleVideo {
  id: string
  longId?: string // what it is called where two samples of the data share an id
  question: Question
  reference?: string
  choice?: number // index of the right option, from 0
  key?: string // the right option as the data state it, even if it is none of the options
  clues?: Span[]
  turns?: { question: Question; reference: string; id?: string }[] // the turns before this question; id: of the sample that asks it
  groups: Record<string, string> // task, category, duration bucket: what the tables group by
  modalities?: string[] // what the question is about, as the data tag it
  record: Item // as the benchmark reads it
}

// Which video a question is about.
interface SampleVideo {
  video: string // file name or path below the data folder
  address?: string // where the data say that the video came from
  cut?: { video: string; spans: Span[]; subtitles?: string } // what `video` is a clip of, where it is asked only about its clues
  subtitles?: string // file name or path below the data folder
  stated?: number // seconds that the video lasts, as the data say
  about?: SampleAbout // what is known about the video
}

export interface SampleAbout {
  title?: string
  genre?: string
  year?: number
  season?: number
  episode?: number
}

// `official` is equal to the released scorer, quirks and denominators included; in `strict` every record of the split counts.
export type Scoring = 'official' | 'strict'

export interface Scores {
  benchmark: string
  scoring: Scoring
  n: number
  metrics: Record<string, number | null>
  // By value ("VC") where the benchmark groups in one way, by way and value where it groups in several.
  groups: Record<string, Record<string, unknown>>
  // What the official scorer leaves out, or what strict scoring counts as wrong for want of a usable reply.
  excluded: { id: string; reason: string }[]
  unjudged: string[] // tasks whose answers no judge has judged: their metrics are null
  notes: string[] // what a reader must know before believing the numbers
}

// The length and the tags that many records carry under the same names.
export function statedIn(record: unknown): Pick<Sample, 'stated' | 'modalities'> {
  const { duration, modalities } = (typeof record === 'object' && record !== null ? record : {}) as Record<
    string,
    unknown
  >
  const stated = Number(duration)
  const tags = Array.isArray(modalities) ? modalities.filter(tag => typeof tag === 'string') : []
  return { ...(Number.isFinite(stated) && stated > 0 && { stated }), ...(tags.length > 0 && { modalities: tags }) }
}

// The questions that are made of the records of a split.
export interface SampleSource<Item = unknown> {
  samples(record: Item, place: number): Sample<Item>[] // one, or one for each turn of a conversation
  leftOut?(record: Item, place: number): LeftOut[] // what these settings do not ask
}

// A question of the data that is not asked under the settings of a run: it counts in no score, and is listed.
export interface LeftOut {
  id: string
  reason: string
}
