import { roundTime, type Span } from '../../core/time.ts'

const noticeable = 1 // seconds

// What a GapLog knows, as plain data.
export interface SavedGaps {
  long: [number, number][] // distances of more than a second: the frame before and the one after
  steps: Record<number, number> // how many distances there were of each size, in eighths of an octave
}

// Distances between the frames of a stream as they come, in memory that grows only with the number of long ones.
export class GapLog {
  #last: number | undefined
  readonly #long: [number, number][]
  readonly #steps: Record<number, number>

  constructor(saved?: SavedGaps, last?: number) {
    this.#long = saved ? [...saved.long] : []
    this.#steps = { ...saved?.steps }
    this.#last = last
  }

  frame(time: number): void {
    const last = this.#last
    this.#last = time
    if (last === undefined || time <= last) return
    const step = Math.round(Math.log2(time - last) * 8)
    this.#steps[step] = (this.#steps[step] ?? 0) + 1
    if (time - last > noticeable) this.#long.push([last, time])
  }

  save(): SavedGaps {
    return { long: [...this.#long], steps: { ...this.#steps } }
  }

  // The median distance, within 5 %.
  get usual(): number {
    const sizes = Object.entries(this.#steps)
      .map(([step, count]) => ({ step: Number(step), count }))
      .sort((a, b) => a.step - b.step)
    const half = sizes.reduce((sum, { count }) => sum + count, 0) / 2
    let sum = 0
    for (const { step, count } of sizes) {
      sum += count
      if (sum >= half) return 2 ** (step / 8)
    }
    return 0
  }

  // Where no frame was shown for longer than is usual in this stream: from the end of one frame to the start of the next.
  gaps(): Span[] {
    const usual = this.usual
    return this.#long
      .filter(([from, to]) => to - from > Math.max(noticeable, 3.15 * usual))
      .map(([from, to]) => ({ start: roundTime(Math.min(to, from + usual)), end: roundTime(to) }))
  }
}
