import { z } from 'zod'
import { Answer, Question, Step, StopReason } from '../../src/core/agent.ts'
import { Usage } from '../../src/core/chat.ts'
import { Track } from '../../src/core/evidence.ts'
import { Span } from '../../src/core/time.ts'

// A name that scores are looked up by: none that every object has, as "constructor".
export const OwnName = z.string().refine(name => !(name in {}), 'may not be named like that')

// A row of the ledger as a run keeps it; ids lead to the index, the text is cut.
export const KeptRow = z.object({
  id: z.string(),
  span: Span,
  track: Track,
  text: z.string(),
  by: z.string(),
  cited: z.boolean(),
})
export type KeptRow = z.infer<typeof KeptRow>

// What was asked of the agent in one go, and all that came back. One question may serve several tasks of a benchmark.
export const AskRecord = z.object({
  name: z.string(),
  tasks: z.array(z.string()),
  question: Question,
  answer: Answer.optional(),
  evidence: z.array(KeptRow),
  steps: z.array(Step.omit({ text: true })),
  frames: z.array(z.object({ time: z.number(), file: z.string(), row: z.string() })), // below the run's folder
  index: z.string().optional(), // which index it rests on
  indexed: z.array(z.object({ clue: Span, rows: z.array(Track) })), // what the index holds at each gold interval
  usage: Usage,
  stop: StopReason.optional(),
  seconds: z.number(),
  error: z.string().optional(), // why there is no answer
})
export type AskRecord = z.infer<typeof AskRecord>

const CriterionGrade = z.object({
  name: z.string(),
  description: z.string(),
  weight: z.number(),
  penalty: z.boolean(),
  met: z.boolean().nullable(), // null: not judged; a penalty is met when nothing is violated
})

// How the reply to one task of a sample counts: strictly, and as the released scorer counts it where that differs.
export const Grade = z.object({
  score: z.number().min(-1e6).max(1.001).nullable(), // 0..1, below 0 if penalties outweigh; null: not judged
  rule: z.string(), // which rule read the reply or the verdict, or why there is none
  value: z.unknown().optional(), // what was read
  gold: z.unknown().optional(),
  criteria: z.array(CriterionGrade).optional(),
  reason: z.string().optional(), // why there is no usable reply or verdict
  official: z.object({ score: z.number().nullable(), reason: z.string().optional() }).optional(), // null: left out of the mean
  rubric: z.number().optional(), // the share of a weighted rubric, with penalties taken off
})
export type Grade = z.infer<typeof Grade>

export const Judgment = z.object({
  by: z.string(), // the judge's name
  replies: z.record(z.string(), z.string().nullable()), // raw, by step
  failed: z.record(z.string(), z.string()), // steps without a usable verdict, and why
  seconds: z.number(),
  usage: Usage.pick({ calls: true, inputTokens: true, outputTokens: true }).optional(), // of a model that judged
})
export type Judgment = z.infer<typeof Judgment>

// All about one sample: a line of samples.jsonl.
export const SampleLine = z.object({
  format: z.literal(1),
  id: z.string(),
  place: z.number(), // in the data, from 0
  video: z.string(), // as the data name it
  duration: z.number().optional(), // seconds, as decoded
  groups: z.record(OwnName, z.string()),
  question: Question,
  turns: z.array(z.object({ question: z.string(), answer: z.string() })), // what was asked before
  reference: z.string().optional(),
  choice: z.number().optional(),
  clues: z.array(Span).optional(),
  modalities: z.array(z.string()).optional(), // as the data tag the question
  asks: z.array(AskRecord),
  replies: z.record(z.string(), z.string().nullable()), // raw, by task
  judge: Judgment.optional(),
  grades: z.record(z.string(), Grade),
  grading: z.literal(2).optional(), // 2: the grades hold all that scores are summed from; older lines are graded again
  error: z.string().optional(),
  missing: z.object({ stated: z.number().optional() }).optional(), // its video was not there; seconds that it lasts as the data say
  seconds: z.number(),
  finished: z.string(), // ISO date
})
export type SampleLine = z.infer<typeof SampleLine>

export function isUnjudged(line: SampleLine): boolean {
  return line.judge !== undefined && Object.keys(line.judge.failed).length > 0
}
