import { z } from 'zod'
import { taste } from './found-may.ts'

function policy(about: string) {
  return z.boolean().default(true).describe(about).meta(taste)
}

function limit(usual: number, about: string) {
  return z.number().int().positive().default(usual).describe(about).meta(taste)
}

// What the code of the agent sees to, whatever its models do. Each policy is a file in graphs/policy and one switch here, so
// that its worth can be measured; the limits below them are what some of them go by.
export const PolicySettings = z.strictObject({
  routing: policy('find out what sort of question it is, and tell the planner how such questions are answered'),
  overviewFirst: policy('show the planner the whole video before its first call'),
  lookBeforeAnswer: policy('no answer before something was searched for and the best hit was read closely'),
  exhaustiveScan: policy('count and order questions list the whole video'),
  noveltyGuard: policy(
    'rounds without anything new: other words, then other tracks, then the whole video, then the answer',
  ),
  trapDetector: policy('test what the question takes for granted, and options that cannot be true'),
  minimumIndependentEvidence: policy('look for a second source of the main claim; one alone lowers the confidence'),
  relevanceFilter: policy('rate each candidate of a search from 1 to 4; those rated 1 are put aside'),
  hypothesisClueVerdict: policy(
    'multiple choice: look for what would tell each option from the others, then judge each',
  ),
  verifier: policy('try each sentence against the rows it cites, in a fresh context'),
  secondLook: policy('contradicted: search what is true instead; unseen: look once more at that span'),
  aspectWriter: policy('list what the question asks; answer each part from evidence, name the parts that stay unknown'),
  abstention: policy('say that the video does not answer, instead of quoting what comes near'),
  compaction: policy(
    'shorten long results in prompts, never their ids; once more where a model says that it is too long',
  ),
  budgets: policy('end at the limits of steps, tokens, frames, seconds and money; without it only at 64 rounds'),
  callsPerRound: limit(8, 'tool calls that are run in one round'),
  resultCharacters: limit(12_000, 'of one round of results as a model sees it'),
  ledgerCharacters: limit(24_000, 'of the evidence as the writer sees it'),
  independentSources: limit(2, 'rows apart in track or time that the main claim should rest on'),
})
export type PolicySettings = z.infer<typeof PolicySettings>

export const policyNames = Object.entries(PolicySettings.shape)
  .filter(([, setting]) => setting.unwrap() instanceof z.ZodBoolean)
  .map(([name]) => name as PolicyName)

// The policies that can be switched, without the limits.
export type PolicyName = {
  [Name in keyof PolicySettings]: PolicySettings[Name] extends boolean ? Name : never
}[keyof PolicySettings]
