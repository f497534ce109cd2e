import { z } from 'zod'
import { RanOn } from './backend.ts'
import type { Price, Purpose } from './chat.ts'
import type { Evidence } from './evidence.ts'
import type { Role, RoleServices, StoredVectors } from './services.ts'
import type { IndexSettings } from './settings.ts'
import type { Still, Video } from './video.ts'

// One step of making an index: one file in tools/stages and one line in tools/stages/index.ts. Keys, order, overlap and what is left
// out follow from it. It is read whenever a video is opened, so what it needs to make its result is loaded by `make`.
export interface Stage<R extends keyof RoleServices = keyof RoleServices>
  extends StageOrder,
    StageRows,
    StageKey,
    StageLoad {
  name: string
  version: number // goes up when its own code changes what it writes
  role?: R // whose backend makes it; where that is off, the stage is left out
  by?: string // who makes it where no backend does
  wanted?(given: WantedGiven): boolean // where it is not, an index knows nothing of it: no key, no outcome
  source?: true // it reads the file of the video; any other is made of what other stages have written
  mayFail?: true // what breaks outside of us leaves it out, and is said; without it the index is not made
  skip?(given: StageInput): string | false // why it is not made
  instead?(given: StageInput): Partial<Stage<R>> | undefined // what differs for this video with these settings
  make(context: StageContext<R>): Promise<void> // writes files and returns nothing: later stages read them
}

// When a stage is made: the stages that it reads, and what is enough to begin with.
export interface StageOrder {
  after: readonly string[] // the stages that it reads: their keys enter its own. everyRow stands for those that write rows
  early?: readonly EarlyPart<unknown>[] // what is enough to begin with; without it the stages of `after` must be over
  runAfter?: Readonly<Record<string, 'always' | 'low-cpu'>> // stages that are quick, and that others wait for longer: they go first
  partial?: true // made of what there is; any other stage is skipped, or fails, with a stage that it reads
}

// What a stage gives to searches and answers.
export interface StageRows {
  track?: keyof IndexSettings['tracks'] // the setting that switches it off
  rows?: true // it writes evidence.jsonl, which is searched and cited
  replaces?: string // a stage whose rows it writes anew: where it has a result, those of the other are left out
}

// What of its surroundings changes the result of a stage.
export interface StageKey {
  settings?(given: StageInput): Record<string, unknown> // what of the settings and of the video changes its result; enters its key
  files?(given: StageInput): Promise<Record<string, string>> // what it reads beside the video, by hash; enters its key
}

// What a stage takes of the machine and of models.
export interface StageLoad {
  asks?: Purpose // what it asks a chat model for; left out if that does no such thing
  megabytes?(given: Pick<StageInput, 'video' | 'settings'>, room: number): Promise<number> // what it takes besides its backend; 25 where it does not say
  forecast?(given: ForecastGiven): Promise<StageCost[]> // of one that asks a model which may cost money; asks nobody
  extra?: true // a forecast is silent about it where nothing fills its role
}

export const everyRow = 'every row'

// What a forecast may know: what is made already, and what the same model took before.
export interface ForecastGiven extends StageInput {
  result: FinishedStages['result']
  rows(): Promise<Evidence[]>
  model: string // its backend and model
  backend: unknown // the settings of its backend
  thinkingTokens?: number // the room that the model gives thinking in each call; without it, none
  price?: Price
  earlier: readonly StageReader[] // results of this stage by the same backend, of any video
  signal: AbortSignal
}

// What a stage would take of a model at one density.
export interface StageCost {
  density: string
  isSet: boolean // it is what the settings say
  isExact: boolean // else a bound: no more than this
  calls: number
  inputTokens: number
  outputTokens: number
  frames: number
  seconds?: number // where the model was measured
  money?: number // where its price is known
}

// What is known of an index before anything of it is made.
export interface StageInput {
  video: Video
  settings: IndexSettings
  subtitled: boolean // subtitles gave words, so that the speech comes from them
  replaced(stage: string): string | false // why an ablation does without it
  files?: Readonly<Record<string, Record<string, string>>> // what `files` of a stage gives, where another machine has read them
  chosenStills?: unknown // which of the kept stills an ablation leaves
}

// What decides whether an index knows of a stage at all.
interface WantedGiven extends Pick<StageInput, 'settings'> {
  isOff(role: Role): boolean
  makes(stage: string): boolean // one that comes before it
}

// Something that a stage hands on before it is over.
export interface EarlyPart<T> {
  stage: string
  part: string
  readonly of?: T // only for the compiler
}

