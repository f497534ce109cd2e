import { untilAborted } from '../../src/core/basics/signals.ts'

// At most `count` calls at a time, first come first served; waiting can be aborted.
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    let enter = () => {}
    const turn = new Promise<void>(resolve => {
      enter = resolve
    })
    this.#waiting.push(enter)
    try {
      await untilAborted(turn, signal)
    } catch (error) {
      const at = this.#waiting.indexOf(enter)
      if (at >= 0) this.#waiting.splice(at, 1)
      else this.#release() // its turn came in the same moment
      throw error
    }
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
