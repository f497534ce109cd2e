import { z } from 'zod'
import type { Watch } from '../../src/core/agent.ts'
import type { SharedStages } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { MakeWorkers } from './machine/workers.ts'

// What is wished of a making, as made/request.json keeps it for --resume and --replay.
export const MakingRequest = z.object({
  format: z.literal(1),
  recipe: z.string(),
  from: z.array(z.string()), // absolute paths of videos, and sets as "NAME:FOLDER"
  seed: z.number().int(),
  options: z.array(z.string()), // "name=value"
  licence: z.string().optional(), // of the videos that state none
  exclude: z.array(z.string()), // ids and names
})
export type MakingRequest = z.infer<typeof MakingRequest>

export interface MakeRequest {
  wish: MakingRequest
  out: string // the folder of the set
  replay?: string // a set whose recorded calls stand in for every model
  copy: boolean
  until?: string // a stage
  dryRun: boolean
  concurrency: number // videos side by side
}

export interface MakeWorld extends BenchWorld {
  workers?: MakeWorkers
  shared?(video: Video, watch: Watch): Promise<SharedStages> // results of other machines
}
