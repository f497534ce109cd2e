import { z } from 'zod'
import { inOrder } from '../../src/core/basics/in-order.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { roundTime, type Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { batchSetting } from '../onnx/batches.ts'
import { Loudness } from './loudness.ts'

export const taggerBatch = { cpu: 8, card: 32 }

// The settings that every tagger shares: spread them into its schema.
export const tagSettings = {
  threshold: z.number().min(0).max(1).default(0.3).describe('the score from which a sound counts as heard'),
  batch: batchSetting(taggerBatch, 'windows in one run'),
}

export function windowSetting(seconds: number, step: string) {
  return z.number().min(1).max(30).default(seconds).describe(`seconds that are heard at once; ${step}`)
}

interface Tagging {
  audio: AudioSource
  span: Span
  threshold: number
  windowSeconds: number
  stepSeconds: number // half of the window at most
  atOnce(): number // windows of one run
  labels: string[]
  // A score for each label of each window. Windows of silence are not asked about.
  scores(windows: Float32Array[]): Promise<ArrayLike<number>[]>
  signal: AbortSignal
}

interface Run extends Span {
  label: string
  best: number // score
}

const stays = 0.7 // of the threshold: how far a score may fall before the sound counts as over

// Sounds by name, with when they begin and end. Windows overlap by half or more, and a moment has the mean score of the windows
// that hear it; the ends of a sound are then drawn in to where something can be heard at all.
export async function* taggedSounds(tagging: Tagging): AsyncGenerator<Finding> {
  const { audio, threshold, labels, signal } = tagging
  const step = tagging.stepSeconds
  const whole = { start: Math.max(0, tagging.span.start), end: Math.min(tagging.span.end, audio.duration) }
  const loudness = new Loudness(whole.start)
  const open = new Map<number, Run>()
  const findings: Finding[] = []
  let before: ArrayLike<number> | undefined

  const close = (at: number, run: Run) => {
    open.delete(at)
    const span = loudness.audible(run)
    if (!span) return
    const [start, end] = [roundTime(span.start), roundTime(Math.min(span.end, whole.end))]
    const confidence = Math.round(Math.min(1, run.best) * 1000) / 1000
    if (end > start) findings.push({ span: { start, end }, track: 'sound', text: run.label.toLowerCase(), confidence })
  }
  const hear = (cell: Span, scoreOf: (at: number) => number) => {
    for (const [at, label] of labels.entries()) {
      const score = scoreOf(at)
      const run = open.get(at)
      if (run && score >= threshold * stays) {
        run.end = cell.end
        run.best = Math.max(run.best, score)
      } else if (run) close(at, run)
      else if (score >= threshold) open.set(at, { ...cell, label, best: score })
    }
  }
  const ready = function* (until: number) {
    const first = Math.min(until, ...[...open.values()].map(run => run.start))
    findings.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    const later = findings.findIndex(({ span }) => span.start >= first)
    yield* findings.splice(0, later < 0 ? findings.length : later)
  }

  for await (const { at, scores } of scored(tagging, whole, step, loudness)) {
    signal.throwIfAborted()
    const last = before
    hear({ start: at, end: at + step }, label => (last ? (last[label]! + scores[label]!) / 2 : scores[label]!))
    before = scores
    yield* ready(at + step)
  }
  const end = before
  if (end) hear({ start: whole.end - step, end: whole.end }, label => end[label]!)
  for (const [at, run] of open) close(at, run)
  yield* ready(Number.POSITIVE_INFINITY)
}

// The windows of a span with their scores, in order of time. While some are scored, the next ones are read and prepared.
async function* scored(
  { audio, windowSeconds, atOnce, labels, scores, signal }: Tagging,
  whole: Span,
  step: number,
  loudness: Loudness,
): AsyncGenerator<{ at: number; scores: ArrayLike<number> }> {
  const none = new Float32Array(labels.length)
  const groups = async function* () {
    const count = Math.ceil((whole.end - whole.start) / step)
    for (let next = 0; next < count; ) {
      const windows: { at: number; samples: Float32Array }[] = []
      for (const end = Math.min(count, next + atOnce()); next < end; next++) {
        const at = whole.start + next * step
        const samples = await audio.read({ start: at, end: Math.min(at + windowSeconds, whole.end) })
        loudness.push(at, samples.subarray(0, Math.round(step * audio.rate)))
        windows.push({ at, samples })
      }
      yield windows
    }
  }
  for await (const group of inOrder(groups(), 2, signal, async windows => {
    const loud = windows.filter(({ samples }) => Loudness.isAudible(samples))
    const loudScores = loud.length > 0 ? await scores(loud.map(({ samples }) => samples)) : []
    return windows.map(window => ({ at: window.at, scores: loudScores[loud.indexOf(window)] ?? none }))
  }))
    yield* group
}
