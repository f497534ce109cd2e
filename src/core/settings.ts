import { z } from 'zod'

// How a video is indexed. Defaults and what each means: src/config/schema.ts.
export interface IndexSettings {
  level: 'thorough' | 'balanced' | 'quick'
  stillsPerSecond: number
  stillWidth: number
  segments: number | 'auto'
  deepen: boolean
  decoder: 'auto' | 'software' | 'cuda'
  maxHours: number
  vectors: 'hnsw' | 'exact'
  tracks: { picture: boolean; text: boolean; speech: boolean; sound: boolean }
  captions: CaptionSettings
  people: boolean
  faces: boolean
  subtitles: 'use' | 'ignore'
  overview: 'extract' | 'written'
  overviewTokens: number
  overviewBudget: IndexBudget
  trustMtime: boolean
}

// What is captioned by the model that sees, and what it may cost; of one video.
export interface CaptionSettings {
  mode: 'off' | 'shots' | 'seconds'
  seconds: number // of a clip, at most
  frames: number // of a clip, at most
  budget: IndexBudget
}

// What a model may be asked for one video; no limit where it is left out.
export interface IndexBudget {
  calls?: number
  tokens?: number // in and out
  money?: number
}

// What a settings file that was only found may set: "x-found" in the schema of a setting. A setting without it is withheld.
//   true: any value; a list: these values; "self-contained": the name of a backend that says so of itself; "lower": a number, or a
//   word of a list that begins with the most, that is no more than the user's own or the default
export type FoundMay = { 'x-found'?: true | readonly string[] | 'self-contained' | 'lower' }

// For settings that change nothing but quality, within the machine: they name no program, file, address or variable.
export const taste: FoundMay = { 'x-found': true }

// For limits of what a question or an index may cost.
export const lowerOnly: FoundMay = { 'x-found': 'lower' }

// How long answers are.
export const AnswerSettings = z.strictObject({
  style: z
    .enum(['auto', 'short', 'full'])
    .default('auto')
    .describe(
      'with a language model as writer; auto: full where the question asks to describe, explain, sum up or compare',
    )
    .meta(taste),
  always: z
    .boolean()
    .optional()
    .describe('give the best inference instead of no answer; left out: only benchmarks that demand an answer do')
    .meta(taste),
})
export type AnswerStyle = z.infer<typeof AnswerSettings>['style']

// What the code of the agent sees to, whatever its models do: one line a policy, in the order in which they are asked. What a
// policy does is in graphs/policies, in the file that has its name. Each is a switch, so that its worth can be measured.
const policies = {
  exhaustiveScan: 'count and order questions list the whole video',
  lookBeforeAnswer: 'no answer before something was searched for and the best hit was read closely',
  aspectWriter: 'where rules write: search and answer each part of the question, name the parts that stay unknown',
  hypothesisClueVerdict: 'multiple choice: look for what would tell each option from the others; rules then judge each',
  noveltyGuard: 'rounds without anything new: other words, then other tracks, then the whole video, then the answer',
  relevanceFilter: 'with models.rerank: rate each candidate of a search from 1 to 4; those rated 1 are put aside',
  verifier: 'try each sentence against the rows it cites, in a fresh context',
  votes: 'an unsure answer: two more runs with other plans, and what they agree on or the verifier finds borne out',
}
export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as PolicyName[]

// Switches of the graphs that are no policies.
const plain = {
  lookItself: 'a planner that sees gets the frames of its looks itself, even if models.vision is another model',
  compaction: 'shorten long results in prompts, never their ids; once more where a model says that it is too long',
  budgets: 'end at the limits of steps, tokens, frames, seconds and money; without it only at 64 rounds',
}
const switches = { ...policies, ...plain }
export type SwitchName = keyof typeof switches

export const switchNames = Object.keys(switches) as SwitchName[]

// What has not been shown to help, or costs most of a question once more, is switched on by whoever wants it.
const offAtFirst: readonly SwitchName[] = ['lookItself', 'votes']

// Removed, with the reason: settings of older releases still name them.
export const removedPolicySettings: Readonly<Record<string, string>> = {
  routing: 'it changed no answer',
  overviewFirst: 'the overview is always shown',
  detail: 'answer.style alone says how long an answer is',
  ratingBySight: 'it changed no answer',
  ratedBySight: 'it went with ratingBySight',
  secondLook: 'it made the answers of weak models worse',
  minimumIndependentEvidence: 'it changed no answer',
  independentSources: 'it went with minimumIndependentEvidence',
  abstention: 'answer.always says whether there must be an answer',
  skim: 'a planner that sees begins with frames in the graph converse',
  skimFrames: 'it went with skim',
  trapDetector: 'it changed no answer',
}

// Without it no limit of a question holds.
const onOnly: FoundMay = { 'x-found': ['true'] }

type Switches = Record<SwitchName, z.ZodDefault<z.ZodBoolean>>

// The switches, and the limits that some of the policies go by.
export const PolicySettings = z.strictObject({
  ...(Object.fromEntries(
    switchNames.map(name => [
      name,
      z
        .boolean()
        .default(!offAtFirst.includes(name))
        .describe(switches[name])
        .meta(name === 'budgets' ? onOnly : taste),
    ]),
  ) as Switches),
  callsPerRound: limit(8, 'tool calls that are run in one round'),
  resultCharacters: limit(12_000, 'of one round of results as a model sees it'),
  ledgerCharacters: limit(24_000, 'of the evidence as the writer sees it'),
  singlePassFrames: z
    .number()
    .int()
    .min(1)
    .max(512)
    .default(64)
    .describe('frames of the graph single-pass; budget.frames holds too')
    .meta(lowerOnly),
  votesFrom: share(0.4, 'confidence from which votes are held; below it the answer stands as it is'),
  votesTo: share(0.7, 'confidence from which an answer is sure enough to stand without a vote'),
})
export type PolicySettings = z.infer<typeof PolicySettings>

// How the graph "seek" looks at a video that was never indexed.
export const SeekSettings = z.strictObject({
  rounds: limit(20, 'rounds of looks at most, besides budget.steps'),
  overviewFrames: limit(32, 'over the whole video, before the first call of the planner'),
  skimFrames: limit(16, 'of one coarse look over a span'),
  focusFrames: limit(16, 'of one close look'),
  focusSeconds: limit(30, 'of video in one close look'),
  shown: limit(64, 'pictures in one request; those of older looks give way to words'),
  width: limit(512, 'of a picture, in pixels'),
  words: z
    .enum(['subtitles', 'index', 'off'])
    .default('subtitles')
    .describe(
      'what is said: "subtitles" that came with the video; "index": the transcript of a finished index, where there is one; "off"',
    )
    .meta(taste),
})
export type SeekSettings = z.infer<typeof SeekSettings>

function limit(usual: number, about: string) {
  return z.number().int().positive().default(usual).describe(about).meta(lowerOnly)
}

function share(usual: number, about: string) {
  return z.number().min(0).max(1).default(usual).describe(about).meta(taste)
}
