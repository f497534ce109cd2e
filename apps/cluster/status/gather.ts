import { readWants, requests } from '../data/catalogue/requests.ts'
import { nameStages, queryRows } from '../data/catalogue/rows.ts'
import { allNeeds } from '../data/catalogue/videos.ts'
import { type WorkerRow, workers } from '../data/catalogue/workers.ts'
import type { Sql } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import type { ClusterStatus, QueueStatus, RequestStatus, RunningJob, Unserved, WorkerStatus } from './cluster-status.ts'

// Everything that a person wants to know of a cluster, at one moment.
export async function clusterStatus(sql: Sql, engine: Pick<Engine, 'counts'>): Promise<ClusterStatus> {
  const [counts, needs, live, took, running, speeds, failures] = await Promise.all([
    engine.counts(),
    allNeeds(sql),
    workers(sql),
    averageSeconds(sql),
    runningJobs(sql),
    workerSpeeds(sql),
    failureCounts(sql),
  ])
  const queues = counts.map(count => {
    const { stage, backend, version, resource } = needs.find(({ queue }) => queue === count.queue) ?? {}
    const serving = live.filter(({ queues, state }) => state === 'live' && queues.includes(count.queue)).length
    return { ...count, stage, backend, version, resource, workers: serving, seconds: took.get(count.queue) }
  })
  const staff = live.map(worker => ({
    ...worker,
    jobs: running.filter(job => job.worker === worker.id).map(({ worker: _, ...job }) => job),
    speed: speeds.get(worker.id),
  }))
  const unserved = unservedQueues(queues, live)
  return {
    queues,
    workers: staff,
    requests: await requestStatus(sql),
    failures,
    unserved,
    waitReason: findBottleneck(queues, staff, unserved),
  }
}

async function averageSeconds(sql: Sql): Promise<Map<string, number>> {
  const rows = await queryRows<{ queue: string; seconds: number }>(
    sql,
    `select queue, avg(extract(epoch from ended - started))::float8 as seconds from longtake.attempt
     where kind = 'completed' and ended > now() - interval '1 day' group by queue`,
  )
  return new Map(rows.map(({ queue, seconds }) => [queue, seconds]))
}

async function runningJobs(sql: Sql): Promise<(RunningJob & { worker: string })[]> {
  const rows = await queryRows<RunningJob & { worker: string }>(
    sql,
    `select attempt.worker, attempt.job, attempt.video, video.name, attempt.stage, need.resource as slot,
       extract(epoch from now() - attempt.started)::float8 as seconds, progress.text, progress.done, progress.total
     from longtake.attempt
     left join longtake.video on video.id = attempt.video
     left join longtake.need on need.queue = attempt.queue
     left join longtake.progress on progress.job = attempt.job
     where attempt.ended is null order by attempt.started`,
  )
  return nameStages(rows)
}

async function workerSpeeds(sql: Sql): Promise<Map<string, number>> {
  const rows = await queryRows<{ worker: string; speed: number }>(
    sql,
    `select attempt.worker, sum(video.duration) / nullif(sum(extract(epoch from ended - started)), 0)::float8 as speed
     from longtake.attempt join longtake.video on video.id = attempt.video
     where kind = 'completed' and attempt.stage is distinct from 'library' and ended > now() - interval '1 hour' group by attempt.worker`,
  )
  return new Map(rows.map(({ worker, speed }) => [worker, speed]))
}

async function failureCounts(sql: Sql): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ kind: string; n: number }>(
    'select kind, count(*)::integer as n from longtake.failure group by kind order by min(at)',
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}

async function requestStatus(sql: Sql): Promise<RequestStatus[]> {
  const { rows } = await sql.query<{ now: Date }>('select now() as now')
  const now = rows[0]?.now.getTime() ?? 0
  return Promise.all(
    (await requests(sql)).map(async request => {
      const wants = await readWants(sql, request.id)
      const count = (state: string) => wants.filter(want => want.state === state).length
      const seconds = (now - request.created.getTime()) / 1000
      const over = request.done + count('failed')
      const secondsLeft = over > 0 ? (seconds / over) * Math.max(0, request.total - over) : undefined
      return { ...request, running: count('running'), failed: count('failed'), seconds, left: secondsLeft }
    }),
  )
}

function unservedQueues(
  queues: readonly QueueStatus[],
  workers: readonly Pick<WorkerRow, 'queues' | 'state'>[],
): Unserved[] {
  return queues
    .filter(({ waiting, workers }) => waiting > 0 && workers === 0)
    .map(({ queue, waiting, stage, backend, version }) => {
      const begin = stage === undefined ? 'longtake cluster worker' : `longtake cluster worker --only ${stage}`
      const otherQueues = workers.flatMap(({ queues }) => queues).filter(other => samePurpose(other, queue))
      if (otherQueues.length > 0)
        return {
          queue,
          waiting,
          why: `workers serve another version of it: ${[...new Set(otherQueues)].join(', ')}`,
          mend: `Update longtake and its models there, or where the work was asked for, until the versions agree; then: ${begin}`,
        }
      const needs =
        backend === undefined ? '' : ` where \`longtake doctor\` finds ${backend} (version ${version}) ready`
      return { queue, waiting, why: 'no live worker serves it', mend: `On a machine${needs}: ${begin}` }
    })
}

// "speech.transcribe-whisper.3fa9c1d2": all but the version.
function samePurpose(a: string, b: string): boolean {
  const purpose = (queue: string) => queue.slice(0, queue.lastIndexOf('.'))
  return a !== b && purpose(a) === purpose(b)
}

const unknownSeconds = 60 // of a job of which none has ended yet

// The bottleneck, in one line: the first of these that is true.
function findBottleneck(
  queues: readonly QueueStatus[],
  workers: readonly WorkerStatus[],
  unserved: readonly Unserved[],
): string {
  const waiting = sum(queues.map(queue => queue.waiting))
  if (waiting === 0)
    return queues.some(({ running }) => running > 0) ? 'Nothing waits; the last jobs run.' : 'Nothing waits.'
  const live = workers.filter(({ state }) => state === 'live')
  if (live.length === 0) return `No worker is running, and ${jobs(waiting)}. Start one: longtake cluster worker`
  const idle = live.find(({ note }) => note !== undefined)
  if (idle) return `${idle.host} takes no jobs: ${idle.note}`
  const [first] = [...unserved].sort((a, b) => b.waiting - a.waiting)
  if (first) return `No worker serves ${first.queue}, and ${jobs(first.waiting)}. ${first.mend}`
  const full = (['gpu', 'cpu', 'net'] as const)
    .map(resource => {
      const ofResource = queues.filter(queue => queue.resource === resource)
      return {
        resource,
        slots: sum(live.map(worker => worker.slots[resource] ?? 0)),
        running: sum(ofResource.map(queue => queue.running)),
        seconds: sum(ofResource.map(({ waiting, seconds = unknownSeconds }) => waiting * seconds)),
      }
    })
    .filter(({ slots, running }) => slots > 0 && running >= slots)
    .sort((a, b) => b.seconds / b.slots - a.seconds / a.slots)[0]
  if (!full || full.seconds === 0) return 'Nothing: free slots take up what waits.'
  const { resource, slots, seconds } = full
  const more = `${slots} more would end it in ${roughly(seconds / (2 * slots))} instead of ${roughly(seconds / slots)}`
  return `${resource.toUpperCase()} slots full: ${more}.`
}

const jobs = (count: number) => (count === 1 ? '1 job waits' : `${count} jobs wait`)

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

function roughly(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${Number((seconds / 3600).toFixed(seconds < 36_000 ? 1 : 0))} h`
}
