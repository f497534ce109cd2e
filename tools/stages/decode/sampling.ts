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

interface SamplingSettings {
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

// All that a sampler knows, as plain data.
export interface SavedSampler {
  waiting: Candidate[]
  small: { time: number; y: Uint8Array }[]
  boundaries: number[]
  lastKept: (Looked & { time: number }) | undefined
  spare: (Looked & { still: Candidate }) | undefined // of a shot that has no still yet
  budget: { stills: number; time: number }
  seen: number
}

// Chooses which candidate stills to keep, as they come: the first stable one of each shot, then one whenever the picture
// has changed since the last kept one. Small frames and candidates come over different pipes, so either may run ahead.
export class Sampler {
  readonly #settings: SamplingSettings
  readonly #keep: (still: Kept) => Promise<void>
  #state: SavedSampler

  constructor(settings: SamplingSettings, keep: (still: Kept) => Promise<void>) {
    this.#settings = settings
    this.#keep = keep
    this.#state = {
      waiting: [],
      small: [],
      boundaries: [0],
      lastKept: undefined,
      spare: undefined,
      budget: { stills: settings.perMinute, time: 0 },
      seen: Number.NEGATIVE_INFINITY,
    }
  }

  // Everything it knows, as plain data, and back.
  save(): SavedSampler {
    return this.#state
  }

  restore(saved: SavedSampler): void {
    this.#state = saved
  }

  small(frame: SmallFrame): void {
    this.#state.small.push({ time: frame.time, y: frame.y })
    if (this.#state.small.length > 4096) this.#state.small.splice(0, 1024)
    this.#state.seen = frame.time
  }

  boundary(boundary: Boundary): void {
    this.#state.boundaries.push(boundary.time)
  }

  // `certain`: boundaries up to this second are known.
  async candidate(still: Candidate, certain: number): Promise<void> {
    this.#state.waiting.push(still)
    await this.settle(certain)
  }

  async settle(certain: number): Promise<void> {
    const isKnown = (still: Candidate | undefined) => still && still.time <= Math.min(certain, this.#state.seen)
    while (isKnown(this.#state.waiting[0])) await this.#decide(this.#state.waiting.shift() as Candidate)
  }

  async finish(): Promise<void> {
    await this.settle(Number.POSITIVE_INFINITY)
    for (const still of this.#state.waiting.splice(0)) await this.#decide(still)
    await this.#takeSpare(Number.POSITIVE_INFINITY)
  }

  async #decide(still: Candidate): Promise<void> {
    const y = this.#smallAt(still.time)
    const boundary = lastAtOrBefore(this.#state.boundaries, still.time)
    this.#state.boundaries = this.#state.boundaries.filter(time => time >= boundary)
    await this.#takeSpare(boundary)
    const last = this.#state.lastKept
    const reason = this.#reason(still.time, y, boundary, last)
    if (reason) await this.#take(still, y, boundary, reason)
    else if (last?.boundary !== boundary) this.#state.spare = { still, y, boundary }
  }

  // A shot that ended before a stable frame of it came is shown by what there was.
  async #takeSpare(boundary: number): Promise<void> {
    const spare = this.#state.spare
    if (!spare || spare.boundary === boundary) return
    this.#state.spare = undefined
    await this.#take(spare.still, spare.y, spare.boundary, 'shot')
  }

  async #take(still: Candidate, y: Uint8Array, boundary: number, reason: Still['reason']): Promise<void> {
    if (!this.#affords(still.time, reason)) return
    if (this.#state.spare?.boundary === boundary) this.#state.spare = undefined
    this.#state.lastKept = { time: still.time, y, boundary }
    await this.#keep({ ...still, reason })
  }

  #affords(time: number, reason: Still['reason']): boolean {
    const { perMinute } = this.#settings
    const { stills, time: before } = this.#state.budget
    const left = Math.min(perMinute, stills + (Math.max(0, time - before) * perMinute) / 60)
    const enough = left >= 1 + reserve[reason] * (perMinute - 1)
    this.#state.budget = { stills: enough ? left - 1 : left, time }
    return enough
  }

  #reason(time: number, y: Uint8Array, boundary: number, last: SavedSampler['lastKept']): Still['reason'] | undefined {
    if (!last) return 'shot'
    if (boundary !== last.boundary) return time - boundary >= this.#settings.settle ? 'shot' : undefined
    const change = changeBetween(y, last.y)
    if (change.mean >= MEAN_CHANGE) return 'change'
    if (change.pixels >= CHANGED_PIXELS) return 'text'
    return time - last.time >= this.#settings.every ? 'interval' : undefined
  }

  #smallAt(time: number): Uint8Array {
    let at = 0
    while ((this.#state.small[at + 1]?.time ?? Number.POSITIVE_INFINITY) <= time + 1e-4) at++
    const found = this.#state.small[at]?.y ?? new Uint8Array(0)
    this.#state.small = this.#state.small.slice(at)
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
