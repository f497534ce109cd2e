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
  subtitles: 'use' | 'ignore'
  overview: 'extract' | 'written'
  overviewTokens: number
  trustMtime: boolean
}

// What is captioned by the model that sees, and what it may cost; of one video.
export interface CaptionSettings {
  mode: 'off' | 'shots' | 'seconds'
  seconds: number // of a clip, at most
  frames: number // of a clip, at most
  budget: { calls?: number; tokens?: number; money?: number }
}

// What a settings file that was only found may set: "x-found" in the schema of a setting. A setting without it is withheld.
//   true: any value; a list: these values; "self-contained": the name of a backend that says so of itself
export type FoundMay = { 'x-found'?: true | readonly string[] | 'self-contained' }

// For settings that change nothing but quality, within the machine: they name no program, file, address or variable.
export const taste: FoundMay = { 'x-found': true }

// What the code of the agent sees to, whatever its models do: one line a policy, in the order in which they are asked. What a
// policy does is in graphs/policies, in the file that has its name. Each is a switch, so that its worth can be measured.
const policies = {
  routing: 'find out what sort of question it is, and tell the planner how such questions are answered',
  overviewFirst: 'show the planner the whole video before its first call',
  exhaustiveScan: 'count and order questions list the whole video',
  lookBeforeAnswer: 'no answer before something was searched for and the best hit was read closely',
  aspectWriter: 'list what the question asks; answer each part from evidence, name the parts that stay unknown',
  hypothesisClueVerdict: 'multiple choice: look for what would tell each option from the others, then judge each',
  trapDetector: 'test what the question takes for granted, and options that cannot be true',
  noveltyGuard: 'rounds without anything new: other words, then other tracks, then the whole video, then the answer',
  relevanceFilter: 'rate each candidate of a search from 1 to 4; those rated 1 are put aside',
  verifier: 'try each sentence against the rows it cites, in a fresh context',
  secondLook: 'contradicted: search what is true instead; unseen: look once more at that span',
  minimumIndependentEvidence: 'look for a second source of the main claim; one alone lowers the confidence',
  abstention: 'say that the video does not answer, instead of quoting what comes near',
  compaction: 'shorten long results in prompts, never their ids; once more where a model says that it is too long',
  budgets: 'end at the limits of steps, tokens, frames, seconds and money; without it only at 64 rounds',
}
export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as PolicyName[]

type Switches = Record<PolicyName, z.ZodDefault<z.ZodBoolean>>

// The switches, and the limits that some of the policies go by.
export const PolicySettings = z.strictObject({
  ...(Object.fromEntries(
    policyNames.map(name => [name, z.boolean().default(true).describe(policies[name]).meta(taste)]),
  ) as Switches),
  callsPerRound: limit(8, 'tool calls that are run in one round'),
  resultCharacters: limit(12_000, 'of one round of results as a model sees it'),
  ledgerCharacters: limit(24_000, 'of the evidence as the writer sees it'),
  independentSources: limit(2, 'rows apart in track or time that the main claim should rest on'),
})
export type PolicySettings = z.infer<typeof PolicySettings>

function limit(usual: number, about: string) {
  return z.number().int().positive().default(usual).describe(about).meta(taste)
}
