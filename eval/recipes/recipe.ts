import { z } from 'zod'
import type { Span } from '../../src/core/time.ts'
import type { Author, UnitResult } from './author.ts'
import type { DraftItem, ItemCheck, ItemInterval, MakeRole, RecipeRules, SightRole, SourceRecord } from './item.ts'

// How the questions of one benchmark are made: the folder "recipe" of the benchmark.
export interface MakeRecipe<Settings = unknown> extends RecipeChecks<Settings>, RecipeSources<Settings> {
  name: string // of the benchmark that reads what it writes
  version: string // goes up when its output changes
  settings: z.ZodType<Settings> // --option name=value; those of VideoSettings among them
  promptsOf?(settings: Settings): Record<string, { text: string; own: boolean }> // further texts that an author reads, by name
  prepare?(settings: Settings): Promise<Settings> // reads the files that they name
  paperModels: Partial<Record<MakeRole | SightRole, string>> // who did the same in the paper; the card lists them
  videoFolder: string // of the set, as the benchmark's records name it
  mp4Alone?: true // the released tools find a video as its id with .mp4
  stages: readonly MakeStage<Settings, unknown>[] // in order; the last one's outputs are DraftItems
  write(set: ToWrite<Settings>): SetFile[] // the benchmark's own files
  clips?(set: ToWrite<Settings>): SetClips | undefined // that are cut from its videos; undefined if none are wanted
}

// What the questions of a recipe are held to.
interface RecipeChecks<Settings = unknown> {
  checks: RecipeCheck[] // in the order of the filters
  thresholds?(settings: Settings): Record<string, Record<string, number>> // of its checks, by their names
  rules: RecipeRules // what its checks hold items to
  gaps?(records: readonly SourceRecord[], isByRules: boolean): string[] // what its sets lack or do otherwise: lines of the card
}

// What a recipe adds to the source records, and whose questions it takes up.
interface RecipeSources<Settings = unknown> {
  telling?: readonly MakeStage<unknown, unknown>[] // before these: a model writes descriptions into the source records
  sightings?(settings: Settings): SightingWish // the people of X.about.json are looked for in the pictures
  adopt?(source: AdoptedSet, settings: Settings): Promise<DraftItem[]> // where the questions of another set are taken up
  people?: PeopleForm // where people may write questions themselves
  // Where the clues of a question are the times that people give: further questions that follow from these.
  byTimes?(timed: readonly TimedItem[], settings: Settings, seed: number): FollowUp[]
}

// What every recipe is told of the videos that it reads.
export const VideoSettings = z.object({
  minMinutes: z.number(), // shorter videos are refused
  segments: z.enum(['covering', 'as released']).default('covering').describe('of the source record, at its ends'),
})

export const minutesOption = (standard: number, about: string) => z.number().min(0).default(standard).describe(about)
export const countOption = (min: number, max: number, standard: number, about: string) =>
  z.number().int().min(min).max(max).default(standard).describe(about)

export interface SightingWish {
  every: number // seconds from one frame that is looked at to the next
  likeness: number // of a face to the pictures, unless models.faces says otherwise
  alike: number // the likeness above which a crop is left out as that before
  gap: number // seconds without the face after which it appears anew
}

// A question of which people said when each of its events happens.
export interface TimedItem {
  item: DraftItem
  times: ItemInterval[][]
}

export interface FollowUp {
  item: DraftItem
  from: DraftItem // of the questions with times, the one that it asks about further
}

// What a person chooses from who writes a question from nothing.
export interface PeopleForm {
  types: readonly PeopleType[]
  negatives: { min: number; max: number }
}

interface PeopleType {
  name: string
  kind: string // of the draft
  asks: string // "which thing or being it is"
  extra: Record<string, unknown> // of the draft
  computed?: boolean // counted or measured: the answer stands nowhere in the video
}

export interface RecipeCheck {
  check: ItemCheck
  thresholds?: Record<string, number>
  holds?(item: DraftItem): boolean // whom it is about; the others pass it by
  ofOwn?: true // it looks only at drafts: questions of another set, which rest on no rows, pass it by
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
export interface MakeStage<Settings = unknown, Output = DraftItem> {
  name: string
  version: string
  role?: 'look' | 'listen' // whom it asks; the author where left out
  over?: MakeRole // whose work it goes over: it makes nothing if nobody fills that role
  prompts: Record<string, string> // by name; a line is made again where one of them changes
  own?: readonly string[] // of these, a person's; the others are in words of ours
  lacks?(record: SourceRecord): string[] // roles without which it makes nothing of a video: "models.detect is off"
  units(record: SourceRecord, given: MakeStageInput<Settings>): MakeUnit[]
  calls(unit: MakeUnit, author: Author): number // where every reply can be used
  make(unit: MakeUnit, work: StageWork<Settings, Output>): Promise<UnitResult<Output>>
}

export interface MakeUnit {
  unit: string // "talk/t1"
  input: unknown // all that its output depends on beside the record
}

export interface MakeStageInput<Settings> {
  settings: Settings
  seed: number
  author: Author
  before?: Before // undefined while they are not made: units() then gives the most that there can be
  others?: readonly Before[] // of the other videos of the set, in their order; undefined as `before` is
}

// What the stages before made of this video, by stage.
export type Before = Readonly<Record<string, readonly MadeUnit[]>>

export interface MadeUnit<Output = unknown> {
  unit: string
  output: Output
}

export const outputsOf = <Output>(units: readonly MadeUnit[] = []) => units.map(({ output }) => output as Output)

export interface StageWork<Settings, Output = DraftItem> extends MakeStageInput<Settings> {
  record: SourceRecord
  earlier: readonly Output[] // of the same video, in this stage
  prompts: Record<string, string> // ours, or those of a person
  frames(times: readonly number[], size?: 'whole'): Promise<Uint8Array[]> // of the video, JPEG; whole where parts of them are shown
  sounds(spans: readonly Span[]): Promise<Uint8Array[]> // of the video, WAV
}

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

// Parts of the videos of a set, as files of their own in a folder that holds nothing else.
export interface SetClips {
  folder: string // below the set
  clips: readonly SetClip[]
}

export interface SetClip {
  name: string
  video: string // below the set
  spans: readonly Span[] // one after another
}
