import { z } from 'zod'
import { Answer, Question, Step, StopReason } from '../agent.ts'
import { Usage } from '../chat.ts'
import { Row } from './row.ts'
import { RunEntry } from './run.ts'

export const divergenceKinds = ['other call', 'other input', 'other result', 'ended earlier'] as const

// One call of a tool; of a step that made none, only its node.
const ComparedLine = z.object({
  step: z.number(),
  node: z.string(),
  tool: z.string().optional(),
  input: z.unknown().optional(),
  outcome: Step.shape.outcome.optional(),
  evidence: z.array(z.string()), // ids of the rows that came back
})

// Left out of a side that has nothing there.
const Sides = { a: ComparedLine.optional(), b: ComparedLine.optional() }

const ComparedRun = RunEntry.extend({
  question: Question.optional(),
  graph: z.string().optional(),
  answer: Answer.optional(), // absent while it goes on, and where it was killed
  stop: StopReason.optional(),
  usage: Usage.required().optional(),
})

export const Comparison = z.object({
  a: ComparedRun,
  b: ComparedRun,
  same: z.object({
    question: z.boolean(),
    video: z.boolean(),
    index: z.boolean().optional(), // absent where one of them is of a release that did not write it down
  }),
  settings: z.array(z.object({ setting: z.string(), a: z.unknown().optional(), b: z.unknown().optional() })),
  divergence: z
    .object({ at: z.number(), kind: z.enum(divergenceKinds), ended: z.enum(['a', 'b']).optional(), ...Sides })
    .optional(), // the first step that is not equal, and its place in `steps`; none if both went alike
  steps: z.array(z.object({ ...Sides, same: z.boolean() })), // side by side
  cited: z.object({ both: z.array(Row), onlyA: z.array(Row), onlyB: z.array(Row) }),
})
export type Comparison = z.infer<typeof Comparison>
