import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SampleLine } from '../../../eval/data/sample-line.ts'
import { needsWork } from '../../../eval/runner/ask/process-samples.ts'
import type { RunnerWork } from '../../../eval/runner/runner.ts'
import { untilAborted } from '../../../src/core/basics/signals.ts'
import { answersSince, readAskRecords, type StoredAnswer } from './answers.ts'
import type { QueueContext } from './queue-context.ts'
import { getFrame } from './run-store.ts'

type FollowWorld = Pick<QueueContext, 'database' | 'store'>

// What the workers have answered, as it comes into the folder of the run.
export class RunFollower {
  readonly #work: RunnerWork
  readonly #world: FollowWorld
  readonly #run: string
  #seen = '-infinity'
  readonly #taken = new Map<string, string>() // sample to when its line was written

  constructor(work: RunnerWork, world: FollowWorld, run: string) {
    this.#work = work
    this.#world = world
    this.#run = run
  }

  // Takes what is new; a line that the folder has already is not written again.
  async take(): Promise<StoredAnswer[]> {
    const { files } = this.#work
    const newAnswers: StoredAnswer[] = []
    for (const { line, at } of await answersSince(this.#world.database, this.#run, this.#seen)) {
      this.#seen = at
      if (this.#taken.get(line.id) === at) continue
      const storedLine = files.lines.get(line.id)
      const isKept = storedLine !== undefined && (storedLine.finished === line.finished || !this.#isOpen(storedLine))
      if (!isKept) {
        await this.#frames(line)
        await files.append(line)
      }
      this.#taken.set(line.id, at)
      newAnswers.push({ line, at })
    }
    return newAnswers
  }

  has(sample: string): boolean {
    return this.#taken.has(sample)
  }

  // Parts of samples that nobody has finished, for whoever continues alone.
  async takeParts(): Promise<void> {
    const { files, samples } = this.#work
    const open = samples.filter(({ sample }) => this.#isOpen(files.lines.get(sample.id))).map(({ sample }) => sample.id)
    for (const [id, records] of await readAskRecords(this.#world.database, this.#run, open))
      for (const record of records)
        if (!files.parts.get(id)?.some(part => part.name === record.name)) await files.appendPart(id, record)
  }

  #isOpen(line: SampleLine | undefined): boolean {
    return needsWork(line, this.#work.parts)
  }

  async #frames(line: SampleLine): Promise<void> {
    const names = new Set(line.asks.flatMap(ask => ask.frames.map(({ file }) => basename(file))))
    for (const name of names) await this.#work.files.frame(name, await getFrame(this.#world.store, this.#run, name))
  }
}

const pollSeconds = 2

// Waits for the next word about the run, or for a while where words do not come through.
export async function nextWord(
  world: FollowWorld,
  run: string,
): Promise<{
  wait(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}> {
  let heard = () => {}
  let isReported = false
  const stop = await world.database.listen(word => {
    if (word !== `run ${run}`) return
    isReported = true
    heard()
  })
  return {
    async wait(signal) {
      const word = new Promise<void>(resolve => {
        heard = resolve
        if (isReported) resolve()
      })
      const over = new AbortController()
      await untilAborted(
        Promise.race([word, sleep(pollSeconds * 1000, undefined, { signal: over.signal }).catch(() => {})]),
        signal,
      ).finally(() => over.abort())
      isReported = false
    },
    stop,
  }
}
