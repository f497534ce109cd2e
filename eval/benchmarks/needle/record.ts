import { z } from 'zod'
import { Expectation } from './expectation.ts'

export const needleKinds = [
  'fact-spoken',
  'fact-text',
  'fact-picture',
  'when',
  'before-after',
  'count',
  'order',
  'choice',
  'said-while-shown',
  'shown-while-said',
  'summary',
  'absent',
  'follow-up',
] as const
export const NeedleKind = z.enum(needleKinds)
export type NeedleKind = z.infer<typeof NeedleKind>

// A criterion of LongShOTBench's rubric; `expect` lets it be checked without a model. A penalty is met when nothing is violated.
export const Criterion = z.object({
  name: z.string(),
  description: z.string(),
  category: z.enum(['high_priority', 'medium_priority', 'low_priority', 'penalty']),
  weight: z.number(),
  is_penalty: z.boolean(),
  expect: Expectation,
})
export type Criterion = z.infer<typeof Criterion>

export const Modality = z.enum(['visual', 'audio', 'speech'])
export type Modality = z.infer<typeof Modality>

// One question about one video, with all that is held to be true of it.
export const NeedleRecord = z.object({
  id: z.string(), // "needle-7-1_q03"
  video: z.string(), // file name
  kind: NeedleKind,
  turns: z.array(z.object({ question: z.string(), answer: z.string() })), // asked before, with their reference answers
  question: z.string(),
  answer: z.string(),
  expect: Expectation,
  criteria: z.array(Criterion),
  choices: z.array(z.string()),
  right_answer: z.string(), // "A".."E"
  clue_intervals: z.array(z.tuple([z.number().min(0), z.number().min(0)])), // seconds; none for what is not in the video
  modalities: z.array(Modality),
  duration: z.number(),
})
export type NeedleRecord = z.infer<typeof NeedleRecord>

export const notInVideo = 'The video does not say.'
