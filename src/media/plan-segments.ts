import { availableParallelism } from 'node:os'
import { decodersThatFit } from './decode-memory.ts'
import type { PassSettings } from './decode-pass.ts'
import type { PassWork } from './pass-command.ts'
import { findSeams, type Seams } from './seams.ts'
import type { SideBySide } from './side-by-side.ts'

const shortest = 24 // seconds of a file that is worth two decoders
const framesEach = 1000 // what a piece that waits for its turn holds in memory
const secondsEach = { least: 20, most: 300 }

// How a file is cut for decoding: into pieces of about a minute, two at once on two cores, a whole number of rounds.
export async function planSegments(
  { video, picture, span, level }: PassWork,
  wanted: PassSettings['segments'],
  signal: AbortSignal,
  known?: Seams, // of an earlier run
): Promise<SideBySide> {
  const cores = availableParallelism()
  const atOnce = decodersThatFit(picture, cores < 2 ? 1 : cores < 8 ? 2 : 4)
  const threads = Math.max(1, Math.floor(cores / atOnce))
  const inOne = (why: string) => ({ seams: { times: [], reordered: false, why }, atOnce, threads })
  if (known) return { seams: known, atOnce, threads }
  if (wanted === 1) return inOne('one was asked for')
  if (span || !picture) return inOne(span ? 'only a part is decoded' : 'there is no picture')
  if (level === 'quick') return inOne('keyframes alone are read')
  if (wanted === 'auto' && video.duration < shortest) return inOne('it is short')
  const usual = Math.min(secondsEach.most, Math.max(secondsEach.least, framesEach / (picture.frameRate ?? 25)))
  const count = wanted === 'auto' ? Math.ceil(video.duration / usual / atOnce) * atOnce : wanted
  return { seams: await findSeams(video, video.duration / count, signal), atOnce, threads }
}
