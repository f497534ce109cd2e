import { lowerQuantile } from '../../quantile.ts'
import type { SoundEvent } from './sound-event.ts'
import { frameSeconds } from './sound-frame.ts'

const side = Math.round(3 / frameSeconds) // frames before and after a moment that are compared
const minChange = 12 // decibels
const audible = -55 // decibels below full scale; what rises out of silence is an event already
const apart = 5 // seconds between two changes

// Finds where the sound becomes much louder or quieter and stays so. The upper quarter of the levels is compared, so that
// the pauses of speech do not count.
export class LoudnessChanges {
  readonly #levels: number[] = []
  #best: SoundEvent | undefined
  #last = Number.NEGATIVE_INFINITY

  push(level: number, time: number): SoundEvent[] {
    this.#levels.push(level)
    if (this.#levels.length > side * 2) this.#levels.shift()
    if (this.#levels.length < side * 2 || Math.round(time / frameSeconds) % 4 !== 0) return []
    const before = lowerQuantile(this.#levels.slice(0, side), 0.75)
    const after = lowerQuantile(this.#levels.slice(side), 0.75)
    const at = time - (side - 1) * frameSeconds
    const change = Math.abs(after - before)
    const waiting = this.#best
    if (
      change >= minChange &&
      Math.min(before, after) > audible &&
      at - this.#last >= apart &&
      change > (waiting?.change ?? 0)
    )
      this.#best = {
        kind: after > before ? 'louder' : 'quieter',
        span: { start: at, end: at + 1 },
        count: 1,
        centre: 0,
        level: after,
        change,
      }
    if (!waiting || waiting !== this.#best || at - waiting.span.start < 1) return []
    this.#best = undefined
    this.#last = waiting.span.start
    return [waiting]
  }
}
