import { z } from 'zod'
import { Answer, Question } from '../agent.ts'
import { Evidence } from '../evidence.ts'

export const RunEntry = z.object({
  id: z.string(),
  folder: z.string(),
  name: z.string(),
  started: z.string(),
  state: z.enum(['finished', 'cancelled', 'failed', 'unfinished']),
})

export const RunList = z.object({ runs: z.array(RunEntry), cursor: z.string().optional() })

export const RunDetails = RunEntry.extend({
  environment: z.looseObject({}),
  config: z.unknown(),
  summary: z.unknown().optional(), // its status and, of a question, the answer; absent while it goes on
  events: z.number(), // lines of its trace
  states: z.array(z.number()), // the numbers of its states
})

// Lines of trace.jsonl as they are, from the one after `after`.
export const Trace = z.object({
  after: z.number(),
  events: z.array(z.looseObject({ at: z.number() })),
  more: z.boolean(),
})

// All that the run knew after that step, as its graph holds it.
export const RunState = z.object({ state: z.number(), made: z.string(), values: z.looseObject({}) })

// A call as it was recorded.
export const RunCall = z.looseObject({ format: z.literal(1), kind: z.string().optional(), request: z.looseObject({}) })

const SessionHead = z.object({
  name: z.string(),
  video: z.object({ id: z.string(), path: z.string(), name: z.string(), duration: z.number() }),
  created: z.string(),
  from: z.object({ session: z.string(), turn: z.number() }).optional(),
})

export const SessionList = z.object({
  sessions: z.array(SessionHead.extend({ turns: z.number(), used: z.string(), last: z.string().optional() })),
})

export const SessionDetails = SessionHead.extend({
  turns: z.array(
    z.object({
      turn: z.number(),
      asked: z.string(),
      question: Question,
      answer: Answer.optional(),
      reference: z.string().optional(),
      evidence: z.array(Evidence.omit({ words: true, video: true })),
      run: z.string().optional(),
    }),
  ),
})
