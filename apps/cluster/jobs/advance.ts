import { once } from '../../../src/core/basics/once.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import { FrozenIndex } from '../../../src/runtime/index/frozen-index.ts'
import { endLostAttempts } from '../data/catalogue/attempts.ts'
import { lockVideo, tryAdvisoryLock } from '../data/catalogue/locks.ts'
import { endThrough, requestsFor, setWant, wantedVideos } from '../data/catalogue/requests.ts'
import { addNeeds, findConfig } from '../data/catalogue/videos.ts'
import { sweepWorkers } from '../data/catalogue/workers.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { Engine, NewJob } from '../engine/engine.ts'
import { afterIndex } from './after-index.ts'
import { planFromRows, readVideoRows } from './plan-from-rows.ts'
import { jobId, jobPriority, queueName, stageNeed, stageRank, type VideoPlan } from './plan-video.ts'

// Queues what is missing of a video and can be made now, records which requests are done, and queues what waits for their index.
// Level-triggered; it holds the lock of the video until the caller's transaction ends.
export async function advance(sql: Sql, engine: Engine, video: string): Promise<void> {
  await lockVideo(sql, video)
  const jobs = new Map<string, NewJob>()
  const rows = once(() => readVideoRows(sql, video))
  for (const request of await requestsFor(sql, video)) {
    const { id, config, priority } = request
    const { data: frozen } = FrozenIndex.safeParse(config && (await findConfig(sql, config)))
    if (!config || !frozen) continue // a worker of the newer version plans it
    const plan = await planFromRows(await rows(), frozen)
    const { state, why } = plan
    // Whoever asked may have another version, with queues of other names.
    const needs = plan.jobs.map(({ planned }) => stageNeed(planned, frozen))
    await addNeeds(sql, needs)
    if (state !== 'open') await setWant(sql, id, { video, state, note: why })
    const following = state === 'done' ? await afterIndex(sql, video, request) : []
    for (const job of [...newJobs(plan, video, config, priority), ...following]) {
      const before = jobs.get(job.id)
      if (!before || before.priority < job.priority) jobs.set(job.id, job)
    }
  }
  if (jobs.size > 0) await engine.send([...jobs.values()], sql)
}

function newJobs({ jobs }: Pick<VideoPlan, 'jobs'>, video: string, config: string, priority: number): NewJob[] {
  return jobs.map(({ planned, key }) => {
    const data = { kind: 'stage', video, stage: storedStage(planned.stage), key, config } as const
    return { id: jobId(data), queue: queueName(planned), data, priority: jobPriority(priority, stageRank(planned.how)) }
  })
}

// Plans every wanted video anew, so that whatever was lost on the way (a queue, an asker, a backup's day) is made up for. One worker at a
// time does it. False: somebody else does. A video that cannot be planned stops no other; its error is thrown at the end.
export async function reconcile(database: Database, engine: Engine): Promise<boolean> {
  return database.transaction(async held => {
    if (!(await tryAdvisoryLock(held, 'reconcile'))) return false
    await sweepWorkers(database)
    await endLostAttempts(database)
    const errors: unknown[] = []
    for (const video of await wantedVideos(database))
      await database.transaction(sql => advance(sql, engine, video)).catch(error => errors.push(error))
    await database.transaction(endThrough)
    if (errors.length > 0) throw errors[0]
    return true
  })
}
