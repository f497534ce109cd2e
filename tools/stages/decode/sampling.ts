import type { Boundary, SmallFrame } from '../../../src/core/services.ts'
import type { Still } from '../../../src/core/video.ts'

export interface Candidate {
  time: number
  width: number
  height: number
  jpeg: Uint8Array
}

export interface Kept extends Candidate {
  reason: Still['reason']
}

export interface SamplingSettings {
  settle: number // seconds after a cut before a frame of the new shot counts as stable
  every: number // at least one still in this many seconds, however little moves
  perMinute: number // stills in a minute, over any longer time; so many may also come at once
}

export const defaultSampling: SamplingSettings = { settle: 0.12, every: 20, perMinute: 60 }

// Up to an hour a still a second, where so much is new; a day of it is not worth a day of stills.
export function samplingOf(duration: number): SamplingSettings {
  const hours = Math.max(1, duration / 3600)
  return { ...defaultSampling, perMinute: Math.max(10, defaultSampling.perMinute / Math.sqrt(hours)) }
}

// What must be left of the budget for a still of this kind: things that move leave enough for cuts and text that come later.
const reserve: Record<Still['reason'], number> = { change: 5 / 6, interval: 1 / 2, text: 1 / 3, shot: 0 }

const MEAN_CHANGE = 2.5 // of 255, over the whole small frame
const PIXEL_CHANGE = 7 // of 255, of one pixel of the small frame: a line of small text moves it by 10 to 60
const CHANGED_PIXELS = 3

interface Looked {
  y: Uint8Array
  boundary: number
}

export interface SavedSampler {
  waiting: Candidate[]
  small: { time: number; y: Uint8Array }[]
  boundaries: number[]
  lastKept: (Looked & { time: number }) | undefined
  spare: (Looked & { still: Candidate }) | undefined
  budget: { stills: number; time: number }
  seen: number
}

// Chooses which candidate stills to keep, as they come: the first stable one of each shot, then one whenever the picture
// has changed since the last kept one. Small frames and candidates come over different pipes, so either may run ahead.
export class Sampler {
  readonly #settings: SamplingSettings
  readonly #keep: (still: Kept) => Promise<void>
  readonly #waiting: Candidate[] = []
  #small: { time: number; y: Uint8Array }[] = []
  #boundaries: number[] = [0]
  #lastKept: SavedSampler['lastKept']
  #spare: SavedSampler['spare'] // of a shot that has no still yet
  #budget: { stills: number; time: number }
  #seen = Number.NEGATIVE_INFINITY

  constructor(settings: SamplingSettings, keep: (still: Kept) => Promise<void>) {
    this.#settings = settings
    this.#keep = keep
    this.#budget = { stills: settings.perMinute, time: 0 }
  }

  // Everything it knows, as plain data, and back.
  save(): SavedSampler {
    return {
      waiting: this.#waiting,
      small: this.#small.map(({ time, y }) => ({ time, y })),
      boundaries: this.#boundaries,
      lastKept: this.#lastKept,
      spare: this.#spare,
      budget: this.#budget,
      seen: this.#seen,
    }
  }

  restore(saved: SavedSampler): void {
    this.#waiting.splice(0, this.#waiting.length, ...saved.waiting)
    this.#small = saved.small
    this.#boundaries = saved.boundaries
    this.#lastKept = saved.lastKept
    this.#spare = saved.spare
    this.#budget = saved.budget
    this.#seen = saved.seen
  }

  small(frame: SmallFrame): void {
    this.#small.push(frame)
    if (this.#small.length > 4096) this.#small.splice(0, 1024)
    this.#seen = frame.time
  }

  boundary(boundary: Boundary): void {
    this.#boundaries.push(boundary.time)
  }

  // `certain`: boundaries up to this second are known.
  async candidate(still: Candidate, certain: number): Promise<void> {
    this.#waiting.push(still)
    await this.settle(certain)
  }

  async settle(certain: number): Promise<void> {
    const isKnown = (still: Candidate | undefined) => still && still.time <= Math.min(certain, this.#seen)
    while (isKnown(this.#waiting[0])) await this.#decide(this.#waiting.shift() as Candidate)
  }

  async finish(): Promise<void> {
    await this.settle(Number.POSITIVE_INFINITY)
    for (const still of this.#waiting.splice(0)) await this.#decide(still)
    await this.#takeSpare(Number.POSITIVE_INFINITY)
  }

  async #decide(still: Candidate): Promise<void> {
    const y = this.#smallAt(still.time)
    const boundary = lastAtOrBefore(this.#boundaries, still.time)
    this.#boundaries = this.#boundaries.filter(time => time >= boundary)
    await this.#takeSpare(boundary)
    const last = this.#lastKept
    const reason = this.#reason(still.time, y, boundary, last)
    if (reason) await this.#take(still, y, boundary, reason)
    else if (last?.boundary !== boundary) this.#spare = { still, y, boundary }
  }

  // A shot that ended before a stable frame of it came is shown by what there was.
  async #takeSpare(boundary: number): Promise<void> {
    const spare = this.#spare
    if (!spare || spare.boundary === boundary) return
    this.#spare = undefined
    await this.#take(spare.still, spare.y, spare.boundary, 'shot')
  }

  async #take(still: Candidate, y: Uint8Array, boundary: number, reason: Still['reason']): Promise<void> {
    if (!this.#affords(still.time, reason)) return
    if (this.#spare?.boundary === boundary) this.#spare = undefined
    this.#lastKept = { time: still.time, y, boundary }
    await this.#keep({ ...still, reason })
  }

  #affords(time: number, reason: Still['reason']): boolean {
    const { perMinute } = this.#settings
    const { stills, time: before } = this.#budget
    const left = Math.min(perMinute, stills + (Math.max(0, time - before) * perMinute) / 60)
    const enough = left >= 1 + reserve[reason] * (perMinute - 1)
    this.#budget = { stills: enough ? left - 1 : left, time }
    return enough
  }

  #reason(
    time: number,
    y: Uint8Array,
    boundary: number,
    last: { time: number; y: Uint8Array; boundary: number } | undefined,
  ): Still['reason'] | undefined {
    if (!last) return 'shot'
    if (boundary !== last.boundary) return time - boundary >= this.#settings.settle ? 'shot' : undefined
    const change = changeBetween(y, last.y)
    if (change.mean >= MEAN_CHANGE) return 'change'
    if (change.pixels >= CHANGED_PIXELS) return 'text'
    return time - last.time >= this.#settings.every ? 'interval' : undefined
  }

  #smallAt(time: number): Uint8Array {
    let at = 0
    while ((this.#small[at + 1]?.time ?? Number.POSITIVE_INFINITY) <= time + 1e-4) at++
    const found = this.#small[at]?.y ?? new Uint8Array(0)
    this.#small = this.#small.slice(at)
    return found
  }
}

export function changeBetween(a: Uint8Array, b: Uint8Array): { mean: number; pixels: number } {
  const size = Math.min(a.length, b.length)
  if (size === 0) return { mean: 255, pixels: 0 }
  let sum = 0
  let pixels = 0
  for (let i = 0; i < size; i++) {
    const difference = Math.abs(a[i]! - b[i]!)
    sum += difference
    if (difference >= PIXEL_CHANGE) pixels++
  }
  return { mean: sum / size, pixels }
}

function lastAtOrBefore(sorted: number[], time: number): number {
  let found = sorted[0] ?? 0
  for (const value of sorted) {
    if (value > time + 1e-4) break
    found = value
  }
  return found
}
