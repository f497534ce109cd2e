import { z } from 'zod'
import type { Usage } from './chat.ts'
import { Evidence } from './evidence.ts'
import type { FoundVideo, KnownVideo, NotSearched } from './library.ts'
import { Step } from './run/step.ts'
import { lowerOnly } from './settings.ts'
import { Span } from './time.ts'
import type { ToolKind } from './tool.ts'
import type { Coverage, Overview } from './video.ts'

export { Step }

// Words of a question that point at an earlier turn, and what they were resolved to.
export const Reference = z.object({
  words: z.string(), // "right after that", "the second one"
  kind: z.enum(['moment', 'item', 'option', 'entity', 'question']),
  means: z.string(), // for the user: `said: "the tour starts at ten"`
  span: Span.optional(),
  evidence: z.array(z.string()),
})
export type Reference = z.infer<typeof Reference>

// How a question depends on earlier turns.
export const Refers = z.object({
  asked: z.string(), // the question in its own words
  references: z.array(Reference),
  about: z.enum(['moment', 'speaker']).optional(), // it asks only when the first reference is, or who says it
})
export type Refers = z.infer<typeof Refers>

// follows: a reasonable inference from what is supported; it stays in the answer, marked as inferred. Rules never give it.
export const Verdict = z.enum(['supported', 'follows', 'contradicted', 'unseen'])
export type Verdict = z.infer<typeof Verdict>

// Whether a sentence with this verdict may stand in an answer.
export function stands(verdict: Verdict | undefined): boolean {
  return verdict === 'supported' || verdict === 'follows'
}

// Why a question has no answer.
export const Cause = z.enum([
  'absent', // looked at, and not there
  'not-looked', // the track is off, or no model is set for it
  'unreadable', // damaged, or recognised too poorly
  'not-understood', // the language or the form of the question
  'budget',
])
export type Cause = z.infer<typeof Cause>

// An option of multiple choice verified by itself: what would distinguish it from the others, and whether that was found.
export const OptionVerdict = z.object({
  option: z.number(), // from 0
  clue: z.string(),
  verdict: Verdict,
  reason: z.string(),
  cites: z.array(z.string()),
})
export type OptionVerdict = z.infer<typeof OptionVerdict>

// Several runs that answered from the same rows with plans of their own, the first of them as it was.
export const Votes = z.object({
  runs: z.array(
    z.object({
      plan: z.string(),
      rounds: z.number(), // of tool calls that it made
      text: z.string(),
      choice: z.number().optional(),
      confidence: z.number(),
      abstained: z.boolean(),
      cites: z.array(z.string()),
    }),
  ),
  outcome: z.enum(['agreed', 'settled', 'split']).optional(), // settled: by the verifier, else by what most said; absent: under way
  taken: z.number().optional(), // place among the runs
  reason: z.string().optional(),
})
export type Votes = z.infer<typeof Votes>

// What the policies assessed on the way to an answer, for the writer and for readers of the run.
export const Weighed = z.object({
  aspects: z.array(z.string()).optional(), // the parts of the question, where it has several
  options: z.array(OptionVerdict).optional(),
  votes: Votes.optional(),
})
export type Weighed = z.infer<typeof Weighed>

export const Sentence = z.object({
  text: z.string(),
  cites: z.array(z.string()),
  verdict: Verdict,
  at: z.array(Span).optional(), // the intervals that it names, within what it cites
})
export type Sentence = z.infer<typeof Sentence>

export const Answer = z.object({
  text: z.string(),
  choice: z.number().optional(), // index of the chosen option, from 0
  sentences: z.array(Sentence),
  confidence: z.number().min(0).max(1),
  abstained: z.boolean(), // also where the chosen option says that the video does not tell
  cause: Cause.optional(), // of an abstention
  mend: z.string().optional(), // what would help, in a sentence
  degraded: z.array(z.string()), // what the answer could not use, one sentence each
  unknown: z.array(z.string()).optional(), // parts of the question that the evidence does not answer
})
export type Answer = z.infer<typeof Answer>

