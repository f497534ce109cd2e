import type { Boundary, SmallFrame } from '../../../src/core/services.ts'
import type { IndexSettings } from '../../../src/core/settings.ts'
import type { Still } from '../../../src/core/video.ts'

interface Candidate {
  time: number
  width: number
  height: number
  jpeg: Uint8Array
}

export interface KeptStill extends Candidate {
  reason: Still['reason']
}

interface SamplingSettings {
  settle: number // seconds after a cut before a frame of the new shot counts as stable
  every: number // no two neighbouring stills of a shot are further apart, whatever moves and whatever is left of the budget
  perMinute: number // stills in a minute, over any longer time; so many may also come at once
}

export const defaultSampling: SamplingSettings = { settle: 0.12, every: 5, perMinute: 60 }

// Up to an hour a still a second, where so much is new; a day of it is not worth a day of stills.
export function chooseSampling(duration: number, level: IndexSettings['level']): SamplingSettings {
  const hours = Math.max(1, duration / 3600)
  return {
    ...defaultSampling,
    every: maxStillGap(level),
    perMinute: Math.max(10, defaultSampling.perMinute / Math.sqrt(hours)),
  }
}

export function maxStillGap(level: IndexSettings['level']): number {
  return level === 'thorough' ? 3 : defaultSampling.every
}

// What must be left of the budget after a still of a shot that has one: movement, small or large, leaves enough for cuts.
const reserve = 5 / 6

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
  lastKept: (Looked & { time: number }) | undefined // `y`: of the last one that showed something new
  spare: (Looked & { still: Candidate; reason: Still['reason'] }) | undefined // the last candidate, if it was not kept
  budget: { stills: number; time: number }
  seen: number
}

// Chooses which candidate stills to keep, as they come: the first stable one of each shot, then one whenever the picture
// has changed since the last kept one. Small frames and candidates come over different pipes, so either may run ahead.
export class Sampler {
  readonly #settings: SamplingSettings
  readonly #keep: (still: KeptStill) => Promise<void>
  #state: SavedSampler

  constructor(settings: SamplingSettings, keep: (still: KeptStill) => Promise<void>) {
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
    await this.#takeSpare(this.#state.seen, Number.POSITIVE_INFINITY)
  }

  async #decide(still: Candidate): Promise<void> {
    const y = this.#smallAt(still.time)
    const boundary = lastAtOrBefore(this.#state.boundaries, still.time)
    this.#state.boundaries = this.#state.boundaries.filter(time => time >= boundary)
    await this.#takeSpare(still.time, boundary)
    const reason = this.#reason(still.time, y, boundary, this.#state.lastKept)
    if (reason && this.#affords(still.time, reason)) await this.#take(still, y, boundary, reason)
    else this.#state.spare = { still, y, boundary, reason: reason ?? 'interval' }
  }

  // Before the next candidate: a shot that ended before a stable frame of it came is shown by what there was, and no two stills of a
  // shot are too far apart.
  async #takeSpare(next: number, boundary: number): Promise<void> {
    const { spare, lastKept } = this.#state
    if (!spare) return
    const isOver = boundary !== spare.boundary
    if (isOver) this.#state.spare = undefined
    if (lastKept?.boundary !== spare.boundary) {
      if (isOver && this.#affords(spare.still.time, 'shot'))
        await this.#take(spare.still, spare.y, spare.boundary, 'shot')
    } else if (Math.min(next, isOver ? boundary : next) - lastKept.time > this.#settings.every + 1e-3)
      await this.#take(spare.still, spare.y, spare.boundary, spare.reason)
  }

  async #take(still: Candidate, y: Uint8Array, boundary: number, reason: Still['reason']): Promise<void> {
    const last = this.#state.lastKept
    this.#state.spare = undefined
    this.#state.lastKept = { time: still.time, y: reason === 'interval' && last ? last.y : y, boundary }
    await this.#keep({ ...still, reason })
  }

  #affords(time: number, reason: Still['reason']): boolean {
    const { perMinute } = this.#settings
    const { stills, time: before } = this.#state.budget
    const budget = Math.min(perMinute, stills + (Math.max(0, time - before) * perMinute) / 60)
    const enough = budget >= 1 + (reason === 'shot' ? 0 : reserve * (perMinute - 1))
    this.#state.budget = { stills: enough ? budget - 1 : budget, time }
    return enough
  }

  #reason(time: number, y: Uint8Array, boundary: number, last: SavedSampler['lastKept']): Still['reason'] | undefined {
    if (!last) return 'shot'
    if (boundary !== last.boundary) return time - boundary >= this.#settings.settle ? 'shot' : undefined
    const change = changeBetween(y, last.y)
    if (change.mean >= MEAN_CHANGE) return 'change'
    return change.pixels >= CHANGED_PIXELS ? 'text' : undefined
  }

  #smallAt(time: number): Uint8Array {
    let at = 0
    while ((this.#state.small[at + 1]?.time ?? Number.POSITIVE_INFINITY) <= time + 1e-4) at++
    const luma = this.#state.small[at]?.y ?? new Uint8Array(0)
    this.#state.small = this.#state.small.slice(at)
    return luma
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
  let latest = sorted[0] ?? 0
  for (const value of sorted) {
    if (value > time + 1e-4) break
    latest = value
  }
  return latest
}
