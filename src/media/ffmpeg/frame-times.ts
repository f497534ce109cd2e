import { byLine } from './split-bytes.ts'

// Presentation times as ffmpeg's metadata filter prints them, handed out one by one in the order of the frames.
export class FrameTimes {
  #times: (number | undefined)[] = []
  #next = 0
  #wake: (() => void) | undefined
  #ended = false

  // Reads the pipe to its end, whatever the frames' reader does.
  readonly read = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const takeLines = byLine(line => {
      if (line.startsWith('frame:')) this.#times.push(timeIn(line))
    })
    for await (const piece of bytes) {
      takeLines(piece)
      this.#wake?.()
    }
    this.#ended = true
    this.#wake?.()
  }

  // How many can be taken without waiting.
  get known(): number {
    return this.#times.length - this.#next
  }

  // The next frame's time in seconds; undefined if the frame has none.
  take(): number | undefined | Promise<number | undefined> {
    return this.#next < this.#times.length || this.#ended ? this.#shift() : this.#wait()
  }

  async #wait(): Promise<number | undefined> {
    while (this.#next >= this.#times.length && !this.#ended) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.#shift()
  }

  #shift(): number | undefined {
    const time = this.#times[this.#next++]
    if (this.#next > 1024) {
      this.#times = this.#times.slice(this.#next)
      this.#next = 0
    }
    return time
  }
}

// "frame:12 pts:480000 pts_time:0.48": microseconds, or no number.
function timeIn(line: string): number | undefined {
  const microseconds = Number.parseInt(line.slice(line.indexOf('pts:') + 4), 10)
  return Number.isNaN(microseconds) ? undefined : microseconds / 1e6
}
