import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Watch } from '../../src/core/agent.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { SharedStages } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { MakeWorkers } from './machine/workers.ts'
import { idsIn, refuseAddresses, videosFrom } from './source/inputs.ts'

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

interface Typed {
  recipe: string
  cwd: string
  from: readonly string[]
  options: string[]
  seed: number
  licence?: string
  exclude: readonly string[] // files
}

// What is wished: as it was typed, with its paths made absolute, or as a set that was begun has it.
export async function readMakeRequest(given: Typed | { set: string }): Promise<MakingRequest> {
  if ('set' in given) return recordedWish(given.set)
  const { recipe, cwd, from, options, seed, licence, exclude } = given
  refuseAddresses(from)
  const sets = from.filter(path => isSet(path))
  const paths = from.filter(path => !isSet(path))
  const videos = paths.length > 0 || sets.length === 0 ? await videosFrom(paths, cwd) : []
  const folders = sets.map(set => {
    const at = set.indexOf(':')
    return `${set.slice(0, at)}:${resolve(cwd, set.slice(at + 1))}`
  })
  const excluded = await idsIn(exclude.map(file => resolve(cwd, file)))
  const placed = options.map(option =>
    option.replace(
      /^(prompts|templates|types)=(.+)$/,
      (_, name: string, path: string) => `${name}=${resolve(cwd, path)}`,
    ),
  )
  return { format: 1, recipe, from: [...videos, ...folders], seed, options: placed, licence, exclude: excluded }
}

// "video-mme:folder": a set that longtake reads.
export function isSet(path: string): boolean {
  return /^[a-z][a-z-]+:/.test(path)
}

async function recordedWish(set: string): Promise<MakingRequest> {
  const read = MakingRequest.safeParse(parseStoredJson(await readTextFile(join(set, 'made', 'request.json'))))
  if (read.success) return read.data
  throw new UsageError(`${set} must be a set that was begun here.`, {
    hint: 'Name the folder that was given as --out.',
  })
}
