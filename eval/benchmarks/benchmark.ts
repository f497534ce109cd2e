import type { z } from 'zod'
import type { ToolSettings } from '../../src/config/tool-settings.ts'
import type { Answer, Question } from '../../src/core/agent.ts'
import type { Finding } from '../../src/core/evidence.ts'
import type { Span } from '../../src/core/time.ts'
import type { Annotations } from '../data/files.ts'
import type { ReplyRecord } from '../data/replies.ts'
import type { Sample, SampleSource, Scores, Scoring } from '../data/sample.ts'
import type { Grade, SampleLine } from '../data/sample-line.ts'
import type { FrameProtocol } from '../protocols/frames.ts'
import type { Protocol } from '../protocols/judge/protocol.ts'
import type { DataGuide } from './data-guide.ts'
import type { MappedFields } from './map/written-record.ts'
import type { FigureAbout } from './paper-figures.ts'
import type { PublishedTable } from './published.ts'

// All that is known of a benchmark: one object in eval/benchmarks/<name>/index.ts and one line in eval/benchmarks/index.ts.
export interface Benchmark<Item = unknown> extends SampleSource<Item>, BenchmarkScoring<Item> {
  name: string
  about: BenchmarkAbout
  data: BenchmarkData<Item>
  tasks: BenchmarkTask[]
  settings: z.ZodType
  variants?: Readonly<Record<string, PaperMode>> // its papers' modes, by the names of --variant
  under?(options: Record<string, unknown>): Partial<Pick<Benchmark<Item>, 'samples' | 'asks' | 'leftOut'>> // what its settings change
  asks(sample: Sample<Item>): AgentRequest[]
  frames: FrameProtocol<Item> // how a model alone is asked
  released?: ReleasedFiles<Item>
  paper?: BenchmarkPaper
  making?: BenchmarkMaking
}

// How replies are graded and summed.
interface BenchmarkScoring<Item = unknown> {
  grade(sample: Sample<Item>, task: string, given: TaskReply): Grade
  // Sums grades to scores; left out if whole judged records are scored. `asked`: the tasks that any line speaks of,
  // without those whose answers need a judge and had none.
  sum?(graded: readonly Graded<Item>[], scoring: Scoring, asked: ReadonlySet<string>): Summed
  judge?: Protocol<Item> // where answers are open
  judgedRecords?: JudgedRecords<Item>
  toolUse?: ToolUse<Item>
}

// What a person reads of it before using it.
interface BenchmarkAbout {
  summary: string
  home: string // where its makers publish it
  licence: string
  guide?: DataGuide // where its data are; those that are made here need none
  download: string[] // what a person fetches and where it goes, one line each
  chance: number | null // per cent, by guessing; null if it depends on the item or guessing is hopeless
  demandsAnswer?: true // its prompts do: the best inference is given instead of no answer
  groupedBy: string[] // the ways its tables group; one: `groups` is keyed by value
}

// Its files, and the records in them.
export interface BenchmarkData<Item> {
  annotations: Annotations // the runner chooses among the files: no benchmark can ignore a split
  editions?: Edition[] // the published splits, where content tells them
  records(files: readonly string[]): Promise<Item[]> // of the files of one split
  mapped?: MappedFields // how `bench map` writes records of it
  splitOf?(record: Item): string | undefined // where records of several splits share a file
}

// What its paper prints.
interface BenchmarkPaper {
  published?: PublishedTable[] // the table to compare with first
  figures?: readonly FigureAbout[]
  judgedMetrics?: string[] // that a judge decides, by their names in scores and their groups
}

// What can be made of it here.
interface BenchmarkMaking {
  make?: Recipe // where its videos are made here
  recipe?(): Promise<{ default: unknown }> // how a set of a person's own videos is made: a MakeRecipe, loaded only for that
  gold?: Gold // where more is known about the videos than the data say
}

// A mode of a paper: options that are set together.
export interface PaperMode {
  options: readonly string[] // "name=value", as typed
  isPapers?: true // its protocol, where the defaults are another
  printed?: string // what the paper's tables call it, where that is another word
}

// A split as it was published: known by its number of records and, where we have it, by the hash of its questions.
interface Edition {
  split: string
  records: number
  dataHash?: string
}

