import type { SmallFrame } from '../../src/core/services.ts'

export interface MeasuredFrame {
  frame: SmallFrame
  difference: number // to the frame before
  changed: number
  contrast: number
}

export interface SavedWindow {
  count: number
  held: MeasuredFrame[] // in the places they have in the ring
}

// The last frames with what was measured of each. Numbered from 0 over the whole video; only the last `size` are held.
export class FrameWindow {
  readonly #ring: MeasuredFrame[]
  #count = 0

  constructor(size: number) {
    this.#ring = new Array(size)
  }

  push(measured: MeasuredFrame): void {
    this.#ring[this.#count % this.#ring.length] = measured
    this.#count++
  }

  save(): SavedWindow {
    return { count: this.#count, held: this.#ring.filter(Boolean) }
  }

  restore({ count, held }: SavedWindow): void {
    for (const [at, measured] of held.entries()) this.#ring[at] = measured
    this.#count = count
  }

  get count(): number {
    return this.#count
  }

  has(index: number): boolean {
    return index >= Math.max(0, this.#count - this.#ring.length) && index < this.#count
  }

  at(index: number): MeasuredFrame {
    return this.#ring[index % this.#ring.length]!
  }

  time(index: number): number {
    return this.at(index).frame.time
  }
}
