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
import { followAnswers, nextWord } from './follow-run.ts'
import { askedBy, requestIndexes } from './index-videos.ts'
import { closeRun, openRequest, reportRun, runRequestId } from './run-request.ts'
import { type QueueWorld, sendRun } from './send-run.ts'

// Settles the samples of a run by the workers of a cluster. Begun again after a kill, here or elsewhere, it goes on where the rows are.
export function clusterRunner(
  world: QueueWorld,
  signal: AbortSignal,
  onSent: (run: string) => void = () => {},
): Runner {
  return async work => {
    const { database, engine } = world
    const { samples } = work
    const run = await sendRun(work, world)
    onSent(run)
    const follower = followAnswers(work, world, run)
    await follower.take()
    const todo = openSamples(work, world, run)
    await todo.give([...work.files.lines.keys()].filter(id => !follower.has(id)))
    const begun = await databaseTime(database)
    await forgiveVideos(database, [run])
    const doneCount = () => samples.length - todo.open.size
    await openRequest(database, run, { by: askedBy(run), total: samples.length, done: doneCount() })
    const shards = (await shardsOfRun(database, run)).filter(todo.isIn)
    await todo.settleHere(todo.notIn(shards))
    await holdShards(database, run, shards)
    const unindexed = await requestIndexes(world, run, shards)
    const word = await nextWord(world, run)
    const isTime = everySeconds(idleSeconds)
    try {
      for (;;) {
        const idle = isTime() ? await idleShards(database, engine, run) : [] // before their answers are read
        for (const { line, at } of await follower.take())
          if (!needsWork(line, work.parts) || at >= begun) todo.over(line)
        const lost = new Map((await readFailures(database, run)).map(({ key, message }) => [Number(key), message]))
        const unmade = await unindexed()
        for (const shard of shards) {
          const why = lost.get(shard.n) ?? unmade.get(shard.video)
          if (why !== undefined) await todo.settleHere(shard.samples, why)
        }
        if (todo.open.size === 0) break
        // Asked before this command began again, or lost with the queue: nobody else would ask for their answers.
        const again = idle.filter(todo.isIn)
        if (again.length > 0) await sendOpen(database, engine, run, again.map(shardJob))
        await reportRun(database, run, doneCount())
        await word.wait(signal)
      }
      if (work.parts.change) await untilIdle(database, engine, run, signal)
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
export function takeBackRunner(world: QueueWorld): Runner {
  return async work => {
    const { parts, files } = work
    const run = await sentAs(files.folder)
    if (run !== undefined) {
      await cancelRequest(world.database, world.engine, runRequestId(run))
      const follower = followAnswers(work, world, run)
      await follower.take()
      await follower.takeParts()
      if (parts.change) await appendRecords(world.store, run, files.folder)
    }
    await localRunner(work)
  }
}

// The samples that this command still waits for.
function openSamples(work: RunnerWork, { database }: QueueWorld, run: string) {
  const { parts, files, watch } = work
  const waiting = work.samples.filter(({ sample }) => needsWork(files.lines.get(sample.id), parts))
  const open = new Map<string, LocatedSample>(waiting.map(located => [located.sample.id, located]))
  const total = open.size
  const began = performance.now()

  const over = (line: SampleLine) => {
    if (!open.delete(line.id)) return
    const doneCount = total - open.size
    const seconds = (performance.now() - began) / 1000
    work.onSample(line, { done: doneCount, total, seconds, left: (seconds / doneCount) * open.size })
  }
  // Lines of the folder for the others, where they have none.
  const give = async (ids: readonly string[]) => {
    for (const id of ids) {
      const line = files.lines.get(id)
      if (line) await saveAnswer(database, run, parts.redact(line), 'asker')
    }
  }
  return {
    open: open as ReadonlyMap<string, LocatedSample>,
    over,
    give,
    isIn: (shard: ShardRow) => shard.samples.some(id => open.has(id)),
    notIn(shards: readonly ShardRow[]): string[] {
      const sent = new Set(shards.flatMap(shard => shard.samples))
      return [...open.keys()].filter(id => !sent.has(id))
    },
    // What no worker can ask becomes that sample's result, as on one machine.
    async settleHere(ids: readonly string[], why?: string): Promise<void> {
      const located = ids.flatMap(id => open.get(id) ?? [])
      if (located.length === 0) return
      const samples = why === undefined ? located : located.map(one => ({ ...one, locate: () => ({ fault: why }) }))
      const settling = { samples, watch, store: files, folder: files.folder, concurrency: 1, onSample: over }
      await runSamples(parts, settling)
      await give(ids)
    },
  }
}
