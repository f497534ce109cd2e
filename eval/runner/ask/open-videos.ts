import type { Watch } from '../../../src/core/agent.ts'
import type { Sample } from '../../data/sample.ts'
import type { Agent, AgentVideo } from './agent.ts'

interface Expected {
  questions: number // still to come
  samples: Sample[]
  subtitles?: string
  opened?: Promise<AgentVideo>
}

// The videos of a run: each is opened once, one after another (an index takes the whole machine), and closed after its last
// question. One that cannot be opened fails for all its questions, and is not tried again.
export class VideoPool {
  readonly #agent: Agent
  readonly #watch: Watch
  readonly #signal: AbortSignal
  readonly #expected = new Map<string, Expected>()
  #turn: Promise<unknown> = Promise.resolve()
  #opened = { videos: 0, seconds: 0 }

  constructor(agent: Agent, watch: Watch, signal: AbortSignal) {
    this.#agent = agent
    this.#watch = watch
    this.#signal = signal
  }

  expect(path: string, sample: Sample, subtitles?: string): void {
    const entry = this.#expected.get(path) ?? { questions: 0, samples: [], subtitles }
    entry.questions++
    entry.samples.push(sample)
    this.#expected.set(path, entry)
  }

  get(path: string): Promise<AgentVideo> {
    const expectedVideo = this.#expected.get(path)
    if (!expectedVideo) throw new Error(`${path} was not expected.`)
    expectedVideo.opened ??= this.#inTurn(() => this.#openNow(path, expectedVideo))
    return expectedVideo.opened
  }

  // Seconds that opening the rest will take, going by those that are open.
  left(): number {
    const waiting = [...this.#expected.values()].filter(({ opened }) => opened === undefined).length
    return this.#opened.videos === 0 ? 0 : (waiting * this.#opened.seconds) / this.#opened.videos
  }

  get openingSeconds(): number {
    return this.#opened.seconds
  }

  async done(path: string): Promise<void> {
    const doneEntry = this.#expected.get(path)
    if (!doneEntry || --doneEntry.questions > 0) return
    this.#expected.delete(path)
    await close(doneEntry)
  }

  async closeAll(): Promise<void> {
    const openEntries = [...this.#expected.values()]
    this.#expected.clear()
    for (const leftEntry of openEntries) await close(leftEntry)
  }

  async #openNow(path: string, { samples, subtitles }: Expected): Promise<AgentVideo> {
    const began = performance.now()
    try {
      return await this.#agent.open(path, { samples, subtitles, watch: this.#watch, signal: this.#signal })
    } finally {
      this.#opened.videos++
      this.#opened.seconds += (performance.now() - began) / 1000
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(() => {
      this.#signal.throwIfAborted()
      return work()
    })
    this.#turn = next.catch(() => {})
    return next
  }
}

async function close({ opened }: Expected): Promise<void> {
  await (await opened?.catch(() => undefined))?.close()
}
