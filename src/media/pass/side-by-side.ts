import { availableParallelism } from 'node:os'
import { linkSignals } from '../../core/basics/signals.ts'
import { collectGarbage } from '../../core/machine/memory.ts'
import type { IndexSettings } from '../../core/settings.ts'
import { formatTime } from '../../core/time.ts'
import type { MediaClock } from '../ffmpeg/clock.ts'
import { decodersThatFit } from './decode-memory.ts'
import type { PassWork } from './pass-command.ts'
import { type RunResult, type RunSinks, runPass } from './pass-run.ts'
import { type KeepFile, pieceFiles } from './piece-files.ts'
import { SegmentBuffer, type SmallEvent } from './segment-buffer.ts'
import { findSplitPoints, type SplitPoints } from './split-points.ts'

interface SideBySide {
  seams: SplitPoints
  atOnce: number
  threads: number // of each decoder
  beside?: Promise<unknown> // a run for the sound, which takes the place of a piece as long as it goes on
  keep?: KeepFile // for the heads of pieces that are opened by themselves; without it they are opened in the whole file
  first?: number // the piece to begin with; those before it have been given out by an earlier run
}

const minSegmented = 24 // seconds of a file that is worth two decoders
const framesEach = 1000 // what a piece that waits for its turn holds in memory
const secondsEach = { min: 20, max: 1800 }

// How a file is cut for decoding: into pieces of about a minute, two at once on two cores, a whole number of rounds.
export async function planSegments(
  { video, picture, span, level }: PassWork,
  wanted: IndexSettings['segments'],
  signal: AbortSignal,
  known?: SplitPoints, // of an earlier run
): Promise<SideBySide> {
  const cores = availableParallelism()
  const atOnce = decodersThatFit(picture, cores < 2 ? 1 : cores < 8 ? 2 : 4)
  const threads = Math.max(1, Math.floor(cores / atOnce))
  const inOne = (why: string) => ({ seams: { times: [], reordered: false, why }, atOnce, threads })
  if (known) return { seams: known, atOnce, threads }
  if (wanted === 1) return inOne('one was asked for')
  if (span || !picture) return inOne(span ? 'only a part is decoded' : 'there is no picture')
  if (level === 'quick') return inOne('only keyframes are read')
  if (wanted === 'auto' && video.duration < minSegmented) return inOne('it is short')
  const usual = Math.min(secondsEach.max, Math.max(secondsEach.min, framesEach / (picture.frameRate ?? 25)))
  const count = wanted === 'auto' ? Math.ceil(video.duration / usual / atOnce) * atOnce : wanted
  return { seams: await findSplitPoints(video, video.duration / count, signal), atOnce, threads }
}

const tolerance = 0.0005 // seconds; times in files are finer than the output of ffprobe
const maxHeld = 6000 // small frames of a piece that waits for its turn: 21 MB
const worthCollecting = 8_000_000 // bytes; a collection takes 30 to 90 ms

// The picture of a file decoded in pieces, some at once, and given out in order as if it had been decoded in one go.
// Each piece goes on a few frames into the next one. Where the two disagree the rest is decoded in one go, entered one piece earlier.
export async function runSideBySide(
  work: PassWork,
  { seams, atOnce, threads, beside, keep, first = 0 }: SideBySide,
  sinks: RunSinks,
  signal: AbortSignal,
  atSeam: (next: number, soFar: RunResult) => Promise<void> = async () => {},
): Promise<RunResult & { disagreed?: string }> {
  const halt = linkSignals(signal)
  const pieces = new Map<number, Piece>() // those in work and those that wait, by their place
  const started: Promise<RunResult>[] = []
  const parts = new Map<number, number>()
  let decoded = first === 0 ? 0 : seams.times[first - 1]! - work.clock.zero
  const progress = (from: number, seconds: number) => {
    decoded += seconds - (parts.get(from) ?? 0)
    parts.set(from, seconds)
    sinks.progress?.(decoded)
  }
  const files = keep && (await pieceFiles(work.video, seams.times, keep))
  let launched = first
  const start = (entry: number | undefined, from: number, to: number, url?: Promise<string | undefined>) => {
    const piecePart = { entry, from, to, reordered: seams.reordered, progress, url }
    const piece = startPiece({ ...work, threads }, piecePart, sinks, halt.signal)
    started.push(piece.done)
    return piece
  }

  let head = first
  let running = 0
  let disagreed: string | undefined
  const launch = () => {
    while (running < atOnce && launched <= seams.times.length && launched <= head + atOnce) {
      const at = launched++
      const from = seams.times[at - 1] ?? Number.NEGATIVE_INFINITY
      const piece = start(seams.times[at - 1], from, seams.times[at] ?? Number.POSITIVE_INFINITY, files?.input(at))
      pieces.set(at, piece)
      occupy(piece.done)
    }
  }
  // Takes one of the decoders that may run at once until this work is over.
  const occupy = (work: Promise<unknown>) => {
    running++
    const over = () => {
      running--
      if (!halt.signal.aborted && !disagreed) launch()
    }
    work.then(over, over)
  }
  if (beside && atOnce > 1) occupy(beside)
  let passedOn = 0 // bytes since garbage was collected
  const eventSinks = {
    small({ raw, block }: SmallEvent) {
      passedOn += block.byteLength
      return sinks.small(raw, block)
    },
    still({ raw, jpeg }: { raw: number | undefined; jpeg: Uint8Array }) {
      passedOn += jpeg.byteLength
      return sinks.still(raw, jpeg)
    },
  }
  const total: RunResult = { code: 0, said: '', errors: 0 }
  try {
    for (let before: Piece | undefined; head <= seams.times.length; head++) {
      launch()
      let piece = pieces.get(head) as Piece
      if (before && !(await agree(before.beyond, piece))) {
        const seam = seams.times[head - 1]!
        for (const from of parts.keys()) if (from >= seam) progress(from, 0)
        disagreed = `the pieces do not meet exactly at ${formatTime(seam - work.clock.zero)}`
        for (const other of pieces.values()) other.stop()
        piece = start(seams.times[head - 2], seam, Number.POSITIVE_INFINITY)
        pieces.set(head, piece)
      } else if (before) await atSeam(head, total)
      pieces.delete(head - 1)
      if (passedOn >= worthCollecting) {
        collectGarbage()
        passedOn = 0
      }
      await Promise.race([piece.buffer.open(eventSinks), piece.done.then(() => new Promise<never>(() => {}))])
      const result = await piece.done
      total.errors += result.errors
      if (result.code !== 0) Object.assign(total, { code: result.code, said: result.said })
      if (disagreed) break
      before = piece
    }
    return { ...total, disagreed }
  } catch (error) {
    halt.abort(error)
    throw error
  } finally {
    for (const piece of pieces.values()) piece.buffer.drop()
    await Promise.allSettled(started)
    await files?.close()
    halt.clear()
  }
}

