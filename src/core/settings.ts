import { z } from 'zod'

// What a settings file that was only found may set: "x-found" in the schema of a setting. A setting without it is withheld.
//   true: any value; a list: these values; "self-contained": the name of a backend that says so of itself; "lower": a number, or a
//   word of a list that begins with the most, that is at most the user's own or the default
export type FoundMay = { 'x-found'?: true | readonly string[] | 'self-contained' | 'lower' }

// For settings that change nothing but quality, within the machine: they name no program, file, address or variable.
export const taste: FoundMay = { 'x-found': true }

// For limits of what a question or an index may cost.
export const lowerOnly: FoundMay = { 'x-found': 'lower' }

// How much of the picture is decoded: every frame in full; every frame, those that no other builds on a little rougher; or keyframes.
const levelNames = ['thorough', 'balanced', 'quick'] as const
type Level = (typeof levelNames)[number]
const defaultLevel: Level = 'balanced'

// How many frames are considered, and how large they are kept: what `index.stills` stands for. Each can be set by itself too.
export const stillSets = {
  many: { stillsPerSecond: 4, stillWidth: 1920 },
  usual: { stillsPerSecond: 2, stillWidth: 1280 },
  few: { stillsPerSecond: 1, stillWidth: 854 },
} as const

type StillSet = keyof typeof stillSets
const stillSetNames = Object.keys(stillSets) as StillSet[]
const defaultStills: StillSet = 'usual'

const usualStills = stillSets[defaultStills]

// What a model may be asked for one video; no limit where it is left out.
const IndexBudget = z.strictObject({
  calls: z.number().int().min(0).optional().describe('of the model, at most').meta(lowerOnly),
  tokens: z.number().int().min(0).optional().describe('in and out, at most').meta(lowerOnly),
  money: z.number().min(0).optional().describe('at most, in the currency of the prices').meta(lowerOnly),
})
export type IndexBudget = z.infer<typeof IndexBudget>

// A settings file that was only found may lower the limits and set nothing else of these: each call of a model may cost money.
const CaptionSettings = z.strictObject({
  mode: z
    .enum(['off', 'shots', 'seconds'])
    .default('off')
    .describe(
      'off; shots: a caption for each shot, long ones in pieces; seconds: pieces of that length, whatever the cuts',
    ),
  seconds: z.number().min(1).max(600).default(30).describe('the longest clip'),
  frames: z
    .number()
    .int()
    .min(4)
    .max(64)
    .default(16)
    .describe('frames of a clip that are shown, at most; fewer if less changes')
    .meta(lowerOnly),
  budget: IndexBudget.prefault({}).describe('of one video; clips that differ most from those beside them go first'),
})
export type CaptionSettings = z.infer<typeof CaptionSettings>

// How a video is indexed.
export const IndexSettings = z.strictObject({
  level: z
    .enum(levelNames)
    .default(defaultLevel)
    .describe('which frames are decoded: all; all, without deblocking those that no other refers to; keyframes only')
    .meta(lowerOnly),
  stills: z
    .enum(stillSetNames)
    .default(defaultStills)
    .describe('how many frames are considered, and their size: sets stillsPerSecond and stillWidth')
    .meta(lowerOnly),
  stillsPerSecond: z
    .number()
    .positive()
    .max(30)
    .default(usualStills.stillsPerSecond)
    .describe('frames a second that are considered; those that show nothing new are not kept')
    .meta(lowerOnly),
  stillWidth: z
    .number()
    .int()
    .min(64)
    .max(4096)
    .default(usualStills.stillWidth)
    .describe('pixels, at most')
    .meta(lowerOnly),
  segments: z
    .union([z.literal('auto'), z.number().int().min(1).max(1000)])
    .default('auto')
    .describe('pieces of a long file that are decoded side by side; the result is the same')
    .meta(lowerOnly),
  deepen: z
    .boolean()
    .default(true)
    .describe('at level quick: what a question touches is decoded in full and its text read, for later questions too')
    .meta(taste),
  decoder: z
    .enum(['auto', 'software', 'cuda'])
    .default('auto')
    .describe('what decodes the picture; auto: an NVIDIA card if it decodes a second of the file, else the processor')
    .meta(taste),
  maxHours: z
    .number()
    .positive()
    .max(10_000)
    .default(48)
    .describe('the longest video that is accepted, in hours')
    .meta(lowerOnly),
  vectors: z
    .enum(['hnsw', 'exact'])
    .default('hnsw')
    .describe('how the nearest frames are found; exact is the default if hnswlib-node is not installed')
    .meta(taste),
  tracks: z
    .strictObject({
      picture: z.boolean().default(true).describe('search by what is seen').meta(taste),
      text: z.boolean().default(true).describe('text on screen').meta(taste),
      speech: z.boolean().default(true).describe('what is said').meta(taste),
      sound: z.boolean().default(true).describe('sounds that are not words').meta(taste),
    })
    .prefault({})
    .describe('what is indexed at all'),
  people: z
    .boolean()
    .default(true)
    .describe(
      'who speaks and appears, by the names that are said and shown; if speakers, faces or captions are indexed',
    )
    .meta(taste),
  captions: CaptionSettings.prefault({}).describe(
    'clips described in words by models.vision; what it costs: longtake index --dry-run',
  ),
  faces: z
    .boolean()
    .default(false)
    .describe(
      'models.faces looks at a frame of each shot, and every 10 s of long ones; a backend that asks a server is called for each',
    ),
  subtitles: z
    .enum(['use', 'ignore'])
    .default('use')
    .describe('subtitles of the video are taken as its speech if there are any')
    .meta(taste),
  // Not for a settings file that was only found: it has a model asked for every minute of a video.
  overview: z
    .enum(['extract', 'written'])
    .default('extract')
    .describe(
      'the chapters: lines of the video as they are; or what the language model of the role "writer" makes of all rows',
    ),
  overviewTokens: z
    .number()
    .int()
    .min(4000)
    .max(1_000_000)
    .default(8000)
    .describe('of one request that writes the overview, at most, without its reply')
    .meta(lowerOnly),
  overviewBudget: IndexBudget.prefault({}).describe(
    'of the written overview of one video; where it does not last, what was written waits for a larger one',
  ),
  trustMtime: z
    .boolean()
    .default(false)
    .describe(
      'a file of known path, size and modification time counts as unchanged; for network disks whose inodes or change times do not last',
    ),
})
// `stills` only stands for two of the others.
export type IndexSettings = Omit<z.infer<typeof IndexSettings>, 'stills'>

