import { z } from 'zod'

// What a queue carries: names and hashes only. Settings are looked up by their hash and parsed by the schema, models and keys are the
// worker's own, and a path is a root's name with what lies below it.

export const StageJob = z.strictObject({
  kind: z.literal('stage'),
  video: z.string(),
  stage: z.string(),
  key: z.string(),
  config: z.string().describe('hash of the settings that ask for it'),
})

export const AskJob = z.strictObject({
  kind: z.literal('ask'),
  run: z.string(),
  shard: z.int().min(0),
  samples: z.array(z.string()).min(1),
})

export const MakeJob = z.strictObject({
  kind: z.literal('make'),
  run: z.string().describe('the making'),
  step: z.string().describe('hash of what is asked'),
})

export const LibraryJob = z.strictObject({ kind: z.literal('library'), video: z.string(), config: z.string() })

export const JobData = z.discriminatedUnion('kind', [StageJob, AskJob, MakeJob, LibraryJob])

export type StageJob = z.infer<typeof StageJob>
export type AskJob = z.infer<typeof AskJob>
export type MakeJob = z.infer<typeof MakeJob>
export type LibraryJob = z.infer<typeof LibraryJob>
export type JobData = z.infer<typeof JobData>

export type Resource = 'cpu' | 'gpu' | 'net'
