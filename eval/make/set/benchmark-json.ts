import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../../src/core/errors.ts'

// What a made set says of itself; the benchmark reads the files that it lists, and no others.
export const madeSplit = 'made'

export const MadeSet = z.looseObject({
  format: z.literal(1),
  recipe: z.string(),
  recipeVersion: z.string(),
  annotations: z.array(z.string()).min(1),
  split: z.literal(madeSplit),
  seed: z.number(),
  canary: z.string(),
  counts: z.looseObject({
    videos: z.number(),
    drafted: z.number(),
    kept: z.number(),
    rejected: z.record(z.string(), z.number()),
  }),
  roles: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  notRun: z.array(z.string()),
  prompts: z.record(z.string(), z.object({ sha256: z.string(), released: z.boolean() })),
  filters: z.array(z.looseObject({ name: z.string(), k: z.number() })),
  reviewed: z.looseObject({ items: z.number() }),
  licence: z.string(),
})
export type MadeSet = z.infer<typeof MadeSet>

// Undefined where the folder holds no made set.
export async function readMadeSet(folder: string): Promise<MadeSet | undefined> {
  const path = join(folder, 'benchmark.json')
  const text = await readFile(path, 'utf8').catch(absentAs(undefined))
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  const read = MadeSet.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UsageError(`${path} is damaged: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`, {
    hint: 'Make the set again: longtake bench make --resume.',
  })
}