// How long answers are.
export const AnswerSettings = z.strictObject({
  style: z
    .enum(['auto', 'short', 'full'])
    .default('auto')
    .describe(
      'with a language model as writer; auto: full if the question asks to describe, explain, sum up or compare',
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
  aspectWriter: 'if rules write: search and answer each part of the question, name the parts that stay unknown',
  hypothesisClueVerdict: 'multiple choice: look for what would tell each option from the others; rules then judge each',
  noveltyGuard: 'rounds without anything new: other words, then other tracks, then the whole video, then the answer',
  verifier: 'try each sentence against the rows it cites, in a fresh context',
  votes: 'an unsure answer: two more runs with other plans, and what they agree on or the verifier finds borne out',
}
export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as PolicyName[]

// Switches of the graphs that are no policies.
const plain = {
  compaction: 'shorten long results in prompts, never their ids; once more if a model says that it is too long',
  budgets: 'end at the limits of steps, tokens, frames, seconds and money; without it only at 64 rounds',
}
const switches = { ...policies, ...plain }
export type SwitchName = keyof typeof switches

export const switchNames = Object.keys(switches) as SwitchName[]

// What has not been shown to help, or costs most of a question once more, is switched on by whoever wants it.
const offAtFirst: readonly SwitchName[] = ['votes']

// Removed, with the reason: settings of older releases still name them.
export const removedPolicySettings: Readonly<Record<string, string>> = {
  routing: 'it changed no answer',
  overviewFirst: 'the overview is always shown',
  detail: 'only answer.style says how long an answer is',
  ratingBySight: 'it changed no answer',
  ratedBySight: 'it went with ratingBySight',
  secondLook: 'it made the answers of weak models worse',
  minimumIndependentEvidence: 'it changed no answer',
  independentSources: 'it went with minimumIndependentEvidence',
  abstention: 'answer.always says whether there must be an answer',
  skim: 'a planner that sees begins with frames in the graph converse',
  skimFrames: 'it went with skim',
  trapDetector: 'it changed no answer',
  relevanceFilter: 'it changed no answer',
  lookItself: 'a planner that sees gets frames itself in the graph converse',
}

// Likewise, below `models`.
export const removedRoles: Readonly<Record<string, string>> = { rerank: 'it went with policy.relevanceFilter' }

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
  rounds: limit(20, 'rounds of looks at most, in addition to budget.steps'),
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
      'what is said: "subtitles" that came with the video; "index": the transcript of a finished index, if there is one; "off"',
    )
    .meta(taste),
})
export type SeekSettings = z.infer<typeof SeekSettings>

// The graph "windows"; the usual values are Goldfish's on InfiniBench.
export const WindowSettings = z.strictObject({
  seconds: limit(80, 'of one window of the video'),
  k: limit(3, 'windows that are looked at: those that fit the question best'),
  frames: limit(60, 'of one window'),
})
export type WindowSettings = z.infer<typeof WindowSettings>

function limit(usual: number, about: string) {
  return z.number().int().positive().default(usual).describe(about).meta(lowerOnly)
}

function share(usual: number, about: string) {
  return z.number().min(0).max(1).default(usual).describe(about).meta(taste)
}