export const Question = z.object({
  text: z.string(), // stands alone: what it refers to of earlier turns is in it
  options: z.array(z.string()).optional(),
  refers: Refers.optional(), // where its own words depend on earlier turns
  until: z.number().positive().optional(), // seconds: it is answered as if the video ended there
})
export type Question = z.infer<typeof Question>

// A question with its answer, or with the reference answer; `evidence` holds the rows that the answer cites.
export const Turn = z.object({
  question: Question,
  answer: Answer.optional(),
  reference: z.string().optional(),
  evidence: z.array(Evidence).optional(),
})
export type Turn = z.infer<typeof Turn>

export const Budget = z.object({
  steps: z.number().int().positive().default(12).describe('rounds of tool calls').meta(lowerOnly),
  tokens: z.number().int().positive().default(120_000).describe('model tokens, in and out').meta(lowerOnly),
  frames: z.number().int().positive().default(256).describe('frames shown to a model').meta(lowerOnly),
  seconds: z.number().positive().default(300).describe('wall clock of one question').meta(lowerOnly),
  money: z.number().positive().optional().describe('in the currency of the configured prices').meta(lowerOnly),
})
export type Budget = z.infer<typeof Budget>

export const StopReason = z.enum(['answered', 'steps', 'tokens', 'frames', 'seconds', 'money', 'interrupted', 'failed'])
export type StopReason = z.infer<typeof StopReason>

// The nodes of the investigate graph; other graphs name their own.
type StepName = 'overview' | 'plan' | 'act' | 'draft' | 'check' | 'answer' | (string & {})

// What the question came to in one of many videos.
export interface AskedVideo {
  video: KnownVideo
  answer: Answer
  coverage: Coverage
  stop: StopReason
}

// How far a question over all videos got: which were searched, which fit, and what was found in those that were asked.
export interface AskedLibrary {
  searched: KnownVideo[]
  inTables?: number // where the tables of a cluster were searched: how many videos they hold; `searched` are those opened
  notSearched: NotSearched[]
  found: FoundVideo[] // the best first
  asked: AskedVideo[] // in the order in which they were asked
}

// All that the investigate graph knows, as plain JSON: it can be saved, read back and resumed from.
export interface AgentState {
  library?: AskedLibrary // of a question over all videos
  question: Question
  turns: Turn[]
  steps: Step[]
  evidence: Evidence[] // the ledger: every row that any step of this run has seen
  draft?: { text: string; cites: string[] }[]
  verdicts: { sentence: string; verdict: Verdict; reason: string }[]
  weighed?: Weighed
  spent: Usage
  stop?: StopReason
  answer?: Answer
}

// What happens in a run, in order; documented in docs/events.md.
export type RunEvent =
  | {
      type: 'run'
      run: string
      video: { id: string; name: string; duration: number }
      question: Question
      resumed?: number
    }
  // A video is fetched from an address: bytes of the file that is being fetched.
  | { type: 'fetch'; address: string; title: string; state: 'running' | 'done'; done: number; total?: number }
  | { type: 'reference'; asked: string; question: string; references: Reference[] }
  | {
      type: 'stage'
      stage: string
      state: 'waiting' | 'running' | 'done' | 'reused' | 'failed' | 'skipped'
      done?: number
      total?: number
      seconds?: number
      note?: string
    }
  | { type: 'overview'; overview: Overview; coverage: Coverage }
  | { type: 'step'; step: number; name: StepName; round: number }
  | { type: 'plan'; round: number; text: string }
  | { type: 'tool-start'; round: number; tool: string; input: unknown }
  | { type: 'tool-end'; step: Step; kind?: ToolKind }
  | { type: 'evidence'; evidence: Evidence }
  | { type: 'token'; text: string }
  | { type: 'verdict'; sentence: string; verdict: Verdict; reason: string }
  | { type: 'answer'; answer: Answer }
  | { type: 'note'; text: string }
  // What a helper does that a call has sent out: "plan", "tool-start", "tool-end" and "note" of its own run.
  | { type: 'helper'; question: string; event: RunEvent }

export type Watch = (event: RunEvent) => void
