import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { explainFirstIssue } from './parse-record.ts'

// What a made set says of itself; the benchmark reads the files that it lists, and no others.
export const madeSplit = 'made'

const count = z.number()

// What people answered, and marked, before they saw the key.
export const HumanRow = z.looseObject({
  answered: count,
  right: count,
  marked: count,
  accuracy: count.optional(),
  low: count.optional(),
  high: count.optional(),
  mIoU: count.optional(),
})
export type HumanRow = z.infer<typeof HumanRow>

// Of people's review; only what somebody has seen counts as reviewed.
export const Reviewed = z.looseObject({
  items: count, // of those that the making kept
  twice: count.optional(), // seen by two people or more
  kappa: count.nullish(), // keep against the rest, over all pairs of people
  alpha: count.nullish(),
  clueIoU: count.nullish(), // of the clues that two marked
  of: count.optional(), // that the making kept
  outcomes: z.record(z.string(), z.record(z.string(), count)).optional(), // by kind: kept, fixed, dropped, open
  reasons: z.record(z.string(), count).optional(), // of what was dropped
  seconds: count.optional(), // that people spent
  certificates: z.object({ questions: count, pieces: count, seconds: count }).optional(), // means of those with times of people
  human: HumanRow.optional(), // on all that they were shown
  humanOfSet: HumanRow.optional(), // on what is in the set as they were shown it: neither dropped nor fixed
})
export type Reviewed = z.infer<typeof Reviewed>

// What people said of the questions of a kind that somebody has seen; what they fixed is valid too.
export function reviewShares({ kept = 0, fixed = 0, dropped = 0, open = 0 }: Record<string, number>) {
  return { kept, fixed, dropped, open, shown: kept + fixed + dropped, valid: kept + fixed }
}

const Accuracy = z.object({ asked: z.number(), before: z.number(), kept: z.number(), after: z.number().nullable() })

// How much a model gets right with so many frames, in points of a hundred: a study of the whole set, as "bench check --ladder" took it over.
export const Ladder = z.object({
  model: z.string(),
  questions: count,
  annotations: z.string(), // hash of the files that held them
  changed: z.boolean().optional(), // since then
  tasks: z.record(z.string(), z.array(z.object({ frames: count, score: count })).min(2)),
})
export type Ladder = z.infer<typeof Ladder>

const isBelow = (path: string) => !isAbsolute(path) && !path.split(/[\\/]/).includes('..')

export const MadeSet = z.looseObject({
  format: z.literal(1),
  recipe: z.string(),
  recipeVersion: z.string(),
  annotations: z.array(z.string().refine(isBelow, 'must lie in the set')).min(1),
  split: z.literal(madeSplit),
  seed: z.number(),
  canary: z.string(),
  counts: z.looseObject({
    videos: z.number(),
    drafted: z.number(),
    kept: z.number(),
    people: z.number().optional(), // of those drafted: written by people
    byTimes: z.number().optional(), // of those drafted: they follow from times that people gave
    rejected: z.record(z.string(), z.number()),
  }),
  roles: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  notRun: z.array(z.string()),
  // `own`: a person's, in place of ours.
  prompts: z.record(z.string(), z.object({ sha256: z.string(), released: z.boolean(), own: z.boolean().optional() })),
  filters: z.array(
    z.looseObject({ name: z.string(), k: z.number(), accuracy: z.record(z.string(), Accuracy).optional() }),
  ),
  reviewed: Reviewed,
  ladder: Ladder.optional(),
  licence: z.string(),
})
export type MadeSet = z.infer<typeof MadeSet>

export const maxSetFile = 64e6 // bytes; the set may come from somebody else

// Undefined if the folder holds no made set.
export async function readMadeSet(folder: string): Promise<MadeSet | undefined> {
  const path = join(folder, 'benchmark.json')
  const text = await readTextFile(path, maxSetFile)
  if (text === undefined) return undefined
  const read = MadeSet.safeParse(parseStoredJson(text))
  if (read.success) return read.data
  throw new UsageError(`${path} is damaged: ${explainFirstIssue(read.error, 'the file')}.`, {
    hint: `Remove it and make the set again: longtake bench make --resume ${folder}. A ladder that it held is lost.`,
  })
}
