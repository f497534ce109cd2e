import type { Span } from '../../src/core/time.ts'

const rate = 16_000
const perSecond = 20
const block = rate / perSecond
const minLevel = -60 // decibels below full scale under which nothing is heard
const below = 35 // decibels under the loudest moment of a sound at which it counts as over

// How loud each twentieth of a second is, kept for as long as sounds are looked for.
export class Loudness {
  readonly #start: number
  readonly #levels: number[] = []

  constructor(start: number) {
    this.#start = start
  }

  static isAudible(samples: Float32Array): boolean {
    return measureLevels(samples).some(level => level > minLevel)
  }

  // Samples that follow one another; `at` is where they begin.
  push(at: number, samples: Float32Array): void {
    const from = Math.round((at - this.#start) * perSecond)
    measureLevels(samples).forEach((level, i) => {
      this.#levels[from + i] = level
    })
  }

  // The part of a span in which something is heard; undefined if nothing is.
  audible({ start, end }: Span): Span | undefined {
    const from = Math.max(0, Math.floor((start - this.#start) * perSecond))
    const to = Math.min(this.#levels.length, Math.ceil((end - this.#start) * perSecond))
    const levels = this.#levels.slice(from, to)
    const threshold = Math.max(minLevel, levels.reduce((max, level) => Math.max(max, level), minLevel) - below)
    const first = levels.findIndex(level => level > threshold)
    if (first < 0) return undefined
    const last = levels.findLastIndex(level => level > threshold)
    const time = (index: number) => this.#start + (from + index) / perSecond
    return { start: Math.max(start, time(first)), end: Math.min(end, time(last + 1)) }
  }
}

function measureLevels(samples: Float32Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / block) }, (_, i) => {
    const blockSamples = samples.subarray(i * block, (i + 1) * block)
    const power = blockSamples.reduce((sum, sample) => sum + sample * sample, 0) / blockSamples.length
    return 10 * Math.log10(power + 1e-12)
  })
}
