import { BackendError } from '../../core/errors.ts'
import type { Span } from '../../core/time.ts'
import { FrameTimes } from '../ffmpeg/frame-times.ts'
import { splitBlocks, splitJpegs, splitSamples } from '../ffmpeg/split-bytes.ts'
import { explainExit, killed, killedHint, type PipeReader, runProgram } from '../program/run-program.ts'
import { type PassWork, passArguments, smallBytes } from './pass-command.ts'
import { SoundGaps } from './sound-gaps.ts'

// Where one run puts what it decodes, with the times as the file has them. A promise holds the decoder back until it is settled.
export interface RunSinks {
  small(raw: number | undefined, block: Uint8Array): void | Promise<void>
  still(raw: number | undefined, jpeg: Uint8Array): void | Promise<void>
  sound(pcm: Uint8Array): void | Promise<void>
  progress?(seconds: number): void // how much has been decoded, where pieces do not come in order
}

export interface RunResult {
  code: number
  said: string // the last line of what it complained of
  errors: number // complaints of the decoders
  sound?: { gaps: Span[]; leftOut?: Span } // where it has none, and what was left out because it was too far away
}

// The C library gives back what ffmpeg has let go of: tables of a long file that grew are copied often, and an arena of memory for
// each thread keeps them all. Some ten megabytes a process at twelve hours, at no cost in time; other libraries do not know these.
const sparing = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

// One ffmpeg over a file or a part of it, read to its end.
export async function runPass(
  work: PassWork,
  sinks: RunSinks,
  signal: AbortSignal,
  counts = () => true, // whether complaints count now
): Promise<RunResult> {
  const args = await passArguments(work)
  const smallTimes = new FrameTimes()
  const stillTimes = new FrameTimes()
  const soundGaps = new SoundGaps()
  const readSmall: PipeReader = async bytes => {
    // Never waits for a time while there may be more frames: ffmpeg, held back by us, would not come to write it.
    const waitingBlocks: Uint8Array[] = []
    for await (const blocks of splitBlocks(bytes, smallBytes)) {
      waitingBlocks.push(...blocks)
      const timedBlocks = waitingBlocks.splice(0, smallTimes.known)
      for (const block of timedBlocks) {
        const wait = sinks.small(smallTimes.take() as number | undefined, block)
        if (wait) await wait
      }
    }
    for (const block of waitingBlocks) await sinks.small(await smallTimes.take(), block)
  }
  const readStills: PipeReader = async bytes => {
    for await (const jpeg of splitJpegs(bytes)) await sinks.still(await stillTimes.take(), jpeg)
  }
  const readSound: PipeReader = async bytes => {
    for await (const pcm of soundGaps.fill(splitSamples(bytes))) {
      const wait = sinks.sound(pcm)
      if (wait) await wait
    }
  }
  let errors = 0
  let lastMessage = ''
  const { code, stderr } = await runProgram('ffmpeg', args, {
    signal,
    environment: sparing,
    yields: true, // decoding is seldom what an index waits for: speech is
    pipes: [readSmall, smallTimes.read, readStills, stillTimes.read, readSound],
    failure: 'return',
    onStderrLine: line => {
      if (soundGaps.line(line)) return
      lastMessage = line.trim()
      if (/\[(error|fatal|panic)\]/.test(line) && counts()) errors++
    },
    stallSeconds: 180,
    timeoutSeconds: 3600 + 100 * work.video.duration,
  })
  const starved = code === killed || (code !== 0 && /cannot allocate memory|too many open files/i.test(stderr))
  // A partial result would depend on the memory there is: a run with more of it gives another one.
  if (starved)
    throw new BackendError(`ffmpeg ended: ${explainExit(code, lastMessage)}.`, { hint: killedHint, retryable: true })
  const { gaps, leftOut } = soundGaps
  const sound = work.sound && { sound: { gaps, leftOut } }
  return { code, said: code === 0 ? '' : explainExit(code, lastMessage), errors, ...sound }
}
