import type { z } from 'zod'
import type { Answer, Question } from './agent.ts'
import type { ChatModel } from './chat.ts'
import type { Span } from './time.ts'

// One thing to ask of one video, with what is held to be true of it.
export interface Sample {
  id: string
  video: string // file name or path below the data folder
  question: Question
  reference?: string
  choice?: number // index of the right option, from 0
  clues?: Span[]
  turns?: { question: Question; reference: string }[] // the turns before this question, where it is a follow-up
  subtitles?: string // file name or path below the data folder
  groups: Record<string, string> // task, category, duration bucket: what the tables group by
  record: unknown // as the benchmark distributes it
}

export interface SampleRecord {
  sample: Sample
  answer?: Answer
  replies: Record<string, string | null> // raw, by task
  judge: Record<string, string | null> // raw, by step
  error?: string
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
}

export interface Grade {
  score: number | null // null: the judge gave no usable verdict
  raw: string | null
  rule: string // which parse rule fired
}

export interface Judge {
  name: string
  grade(sample: Sample, answer: string, chat?: ChatModel): Promise<Grade>
}

// One thing that is asked of a model about a sample, and the judge's steps after it.
export interface BenchmarkTask {
  name: string
  summary: string
  answer: 'choice' | 'intervals' | 'open'
  judge: string[] // names of the steps, in order; empty where no judge is needed
}

export interface ScoreInput {
  data?: string // the annotation file, or the folder that holds it
  replies: AsyncIterable<string> // JSON lines as they stand in the file
  scoring: Scoring
}

// A benchmark is records to samples and a score function.
export interface Benchmark {
  name: string
  summary: string
  home: string // where its makers publish it
  licence: string
  download: string[] // what a person fetches and where it goes, one line each
  chance: number | null // per cent, by guessing; null where it depends on the item or guessing is hopeless
  groupedBy: string[] // the ways its tables group; one: `groups` is keyed by value
  tasks: BenchmarkTask[]
  settings: z.ZodType
  samples(data: string, options: { split?: string; limit?: number }): AsyncIterable<Sample>
  score(input: ScoreInput): Promise<Scores>
}