export interface StageContext<R extends keyof RoleServices = keyof RoleServices> {
  video: Video
  settings: IndexSettings
  out: StageWriter
  progress: ProgressCallback
  signal: AbortSignal
  search: SearchWriters
  price?: Price // of the model of its role
  open(): Promise<{ service: RoleServices[R]; by: string }> // the backend of its role
  results: FinishedStages
  pipeline: StagePipeline
  keepsStill?(still: Still): boolean // which of the kept stills an ablation leaves
}

// What the other stages of this index have made.
export interface FinishedStages {
  result(stage: string): StageReader | undefined // of a stage that is over
  rows(): Promise<Evidence[]> // of all stages that write them and are over, in time order
  earlier(setting: string): Promise<StageReader[]> // earlier results for this video that only this setting of the stage tells apart
  outcome(stage: string): StageOutcome & { by?: string }
  place(stage: string, file: string): string // the path of this file once that stage is complete
}

// What stages hand on to each other before they are over, and when one is.
export interface StagePipeline {
  publish<T>(part: EarlyPart<T>, value: T): void
  published<T>(part: EarlyPart<T>): readonly T[] // so far
  subscribe<T>(part: EarlyPart<T>): AsyncIterable<T> // until that stage is over; what is published last may be left out
  done(stage: string): Promise<void>
}

interface SearchWriters {
  words(file: string, rows: readonly Evidence[], signal: AbortSignal): Promise<void>
  vectors(dimensions: number, capacity: number): Promise<StoredVectors> // of the kind that is set
}

// How a stage ended, and where its result is.
export interface StageOutcome {
  state: 'done' | 'reused' | 'failed' | 'skipped'
  key?: string
  note?: string
}

// A stage's result is a folder of files under hash(video, stage, backend, settings, inputs, version); see src/store/stage/stage.ts.

// One file of a result. Large ones have the hashes of their blocks, so that a use need not read every byte.
export const StoredFile = z.object({
  bytes: z.number(),
  sha256: z.string(),
  blocks: z.object({ bytes: z.number().int().min(1), sha256: z.array(z.string()) }).optional(), // each hash cut to 32 digits
})
export type StoredFile = z.infer<typeof StoredFile>

export const StageMeta = z.object({
  format: z.literal(1),
  stage: z.string(),
  key: z.string(),
  video: z.string(),
  by: z.string(), // "transcribe/pocketsphinx"
  settings: z.unknown(),
  inputs: z.record(z.string(), z.string()), // stage name to its key
  seconds: z.number(), // how long it took
  finished: z.string(), // ISO date
  files: z.record(z.string(), StoredFile),
  notes: z.array(z.string()),
  ran: z.array(RanOn).optional(), // which device its models really ran on
  without: z.array(z.string()).optional(), // files that were removed later: it can be read, and nothing is made of it any more
})
export type StageMeta = z.infer<typeof StageMeta>

export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>
  flush?(): Promise<void> // what was written so far can be read by others
  close(): Promise<void>
}

// Where a running stage puts its files. Nothing is visible to others until the stage has returned.
export interface StageWriter {
  json(name: string, value: unknown): Promise<void>
  lines(name: string, rows: Iterable<unknown> | AsyncIterable<unknown>): Promise<number> // one JSON object a line; returns how many
  bytes(name: string): Promise<ByteSink>
  path(name: string): string // for libraries that write a file themselves (HNSW, SQLite)
  note(text: string): void // kept in the meta file and shown with the coverage
  parts?: StageParts // where the stage may be resumed after a kill
}

// Work of a long stage that outlives a kill: files that grow, and what was known when they were last whole.
export interface StageParts {
  state(): Promise<Uint8Array | undefined> // as last saved
  save(state: Uint8Array): Promise<void> // once everything written so far is on disk
  append(name: string, size: number): Promise<ByteSink> // continues at that size; what is beyond is cut off
  give(name: string): Promise<void> // a finished file becomes one of the stage's
  path(name: string): string
}

export interface StoredResult {
  stage: string
  key: string
  folder: string
  meta: StageMeta
  reused: boolean
}

// Results of one video that other machines make, or read.
export interface SharedStages {
  pull(stage: string, key: string): Promise<boolean> // into its place in the library; false: nobody has it
  found?(): void // a result lay in the library already
  push?(stage: string, key: string, folder: string): Promise<void> // a whole result that is here, for the others
}

export interface StageReader {
  json<T>(name: string, shape: z.ZodType<T>): Promise<T>
  lines<T>(name: string, shape: z.ZodType<T>): Promise<T[]>
  path(name: string): string
  has(name: string): boolean
}

// done and total in seconds of media.
export type ProgressCallback = (done: number, total: number) => void
