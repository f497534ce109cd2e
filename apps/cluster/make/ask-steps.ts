import type { SentStep } from '../../../eval/make/machine/workers.ts'
import type { Watch } from '../../../src/core/agent.ts'
import { nextWord } from '../bench/follow-run.ts'
import { reportRun, resizeRun } from '../bench/run-request.ts'
import { putStep } from '../bench/run-store.ts'
import { readFailures } from '../data/catalogue/failures.ts'
import type { NewJob } from '../engine/engine.ts'
import { whoWorks } from '../jobs/follow.ts'
import { jobId, jobPriority, priorities } from '../jobs/plan-video.ts'
import { readVideoError } from '../jobs/report.ts'
import { askRank, sendOpen } from '../jobs/shards.ts'
import type { Cluster } from '../open-cluster.ts'
import { stepsOver } from './made-calls.ts'

// What a command needs of the cluster to have a making asked.
export interface MakingContext {
  cluster: Cluster
  watch: Watch
  say(line: string): void
  signal: AbortSignal
}

interface Asking {
  run: string
  queue: string
  steps: ReadonlyMap<string, SentStep> // by their keys
  far: { done: number; total: number } // steps of the making so far
}

const idleSeconds = 5

// Has these steps asked, and waits for the last of them. True: the money did not last. A step that is over already is not sent; one
// whose job was lost is sent again.
export async function askSteps(world: MakingContext, { run, queue, steps, far }: Asking): Promise<boolean> {
  const { cluster, signal, say, watch } = world
  const { database, engine, store } = cluster
  const keys = [...steps.keys()]
  const job = (step: string): NewJob => {
    const data = { kind: 'make', run, step } as const
    return { id: jobId(data), queue, data, priority: jobPriority(priorities.normal, askRank) }
  }
  const before = far.done
  far.total += keys.length
  await reportRun(database, run, before) // it may have been cancelled meanwhile
  const finishedKeys = new Set((await stepsOver(database, run, keys)).keys())
  const open = keys.filter(key => !finishedKeys.has(key))
  for (const key of open) await putStep(store, run, key, JSON.stringify(steps.get(key)))
  await resizeRun(database, run, far)
  await sendOpen(database, engine, run, open.map(job))
  const word = await nextWord(cluster, run)
  const noticed = whoWorks(database, watch)
  let lookedAt = performance.now()
  try {
    for (;;) {
      const isTime = performance.now() - lookedAt > idleSeconds * 1000
      if (isTime) lookedAt = performance.now()
      const underWay = isTime ? await engine.underWay(keys.map(key => job(key).id)) : undefined // before what is over is read
      const over = await stepsOver(database, run, keys)
      far.done = before + over.size
      for (const key of over.keys()) if (!finishedKeys.has(key)) say(progressLine(steps, key, finishedKeys.add(key)))
      if (over.size === keys.length) return [...over.values()].some(Boolean)
      if ((await readFailures(database, run)).length > 0) throw await readVideoError(database, run, undefined)
      await reportRun(database, run, far.done)
      const lost = underWay ? keys.filter(key => !over.has(key) && !underWay.has(job(key).id)) : []
      if (lost.length > 0) await sendOpen(database, engine, run, lost.map(job))
      await noticed()
      await word.wait(signal)
    }
  } finally {
    await word.stop()
  }
}

function progressLine(steps: ReadonlyMap<string, SentStep>, key: string, over: ReadonlySet<string>): string {
  const step = steps.get(key)
  return `${step?.name}: a worker has asked about ${step?.record.video_id} (${over.size} of ${steps.size} videos)`
}
