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
  choice?: number
  clues?: Span[]
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

export interface Scores {
  benchmark: string
  scoring: 'official' | 'strict'
  n: number
  metrics: Record<string, number | null>
  groups: Record<string, Record<string, unknown>>
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

// A benchmark is one file: records to samples, an existing judge, a score function.
export interface Benchmark {
  name: string
  summary: string
  home: string // where its makers publish it
  chance: number | null // per cent, by guessing
  settings: z.ZodType
  samples(data: string, options: { split?: string; limit?: number }): AsyncIterable<Sample>
  score(data: string | undefined, replies: AsyncIterable<unknown>, scoring: 'official' | 'strict'): Promise<Scores>
}
