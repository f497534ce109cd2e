import { z } from 'zod'
import { Span } from '../../../src/core/time.ts'

const phrases = z.array(z.string())

// What an answer must hold to be right, in a form that needs no model to check.
export const Expectation = z.discriminatedUnion('form', [
  // One phrase of each group is said, and no rival is given as the answer.
  z.object({ form: z.literal('words'), groups: z.array(phrases), rivals: phrases }),
  // Of two that the question names, the right one is named first, and no rival is given as the answer.
  z.object({ form: z.literal('which'), right: phrases, others: phrases, rivals: phrases }),
  // The number is the first one given; those that lie beside it in the video and those of the question do not count.
  z.object({ form: z.literal('number'), value: z.number(), beside: z.array(z.number()).optional() }),
  // The first moment it names lies in one of the spans, give or take the slack in seconds.
  z.object({ form: z.literal('moment'), spans: z.array(Span), slack: z.number() }),
  // All are named, for the first time in this order.
  z.object({ form: z.literal('order'), items: z.array(phrases) }),
  // At least this share of the parts is named.
  z.object({ form: z.literal('share'), parts: z.array(phrases), least: z.number() }),
  // It says that the video does not tell, and gives none of the rivals as the answer.
  z.object({ form: z.literal('abstain'), rivals: phrases }),
  // None of these is given as the answer, neither alone nor beside the right one.
  z.object({ form: z.literal('unsaid'), rivals: phrases, right: z.array(phrases).optional() }),
])
export type Expectation = z.infer<typeof Expectation>

// The kinds of question, each with the task and the difficulty that LongShOTBench would give it.
export const needleKinds = {
  'fact-spoken': { task: 'audio_understanding', difficulty: 1 },
  'fact-text': { task: 'information_retrieval', difficulty: 1 },
  'fact-picture': { task: 'entity_recognition', difficulty: 2 },
  when: { task: 'temporal_reasoning', difficulty: 2 },
  'before-after': { task: 'temporal_reasoning', difficulty: 3 },
  count: { task: 'quantitative_reasoning', difficulty: 4 },
  order: { task: 'event_understanding', difficulty: 4 },
  choice: { task: 'information_retrieval', difficulty: 2 },
  'said-while-shown': { task: 'audio_visual_alignment', difficulty: 3 },
  'shown-while-said': { task: 'multimodal_synthesis', difficulty: 3 },
  summary: { task: 'summarization', difficulty: 4 },
  absent: { task: 'cross_modal_verification', difficulty: 3 },
  'follow-up': { task: 'compositional_reasoning', difficulty: 3 },
  // Only where people are drawn.
  who: { task: 'entity_recognition', difficulty: 3 },
  why: { task: 'causal_reasoning', difficulty: 3 },
  compare: { task: 'comparative_analysis', difficulty: 4 },
  'multi-hop': { task: 'compositional_reasoning', difficulty: 5 },
}
export type NeedleKind = keyof typeof needleKinds

// A criterion of LongShOTBench's rubric; `expect` lets it be checked without a model. A penalty is met when nothing is violated.
const Criterion = z.object({
  name: z.string(),
  description: z.string(),
  category: z.enum(['high_priority', 'medium_priority', 'low_priority', 'penalty']),
  weight: z.number(),
  is_penalty: z.boolean(),
  expect: Expectation,
})
export type NeedleCriterion = z.infer<typeof Criterion>

const Modality = z.enum(['visual', 'audio', 'speech'])
export type NeedleModality = z.infer<typeof Modality>

// One question about one video, with all that is held to be true of it.
export const NeedleRecord = z.object({
  id: z.string(), // "needle-7-1_q03"
  video: z.string(), // file name
  kind: z.enum(Object.keys(needleKinds) as NeedleKind[]),
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
