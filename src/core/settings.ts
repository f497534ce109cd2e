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
  routing: 'find out what sort of question it is, and tell the planner how such questions are answered',
  overviewFirst: 'show the planner the whole video before its first call',
  skim: 'a planner that sees gets contact sheets of the whole video before its first call, and of a span when it asks',
  lookItself: 'a planner that sees gets the frames of its looks itself, not the words of models.vision about them',
  exhaustiveScan: 'count and order questions list the whole video',
  lookBeforeAnswer: 'no answer before something was searched for and the best hit was read closely',
  aspectWriter: 'list what the question asks; answer each part from evidence, name the parts that stay unknown',
  detail: 'a full answer: list what an expert would name, search for what is missing, leave out what nothing bears out',
  hypothesisClueVerdict: 'multiple choice: look for what would tell each option from the others, then judge each',
  trapDetector: 'test what the question takes for granted, and options that cannot be true',
  noveltyGuard: 'rounds without anything new: other words, then other tracks, then the whole video, then the answer',
  ratingBySight: 'rate candidates of a search by models.vision, a sheet of up to nine windows a call',
  relevanceFilter: 'rate each candidate of a search from 1 to 4; those rated 1 are put aside',
  verifier: 'try each sentence against the rows it cites, in a fresh context',
  secondLook: 'contradicted: search what is true instead; unseen: look once more at that span',
  minimumIndependentEvidence: 'look for a second source of the main claim; one alone lowers the confidence',
  votes: 'an unsure answer: two more runs with other plans, and what they agree on or the verifier finds borne out',
  abstention: 'say that the video does not answer, instead of quoting what comes near',
  compaction: 'shorten long results in prompts, never their ids; once more where a model says that it is too long',
  budgets: 'end at the limits of steps, tokens, frames, seconds and money; without it only at 64 rounds',
}
export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as PolicyName[]

// What has not been shown to help, or costs most of a question once more, is switched on by whoever wants it.
const offAtFirst: readonly PolicyName[] = ['lookItself', 'ratingBySight', 'votes']

// Without it no limit of a question holds.
const onOnly: FoundMay = { 'x-found': ['true'] }

type Switches = Record<PolicyName, z.ZodDefault<z.ZodBoolean>>

// The switches, and the limits that some of the policies go by.
export const PolicySettings = z.strictObject({
  ...(Object.fromEntries(
    policyNames.map(name => [
      name,
      z
        .boolean()
        .default(!offAtFirst.includes(name))
        .describe(policies[name])
        .meta(name === 'budgets' ? onOnly : taste),
    ]),
  ) as Switches),
  callsPerRound: limit(8, 'tool calls that are run in one round'),
  resultCharacters: limit(12_000, 'of one round of results as a model sees it'),
  ledgerCharacters: limit(24_000, 'of the evidence as the writer sees it'),
  ratedBySight: z
    .enum(['seen', 'all'])
    .default('seen')
    .describe('which candidates: those of tracks that are seen, or all')
    .meta(taste),
  skimFrames: limit(64, 'of the contact sheets of the whole video, at most'),
  singlePassFrames: z
    .number()
    .int()
    .min(1)
    .max(512)
    .default(64)
    .describe('frames of the graph single-pass; budget.frames holds too')
    .meta(lowerOnly),
  independentSources: limit(2, 'rows apart in track or time that the main claim should rest on'),
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