interface Piece {
  buffer: SegmentBuffer
  beyond: SmallEvent[] // the frames after its end, which the next piece must have too
  done: Promise<RunResult>
  stop(): void
}

interface PiecePart {
  entry: number | undefined // the keyframe where the file is entered
  from: number
  to: number
  reordered: boolean
  url?: Promise<string | undefined> // where it can be opened by itself
  progress(from: number, seconds: number): void // how much of this part has been decoded
}

function startPiece(
  work: PassWork,
  { entry, from, to, reordered, progress, url }: PiecePart,
  sinks: RunSinks,
  signal: AbortSignal,
): Piece {
  const buffer = new SegmentBuffer(maxHeld)
  const beyond: SmallEvent[] = []
  const pieceStop = new AbortController()
  const { zero } = work.clock
  const frame = 1 / (work.picture?.frameRate ?? 25)
  const span = { start: Math.max(from - tolerance - zero, -10), end: to - zero + Math.max(0.05, 3.5 * frame) }
  const isBeyond = (raw: number | undefined) => raw !== undefined && raw >= to - tolerance
  const runUp = { complaints: 0, over: false }
  const opened = async (): Promise<PassWork> => {
    const piece = await url
    if (piece && work.picture)
      return {
        ...work,
        span,
        url: piece,
        picture: { ...work.picture, index: 0 },
        clock: { inputOptions: ['-copyts'], zero },
      }
    return { ...work, span, clock: entry === undefined ? work.clock : enteringClock(work, entry, reordered) }
  }
  const sinksOfPiece: RunSinks = {
    small(raw, block) {
      runUp.over = true
      if (raw !== undefined) progress(from, Math.min(raw, to) - Math.max(from, zero))
      if (isBeyond(raw)) beyond.push({ raw, block })
      else return buffer.small({ raw, block })
    },
    still: (raw, jpeg) => (isBeyond(raw) ? undefined : buffer.still({ raw, jpeg })),
    sound: sinks.sound,
  }
  // What a decoder complains of before the first frame of a piece concerns frames that the piece before it shows.
  const counts = () => entry === undefined || runUp.over
  const pieceDone = opened()
    .then(input => runPass(input, sinksOfPiece, AbortSignal.any([signal, pieceStop.signal]), counts))
    .finally(() => buffer.end())
  pieceDone.catch(() => buffer.drop())
  return {
    buffer,
    beyond,
    done: pieceDone,
    stop: () => {
      buffer.drop()
      pieceStop.abort()
    },
  }
}

// ffmpeg seeks 3/23 of a second early where frames are reordered, but for kinds of file that know the times of their keyframes.
function enteringClock({ video, clock }: PassWork, entry: number, reordered: boolean): MediaClock {
  const early = reordered && !/mp4|mov/.test(video.container) ? 3 / 23 : 0
  const at = (entry + early + tolerance).toFixed(6)
  return { inputOptions: ['-copyts', '-noaccurate_seek', '-seek_timestamp', '1', '-ss', at], zero: clock.zero }
}

async function agree(beyond: SmallEvent[], next: Piece): Promise<boolean> {
  if (beyond.length === 0) return false
  const first = await next.buffer.first(beyond.length)
  return beyond.every(({ raw, block }, at) => {
    const same = first[at]
    return same !== undefined && same.raw === raw && Buffer.compare(same.block, block) === 0
  })
}
