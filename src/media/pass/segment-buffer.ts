export interface SmallEvent {
  raw: number | undefined
  block: Uint8Array
}
interface StillEvent {
  raw: number | undefined
  jpeg: Uint8Array
}
interface TurnSinks {
  small(event: SmallEvent): void | Promise<void>
  still(event: StillEvent): void | Promise<void>
}

// The output of one piece of a file, held until the pieces before it are done, then passed on at once.
// When it is full, a writer waits until it is open.
export class SegmentBuffer {
  readonly #most: number
  #small: SmallEvent[] = []
  #stills: StillEvent[] = []
  #open: TurnSinks | undefined
  #wake: (() => void)[] = []
  #ended = false

  constructor(most: number) {
    this.#most = most
  }

  small(event: SmallEvent): void | Promise<void> {
    if (this.#open) return this.#open.small(event)
    this.#small.push(event)
    this.#notify()
    if (this.#small.length >= this.#most) return this.#until(() => this.#open !== undefined)
  }

  still(event: StillEvent): void | Promise<void> {
    if (this.#open) return this.#open.still(event)
    this.#stills.push(event)
  }

  end(): void {
    this.#ended = true
    this.#notify()
  }

  // Nobody will take what it holds.
  drop(): void {
    this.#small = []
    this.#stills = []
    this.#open = { small: () => undefined, still: () => undefined }
    this.end()
  }

  // The first frames, as soon as there are so many or there will be no more.
  async first(count: number): Promise<SmallEvent[]> {
    await this.#until(() => this.#ended || this.#small.length >= count)
    return this.#small.slice(0, count)
  }

  // It is this piece's turn: gives out what was held, in the order of time, then everything that comes.
  async open(sinks: TurnSinks): Promise<void> {
    while (this.#small.length + this.#stills.length > 0) {
      const small = this.#small
      const stills = this.#stills
      this.#small = []
      this.#stills = []
      let next = 0
      for (const event of small) {
        await sinks.small(event)
        while (next < stills.length && before(stills[next]!, event)) await sinks.still(stills[next++]!)
      }
      for (; next < stills.length; next++) await sinks.still(stills[next]!)
    }
    this.#open = sinks
    this.#notify()
  }

  #notify(): void {
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }

  async #until(met: () => boolean): Promise<void> {
    while (!met()) await new Promise<void>(resolve => this.#wake.push(resolve))
  }
}

function before(still: StillEvent, { raw }: SmallEvent): boolean {
  return still.raw === undefined || raw === undefined || still.raw <= raw
}
