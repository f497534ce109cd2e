import { storedStage } from '../../../src/core/words/stage-names.ts'
import { FrozenIndex, frozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import { lockVideo } from '../data/catalogue/locks.ts'
import { type Request, requestsFor, setWant } from '../data/catalogue/requests.ts'
import { addNeeds, findConfig, type StageNeed, selectVideo } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import type { Engine, NewJob } from '../engine/engine.ts'
import { findSubtitleResult, type KnownRows, readKnownRows, toKnownStages } from './known-rows.ts'
import { jobId, jobPriority, planEitherWay, queueName, stageNeed, stageRank, type VideoPlan } from './plan-video.ts'

// Jobs of another kind that follow once a video is done, or has failed, for a request.
export type Follow = (sql: Sql, video: string, request: Request, state: 'done' | 'failed') => Promise<NewJob[]>

// Queues what is missing of a video and can be made now, and records which requests are done. Level-triggered; it holds the lock of the
// video until the caller's transaction ends.
export async function advance(sql: Sql, engine: Engine, video: string, follow: Follow = async () => []): Promise<void> {
  await lockVideo(sql, video)
  const requests = await requestsFor(sql, video)
  if (requests.length === 0) return
  const knownRows = await readKnownRows(sql, video)
  const jobs = new Map<string, NewJob>()
  for (const request of requests) {
    if (!request.config) continue
    const plan = await planFor(sql, video, request.config, knownRows)
    if (!plan) continue // a worker of the newer version plans it
    await addNeeds(sql, plan.needs) // whoever asked may have another version, with queues of other names
    const { config, priority } = request
    for (const job of [
      ...newJobs(plan, video, config, priority),
      ...(await ended(sql, video, request, plan, follow)),
    ]) {
      const before = jobs.get(job.id)
      if (!before || before.priority < job.priority) jobs.set(job.id, job)
    }
  }
  if (jobs.size > 0) await engine.send([...jobs.values()], sql)
}

// What is done, what can be made now and what failed, by the rows of the catalogue; undefined if a newer longtake wrote the settings.
async function planFor(
  sql: Sql,
  video: string,
  config: string,
  known: KnownRows,
): Promise<(VideoPlan & { needs: StageNeed[] }) | undefined> {
  const { data: frozen } = FrozenIndex.safeParse(await findConfig(sql, config))
  if (!frozen) return undefined
  const plans = await planFrozen(frozenVideo((await selectVideo(sql, video))?.probe), frozen, findSubtitleResult(known))
  const plan = planEitherWay(plans, toKnownStages(known))
  return { ...plan, needs: plan.jobs.map(({ planned }) => stageNeed(planned, frozen)) }
}

function newJobs({ jobs }: VideoPlan, video: string, config: string, priority: number): NewJob[] {
  return jobs.map(({ planned, key }) => {
    const data = { kind: 'stage', video, stage: storedStage(planned.stage), key, config } as const
    return { id: jobId(data), queue: queueName(planned), data, priority: jobPriority(priority, stageRank(planned.how)) }
  })
}

// Records the end of a plan for a request.
async function ended(sql: Sql, video: string, request: Request, { state, why }: VideoPlan, follow: Follow) {
  if (state === 'open') return []
  await setWant(sql, request.id, { video, state, note: why })
  return follow(sql, video, request, state)
}
