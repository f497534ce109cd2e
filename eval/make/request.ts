import { z } from 'zod'
import type { BenchWorld } from '../bench/bench-request.ts'

// What is wished of a making, as made/request.json keeps it for --resume and --replay.
export const MakeWish = z.object({
  format: z.literal(1),
  recipe: z.string(),
  from: z.array(z.string()), // absolute paths of videos, and sets as "NAME:FOLDER"
  seed: z.number().int(),
  options: z.array(z.string()), // "name=value"
  licence: z.string().optional(), // of the videos that state none
  exclude: z.array(z.string()), // ids and names
})
export type MakeWish = z.infer<typeof MakeWish>

export interface MakeRequest {
  wish: MakeWish
  out: string // the folder of the set
  replay?: string // a set whose recorded calls stand in for every model
  copy: boolean
  until?: string // a stage
  dryRun: boolean
  concurrency: number // videos side by side
}

export type MakeWorld = BenchWorld