// One thing that is asked of a model about a sample, and the judge's steps after it.
export interface BenchmarkTask {
  name: string
  summary: string
  answer: 'choice' | 'intervals' | 'open'
  judge: string[] // names of the steps, in order; empty where no judge is needed
}

// One question to the agent, and how its answer becomes the raw replies of the tasks it serves.
export interface AgentRequest {
  name: string
  video: string // as the sample names it, or the clip of its clues
  question: Question
  replies: Record<string, (asked: AgentReply) => string>
}

export interface AgentReply {
  answer: Answer
  steps?: readonly { tool: string; input?: unknown }[]
  evidence: readonly { id: string; span: Span }[] // the ledger
}

// What came back for one task of a sample.
export interface TaskReply {
  reply: string | null | undefined // null: it was asked and nothing came back; undefined: there is no line for it
  judge: Record<string, string | null> // raw, by step
  read?: number // what the released tools read from a reply that they did not keep
}

// A sample with the grade of each task.
export interface Graded<Item> {
  sample: Sample<Item>
  record: Item
  line?: ReplyRecord
  grades: Record<string, Grade>
}

type Summed = Pick<Scores, 'metrics' | 'groups' | 'excluded'> & Partial<Pick<Scores, 'notes'>>

export type Sum<Item> = NonNullable<Benchmark<Item>['sum']>

export interface ScoreInput<Item> {
  records: readonly Item[] // all that count, with or without a reply
  replies: AsyncIterable<string> // JSON lines as they stand in the file
  scoring: Scoring
  missing?: 'wrong' | 'right' // how records without a reply count; wrong if left out
}

// Where calls of tools are compared with those that the data expect.
interface ToolUse<Item> {
  task: string
  set: ToolSettings['sets'] // the tools by the names that the data expect
  expected(sample: Sample<Item>): string[] // names of tools; none if the sample asks for no calls
  calls(reply: string): number // that a reply makes
}

// Where the released tools keep and score whole judged records instead of replies by id.
interface JudgedRecords<Item> {
  lines(samples: readonly Sample<Item>[], lines: readonly SampleLine[]): string[]
  score(input: ScoreInput<Item>): Promise<Scores>
  idOf(record: unknown): string | undefined // of a record and of a judged line
}

// Files of the benchmark's released tools.
export interface ReleasedFiles<Item> {
  read(path: string, samples: () => Promise<readonly Sample[]>): AsyncIterable<string> // reply lines; of a folder, a JSON list, or lines as below
  isLine?(line: Record<string, unknown>): boolean // whether JSON lines that begin so are of these tools
  write(run: ToRelease<Item>): Promise<ReleasedFile[]>
  challenge?: Challenge<Item>
}

// A site that scores answers whose truth is withheld.
export interface Challenge<Item> {
  site: string
  write(run: ToRelease<Item>, names: unknown, place: string): ReleasedFile[] // into a zip; names: as the user's file has them
}

export interface ReleasedFile {
  path: string
  content: string
}

export interface ToRelease<Item> {
  records: readonly Item[] // also those that share an id with another
  samples: readonly Sample<Item>[]
  lines: readonly SampleLine[]
  replies: string[] // the lines of the run's replies file
  model: string // as it shall be named
  judge?: string // undefined: nothing was judged
  options: Record<string, unknown> // the benchmark's own settings
  finished: Date
}

export interface Recipe {
  bundled: SyntheticSetWish // the split that everybody has, made when first asked for
  lastFile: string // a folder that has it is whole
  make(work: MakeWork): Promise<MadeFolder>
}

interface SyntheticSetWish {
  seed: number
  minutes: number // of each video
  videos: number
  people?: boolean // people are drawn, and asked about
}

export interface MakeWork extends SyntheticSetWish {
  folder: string
  access?: 'umask' | 'private' // umask where the user named the folder
  onProgress(done: number, total: number, name: string): void // seconds of video
  signal: AbortSignal
}

export interface MadeFolder {
  folder: string
  videos: { name: string; seconds: number; questions: number }[]
}

// What is truly said and written in a video.
export interface Gold {
  isThere(path: string): Promise<boolean>
  said(path: string, signal: AbortSignal): Promise<Finding[]>
  shown(path: string): Promise<Finding[]>
}
