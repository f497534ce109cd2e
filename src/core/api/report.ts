import { z } from 'zod'
import { Answer, Question, Step, StopReason } from '../agent.ts'
import { Usage } from '../chat.ts'
import { Track } from '../evidence.ts'
import { Span } from '../time.ts'
import { divergenceKinds } from './compare.ts'

// One task over all questions, strictly, in per cent.
const TaskScore = z.object({
  task: z.string(),
  n: z.number(),
  unscored: z.number(), // not judged; they count as 0
  mean: z.number(),
  low: z.number(), // of the 95 % interval
  high: z.number(),
  interval: z.enum(['videos drawn', 'questions alone']), // with few videos, of the questions only: too narrow
  chance: z.number().nullable(), // by guessing
})

// Of a question, on average; indexing is not in it.
const Cost = z.object({
  questions: z.number(),
  seconds: z.number(),
  calls: z.number(),
  tokens: z.number(),
  frames: z.number(),
  money: z.number(),
})

export const ReportEntry = z.object({
  report: z.string(),
  kind: z.enum(['bench', 'ablate']),
  name: z.string(),
  benchmark: z.string(),
  split: z.string().optional(),
  started: z.string(),
  finished: z.boolean(),
  samples: z.number(),
  done: z.number(), // of a study, under its base
  configurations: z.number(),
  tasks: z.array(TaskScore), // of a study, of its base
  cost: Cost,
})
export type ReportEntry = z.infer<typeof ReportEntry>
export const ReportList = z.object({ reports: z.array(ReportEntry), cursor: z.string().optional() })

// The questions of a task whose place is known: did the evidence of their answers lie there, and what came of it?
const Landed = TaskScore.pick({ n: true, low: true, high: true, interval: true }).extend({ accuracy: z.number() })
const Aim = z.object({
  task: z.string(),
  n: z.number(),
  hits: z.number(),
  width: z.number().nullable(), // seconds of video that an answer cites, the median
  landed: Landed.nullable(), // strict scores, in per cent
  missed: Landed.nullable(),
  tokens: z.number(), // of a question
  frames: z.number(),
})

// The run itself, or a row of a study.
const Configuration = z.object({
  configuration: z.string(),
  name: z.string(),
  changes: z.array(z.string()), // beside the base, in words
  settings: z.array(z.string()), // that differ from the base
  finished: z.boolean(),
  tasks: z.array(TaskScore),
  differences: z.array(
    z.object({
      task: z.string(),
      n: z.number(),
      difference: z.number(),
      low: z.number(),
      high: z.number(), // points, to the base
      p: z.number(), // corrected over the rows
    }),
  ),
  aim: z.array(Aim),
  cost: Cost,
})

const cellStates = ['right', 'wrong', 'error', 'not judged'] as const

const Cell = z.object({
  configuration: z.string(),
  run: z.string(), // the run that asked it, below the runs: "NAME", or "NAME/rows/ROW" in a study
  state: z.enum(cellStates),
  scores: z.record(z.string(), z.number().nullable()), // 0..1 by task; null if it was not judged
  different: z.boolean(), // from the first configuration that has an answer
  confidence: z.number().optional(),
  abstained: z.boolean(),
})

export const shows = ['all', 'wrong', 'different', 'error', 'confidence'] as const // confidence: below one half

export const ReportDetails = ReportEntry.omit({ configurations: true }).extend({
  page: z.string().optional(), // the signed path of the report as a page; absent where nothing is answered yet
  notes: z.array(z.string()), // what a reader must know before believing the numbers
  configurations: z.array(Configuration),
  questions: z.array(
    z.object({
      question: z.string(), // its id in the data
      text: z.string(),
      video: z.string(),
      groups: z.record(z.string(), z.string()),
      cells: z.array(Cell), // of the configurations under which it was asked
    }),
  ),
  found: z.number(), // questions that are shown, on all pages
  cursor: z.string().optional(),
})
export type ReportDetails = z.infer<typeof ReportDetails>

// What was asked under a configuration, step by step.
const AskedCell = Cell.extend({
  error: z.string().optional(),
  asks: z.array(
    z.object({
      tasks: z.array(z.string()),
      question: Question,
      answer: Answer.optional(),
      error: z.string().optional(),
      stop: StopReason.optional(),
      seconds: z.number(),
      usage: Usage,
      steps: z.array(Step.omit({ text: true })),
      evidence: z.array(
        z.object({ id: z.string(), span: Span, track: Track, text: z.string(), by: z.string(), cited: z.boolean() }),
      ),
      divergence: z // from the first configuration, in the calls of the same ask
        .object({ at: z.number(), kind: z.enum(divergenceKinds), ended: z.enum(['a', 'b']).optional() })
        .optional(),
    }),
  ),
})

export const ReportQuestion = z.object({
  question: z.string(),
  text: z.string(),
  options: z.array(z.string()).optional(),
  video: z.string(),
  groups: z.record(z.string(), z.string()),
  reference: z.string().optional(),
  choice: z.number().optional(), // the right one
  clues: z.array(Span).optional(), // where the answer is, as the data say
  cells: z.array(AskedCell),
})
export type ReportQuestion = z.infer<typeof ReportQuestion>

export interface QuestionsAsked {
  show?: (typeof shows)[number]
  first: number
  count: number
}

// The reports of benchmarks and ablations, which the server is given: it knows nothing of how they are made.
export interface Reports {
  list(): Promise<ReportEntry[]> // the newest first
  details(report: string, asked: QuestionsAsked): Promise<Omit<ReportDetails, 'page'> | undefined>
  question(report: string, question: string): Promise<ReportQuestion | undefined>
  page(report: string): Promise<{ html: string; policy: string } | undefined> // one file, and the content security policy that it needs
}
