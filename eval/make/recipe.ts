import type { z } from 'zod'
import type { Check, DraftItem, MakeRole, RecipeRules, SourceRecord } from './item.ts'
import type { Asked, Author } from './machine/author.ts'

// How the questions of one benchmark are made: a folder below eval/make/recipes and one line in its index.
export interface MakeRecipe<Settings = unknown> {
  name: string // of the benchmark that reads what it writes
  version: string // goes up when its output changes
  settings: z.ZodType<Settings> // --option name=value
  paperModels: Partial<Record<MakeRole, string>> // who did the same in the paper; the card lists them
  minutes(settings: Settings): number // videos that are shorter are refused
  videoFolder: string // of the set, as the benchmark's records name it
  stages: MakeStage<Settings>[] // in order; the last one's outputs are the drafts
  checks: RecipeCheck[] // in the order of the filters
  rules: RecipeRules // what its checks hold items to
  adopt?(source: AdoptedSet): DraftItem[] // where the questions of another set are taken up
  write(set: ToWrite<Settings>): SetFile[] // the benchmark's own files
}

export interface RecipeCheck {
  check: Check
  thresholds?: Record<string, number>
}

// A benchmark that longtake reads, whose questions become drafts.
export interface AdoptedSet {
  benchmark: string
  samples: readonly AdoptedSample[]
}

export interface AdoptedSample {
  id: string
  video: string // as in the source records
  question: string
  options: readonly string[]
  right: number
  kind: string
  source: Record<string, unknown> // the record as it was
}

// Units of one video are made one after another, videos side by side; outputs are in the order of the units, never of completion.
export interface MakeStage<Settings = unknown> {
  name: string
  version: string
  prompts: Record<string, string> // by name; a line is made again where one of them changes
  units(record: SourceRecord, given: StageGiven<Settings>): MakeUnit[]
  calls(unit: MakeUnit, author: Author): number // of the author, where every reply can be used
  make(unit: MakeUnit, work: StageWork<Settings>): Promise<Made>
}

export interface MakeUnit {
  unit: string // "talk/t1"
  input: unknown // all that its output depends on beside the record
}

export interface StageGiven<Settings> {
  settings: Settings
  seed: number
}

export interface StageWork<Settings> extends StageGiven<Settings> {
  record: SourceRecord
  earlier: readonly DraftItem[] // of the same video, in this stage
  author: Author
}

// One unit's result: an output, or why there is none. `none`: the source holds nothing for it, and nothing was drafted.
export type Made = Pick<Asked<unknown>, 'calls' | 'tries'> &
  ({ output: DraftItem } | { rejected: { check: string; detail: string } } | { none: string })

export interface ToWrite<Settings> {
  items: readonly DraftItem[] // that were kept, by video and place
  records: readonly SourceRecord[]
  videoFiles: ReadonlyMap<string, string> // by video_id: the name in the set's folder
  settings: Settings
  canary: string
}

export interface SetFile {
  path: string // below the set
  content: string
  annotations?: true // the benchmark reads its records here
}
