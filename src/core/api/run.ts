import { z } from 'zod'
import { Answer, Question, Step } from '../agent.ts'
import { Usage } from '../chat.ts'
import { Evidence, Track } from '../evidence.ts'
import { Span } from '../time.ts'
import { toolKinds } from '../tool.ts'
import { AskReply } from './row.ts'

export const RunEntry = z.object({
  id: z.string(),
  folder: z.string(),
  name: z.string(),
  started: z.string(),
  state: z.enum(['finished', 'cancelled', 'failed', 'unfinished']),
  kind: z.enum(['question', 'bench', 'ablate']),
  video: z.object({ id: z.string(), name: z.string() }).optional(), // that a question is about
  usage: Usage.required().optional(), // once it is over
  profile: z.string().optional(),
  outcome: Answer.pick({ text: true, confidence: true, abstained: true, cause: true }) // of a question that is over; its text is cut
    .extend({ steps: z.number() })
    .optional(),
})

export const runOrders = ['newest', 'slowest', 'dearest', 'unsure'] as const

export const RunList = z.object({ runs: z.array(RunEntry), cursor: z.string().optional() })

export const MarkedRow = z.object({ id: z.string(), span: Span, track: Track })

// A call of a tool as a step made it.
const RunTool = Step.omit({ round: true }).extend({
  kind: z.enum(toolKinds).optional(), // absent in older runs
  span: z.object({ lane: z.enum(['searched', 'looked']), span: Span, tracks: z.array(Track) }).optional(), // where it has been
  found: z.array(MarkedRow), // the rows of `evidence` that are known
  fresh: z.array(z.string()), // of them those that the run had not seen before
})

// A recorded call: GET /runs/RUN/calls/CALL has all of it.
const CallHead = z.object({
  call: z.string(),
  kind: z.enum(['chat', 'tool']),
  by: z.string(), // the model or the tool
  purpose: z.string().optional(), // of a model
  seconds: z.number(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  failed: z.string().optional(), // why
})
export type CallHead = z.infer<typeof CallHead>

export const RunStep = z.object({
  step: z.number(), // as the events number it, and as the state after it is numbered
  node: z.string(),
  round: z.number(), // rounds of tool calls before it
  at: z.number(), // seconds since its run began
  seconds: z.number().optional(), // absent where it has no end: it goes on, or was killed
  said: z.string().optional(), // by the planner
  tools: z.array(RunTool),
  fresh: z.array(z.string()), // rows that the run had not seen before
  calls: z.array(CallHead),
  state: z.number().optional(), // GET /runs/RUN/states/STATE: what was known after it
  run: z.string().optional(), // of a step before a fork: the run that made it, and has its calls
})
export type RunStep = z.infer<typeof RunStep>

export const RunDetails = RunEntry.extend({
  environment: z.looseObject({}),
  config: z.unknown(),
  summary: z.unknown().optional(), // its status and, of a question, the answer; absent while it goes on
  question: Question.optional(),
  forked: z.object({ run: z.string(), step: z.number(), hint: z.string().optional() }).optional(), // where it left another run
  answer: AskReply.optional(), // as "longtake ask --json" prints it
  usage: RunEntry.shape.usage, // by its own steps: of a fork only what came after
  events: z.number(), // lines of its trace
  steps: z.array(RunStep),
  states: z.array(z.number()), // the numbers of its states
  rounds: z.array(z.object({ round: z.number(), state: z.number() })), // from which it can be forked
})

// Lines of trace.jsonl as they are, from the one after `after`.
export const TracePage = z.object({
  after: z.number(),
  events: z.array(z.looseObject({ at: z.number() })),
  more: z.boolean(),
})

// All that the run knew after that step, as its graph holds it.
export const RunSnapshot = z.object({ state: z.number(), made: z.string(), values: z.looseObject({}) })

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
  damaged: z.array(z.object({ name: z.string(), why: z.string() })).optional(), // files that cannot be read
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
