import type { SampleLine } from '../../../eval/data/sample-line.ts'
import { type LocatedSample, needsWork } from '../../../eval/runner/ask/process-samples.ts'
import { runSamples } from '../../../eval/runner/ask/run-samples.ts'
import { sentAs } from '../../../eval/runner/files/sent-as.ts'
import { localRunner, type Runner, type RunnerWork } from '../../../eval/runner/runner.ts'
import { InterruptedError } from '../../../src/core/errors.ts'
import { forgiveVideos, readFailures } from '../data/catalogue/failures.ts'
import { cancelRequest } from '../jobs/cancel-request.ts'
import { holdShards, idleShards, type ShardRow, sendOpen, shardJob, shardsOfRun, untilIdle } from '../jobs/shards.ts'
import { databaseTime, saveAnswer } from './answers.ts'
import { appendRecords } from './asked-row.ts'
import { nextWord, RunFollower } from './follow-run.ts'
import { askedBy, requestIndexes } from './index-videos.ts'
import type { QueueContext } from './queue-context.ts'
import { closeRun, openRequest, reportRun, runRequestId } from './run-request.ts'
import { sendRun } from './send-run.ts'

// Settles the samples of a run by the workers of a cluster. Begun again after a kill, here or elsewhere, it goes on where the rows are.
export function clusterRunner(
  world: QueueContext,
  signal: AbortSignal,
  onSent: (run: string) => void = () => {},
): Runner {
  return async work => {
    const { database } = world
    const run = await sendRun(work, world)
    onSent(run)
    const follower = new RunFollower(work, world, run)
    await follower.take()
    const todo = new Todo(work, world, run)
    await todo.give([...work.files.lines.keys()].filter(id => !follower.has(id)))
    const begun = await databaseTime(database)
    await forgiveVideos(database, [run])
    const { samples } = work
    const runState = { by: askedBy(run), total: samples.length, done: samples.length - todo.left }
    await openRequest(database, run, { ...runState, priority: world.priority })
    const shards = (await shardsOfRun(database, run)).filter(todo.isIn)
    await todo.settleHere(todo.notIn(shards))
    await holdShards(database, run, shards)
    const index = await requestIndexes(world, run, shards)
    const word = await nextWord(world, run)
    const isTime = everySeconds(idleSeconds)
    try {
      for (;;) {
        const idle = isTime() ? await idleShards(database, world.engine, run) : [] // before their answers are read
        for (const { line, at } of await follower.take()) if (isOver(work, line) || at >= begun) todo.over(line)
        const lost = new Map((await readFailures(database, run)).map(({ key, message }) => [Number(key), message]))
        const unmade = await index.failed()
        for (const shard of shards) {
          const why = lost.get(shard.n) ?? unmade.get(shard.video)
          if (why !== undefined) await todo.settleHere(shard.samples, why)
        }
        if (todo.left === 0) break
        // Asked before this command began again, or lost with the queue: nobody else would ask for their answers.
        const again = idle.filter(todo.isIn)
        if (again.length > 0) await sendOpen(database, world.engine, run, again.map(shardJob))
        await reportRun(database, run, samples.length - todo.left)
        await word.wait(signal)
      }
      if (work.parts.change) await untilIdle(database, world.engine, run, signal)
    } catch (error) {
      throw signal.aborted ? new InterruptedError('Stopped; the workers go on with the run.', { cause: error }) : error
    } finally {
      await word.stop()
    }
    if (work.parts.change) await appendRecords(world.store, run, work.files.folder)
    await closeRun(database, run, samples.length, [...work.files.lines.values()].filter(line => line.error).length)
  }
}

const idleSeconds = 5

function everySeconds(seconds: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const isTime = performance.now() - last >= seconds * 1000
    if (isTime) last = performance.now()
    return isTime
  }
}

// Takes a run back from the workers, and answers alone what they have not answered: they begin no further shard of it.
export function takeBackRunner(world: Pick<QueueContext, 'database' | 'engine' | 'store'>): Runner {
  return async work => {
    const { parts, files } = work
    const run = await sentAs(files.folder)
    if (run !== undefined) {
      await cancelRequest(world.database, world.engine, runRequestId(run))
      const follower = new RunFollower(work, world, run)
      await follower.take()
      await follower.takeParts()
      if (parts.change) await appendRecords(world.store, run, files.folder)
    }
    await localRunner(work)
  }
}

function isOver({ parts }: RunnerWork, line: SampleLine | undefined): boolean {
  return !needsWork(line, parts)
}

// The samples that this command still waits for.
class Todo {
  readonly #work: RunnerWork
  readonly #world: QueueContext
  readonly #run: string
  readonly #left: Map<string, LocatedSample>
  readonly #total: number
  readonly #began = performance.now()

  constructor(work: RunnerWork, world: QueueContext, run: string) {
    this.#work = work
    this.#world = world
    this.#run = run
    const open = work.samples.filter(({ sample }) => !isOver(work, work.files.lines.get(sample.id)))
    this.#left = new Map(open.map(located => [located.sample.id, located]))
    this.#total = open.length
  }

  get left(): number {
    return this.#left.size
  }

  notIn(shards: readonly ShardRow[]): string[] {
    const sent = new Set(shards.flatMap(shard => shard.samples))
    return [...this.#left.keys()].filter(id => !sent.has(id))
  }

  isIn = (shard: ShardRow): boolean => shard.samples.some(id => this.#left.has(id))

  over(line: SampleLine): void {
    if (!this.#left.delete(line.id)) return
    const doneCount = this.#total - this.#left.size
    const seconds = (performance.now() - this.#began) / 1000
    this.#work.onSample(line, {
      done: doneCount,
      total: this.#total,
      seconds,
      left: (seconds / doneCount) * this.#left.size,
    })
  }

  // What no worker can ask becomes that sample's result, as on one machine.
  async settleHere(ids: readonly string[], why?: string): Promise<void> {
    const located = ids.flatMap(id => this.#left.get(id) ?? [])
    if (located.length === 0) return
    const { parts, files, watch } = this.#work
    const samples = why === undefined ? located : located.map(one => ({ ...one, locate: () => ({ fault: why }) }))
    const settling = { samples, watch, store: files, folder: files.folder, concurrency: 1 }
    await runSamples(parts, { ...settling, onSample: line => this.over(line) })
    await this.give(ids)
  }

  // Lines of the folder for the others, where they have none.
  async give(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const line = this.#work.files.lines.get(id)
      if (line) await saveAnswer(this.#world.database, this.#run, this.#work.parts.redact(line), 'asker')
    }
  }
}
