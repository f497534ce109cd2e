import type { Boundary } from '../../src/core/services.ts'

// Boundaries found by several rules, some of which need to see more than others, handed out in the order of their times.
export class InOrder {
  #held: Boundary[] = []
  readonly #seconds: number

  // No rule finds anything later than so many seconds after it happened.
  constructor(seconds: number) {
    this.#seconds = seconds
  }

  get held(): Boundary[] {
    return this.#held
  }

  hold(boundaries: Boundary[]): void {
    this.#held = boundaries
  }

  release(found: Boundary[], now: number): Boundary[] {
    if (found.length > 0) this.#held = [...this.#held, ...found].sort((a, b) => a.time - b.time)
    let ripe = 0
    while (ripe < this.#held.length && this.#held[ripe]!.time <= now - this.#seconds) ripe++
    return ripe > 0 ? this.#held.splice(0, ripe) : []
  }
}
