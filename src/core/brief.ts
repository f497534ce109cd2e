import { z } from 'zod'
import { Cause, Question, Step, Verdict } from './agent.ts'
import { Evidence } from './evidence.ts'
import { Span } from './time.ts'
import { Coverage, Overview } from './video.ts'

// The same content as the messages of a ChatRequest, as data. The graphs and tools make it; rule-based models read it.

// An earlier turn with the rows its answer rested on.
export const EarlierTurn = z.object({ question: Question, answer: z.string().optional(), evidence: z.array(Evidence) })
export type EarlierTurn = z.infer<typeof EarlierTurn>

const askedFields = { question: Question, duration: z.number(), turns: z.array(EarlierTurn) }

// What a model that sees is shown: for each picture of the request, in their order, when its frames are, which are several on a sheet.
export const SightBrief = z.object({
  kind: z.literal('sight'),
  video: z.object({ id: z.string(), name: z.string() }),
  task: z.enum(['caption', 'look']),
  pictures: z.array(z.array(z.number())),
  span: Span.optional(),
  question: z.string().optional(),
})
export type SightBrief = z.infer<typeof SightBrief>

export const PlanBrief = z.object({
  kind: z.literal('plan'),
  ...askedFields,
  coverage: Coverage,
  overview: Overview.optional(),
  tools: z.array(z.string()),
  round: z.number(),
  roundsLeft: z.number(),
  steps: z.array(Step),
  evidence: z.array(Evidence),
  hints: z.array(z.string()),
  vision: z.literal(true).optional(), // a model is there that looks at frames
})
export type PlanBrief = z.infer<typeof PlanBrief>

export const WriteBrief = z.object({
  kind: z.literal('write'),
  ...askedFields,
  coverage: Coverage,
  overview: Overview.optional(),
  steps: z.array(Step),
  evidence: z.array(Evidence),
})
export type WriteBrief = z.infer<typeof WriteBrief>

export const CheckBrief = z.object({
  kind: z.literal('check'),
  claim: z.string(),
  evidence: z.array(Evidence),
})
export type CheckBrief = z.infer<typeof CheckBrief>

const DraftSentence = z.object({ text: z.string(), cites: z.array(z.string()) })

// What a writer replies, as JSON.
export const DraftReply = z.object({
  sentences: z.array(DraftSentence),
  choice: z.number().int().min(0).optional().describe('index of the chosen option, from 0'),
  confidence: z.number().min(0).max(1).optional(),
  abstained: z.boolean().optional().describe('true when the evidence does not answer the question'),
  cause: Cause.optional().describe('why it is not answered'),
  unknown: z.array(z.string()).optional().describe('parts of the question that the evidence does not answer'),
})

// An answer as a model or rules wrote it.
export const Draft = DraftReply.extend({
  sentences: z.array(DraftSentence.extend({ at: z.array(Span).optional() })), // at: intervals that the model names
  text: z.string().optional(), // the whole of it in the model's words, if it is given apart from its sentences
  by: z.literal('rules').optional(), // no model wrote it
})
export type Draft = z.infer<typeof Draft>

// What a verifier replies, as JSON. The reason precedes the verdict, so that the model thinks first.
export const CheckReply = z.object({ reason: z.string(), verdict: Verdict })
export type CheckReply = z.infer<typeof CheckReply>

// What a model that sees replies of a clip. A frame is named by its place among those shown, from 1, so that no time is the model's own.
export const Caption = z.strictObject({
  events: z.array(z.strictObject({ frame: z.number().int().min(1), text: z.string().trim().min(1) })).min(1),
  people: z.array(z.strictObject({ looks: z.string(), does: z.string(), name: z.string() })),
  place: z.string(),
  objects: z.array(z.string()),
  text: z.array(z.string()),
  camera: z.string(),
})
export type Caption = z.infer<typeof Caption>

// The same for servers that hold replies to a schema. What is not seen is an empty string or list.
export const captionSchema = {
  name: 'caption',
  schema: closed({
    events: listed(closed({ frame: { type: 'integer' }, text: { type: 'string' } })),
    people: listed(closed({ looks: { type: 'string' }, does: { type: 'string' }, name: { type: 'string' } })),
    place: { type: 'string' },
    objects: listed({ type: 'string' }),
    text: listed({ type: 'string' }),
    camera: { type: 'string' },
  }),
}

function closed(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function listed(items: object): object {
  return { type: 'array', items }
}
