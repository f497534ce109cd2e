import type { Sql } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import type { Counters } from './counters.ts'
import { exposition, type MetricFamily, type MetricSample } from './exposition.ts'

// What is behind the metrics of a worker.
export interface Observed {
  sql: Sql
  engine: Pick<Engine, 'counts'>
  counters: Pick<Counters, 'families'>
}

// Two kinds of figures: of the whole cluster, which every worker gives alike (so: `max by`), and of this worker (`sum by`). Where the
// database does not answer there are only the latter, and `longtake_database_up` is 0.
export async function metricsText({ sql, engine, counters }: Observed): Promise<string> {
  const families = Promise.all([queueFamilies(engine), attemptFamilies(sql), workerFamilies(sql)])
  const shared = await withinPatience(families)
  const up = gauge('longtake_database_up', 'Whether the database of the cluster answers this worker.', [
    { value: shared ? 1 : 0 },
  ])
  return exposition([up, ...(shared ?? []).flat(), ...counters.families()])
}

const patience = 3 // seconds: Prometheus gives up after ten, a probe of Kubernetes sooner

// Undefined where the work fails or takes longer: a database that is away is waited for by those who need it.
export async function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), patience * 1000)
  })
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

async function queueFamilies(engine: Pick<Engine, 'counts'>): Promise<MetricFamily[]> {
  const counts = await engine.counts()
  const states = ['waiting', 'running', 'failed'] as const
  const jobs = counts.flatMap(count =>
    states.map(state => ({ labels: { queue: count.queue, state }, value: count[state] })),
  )
  const oldest = counts.flatMap(({ queue, oldest }) =>
    oldest === undefined ? [] : [{ labels: { queue }, value: oldest }],
  )
  return [
    gauge('longtake_jobs', 'Jobs of the cluster by queue and state.', jobs),
    gauge('longtake_oldest_job_seconds', 'Seconds that the first waiting job of a queue has waited.', oldest),
  ]
}

// From the rows of the attempts, so that no kill of a worker loses any.
async function attemptFamilies(sql: Sql): Promise<MetricFamily[]> {
  const { rows } = await sql.query<{ stage: string; kind: string; n: number; seconds: number; media: number }>(
    `select coalesce(attempt.stage, '') as stage, coalesce(attempt.kind, 'running') as kind, count(*)::integer as n,
       coalesce(sum(extract(epoch from ended - started)), 0)::double precision as seconds,
       coalesce(sum(video.duration) filter (where kind = 'completed'), 0)::double precision as media
     from longtake.attempt left join longtake.video on video.id = attempt.video
     group by 1, 2 order by 1, 2`,
  )
  const completed = rows.filter(({ kind }) => kind === 'completed')
  const byStage = (value: (row: (typeof rows)[number]) => number) =>
    completed.map(row => ({ labels: { stage: row.stage }, value: value(row) }))
  return [
    gauge('longtake_attempts', 'Attempts of the cluster by stage and how they ended.', [
      ...rows.map(({ stage, kind, n }) => ({ labels: { stage, kind }, value: n })),
    ]),
    gauge(
      'longtake_stage_seconds',
      'Seconds that completed attempts took, by stage.',
      byStage(row => row.seconds),
    ),
    gauge(
      'longtake_stage_media_seconds',
      'Seconds of video that they were about.',
      byStage(row => row.media),
    ),
  ]
}

async function workerFamilies(sql: Sql): Promise<MetricFamily[]> {
  const { rows } = await sql.query<{ id: string; host: string; state: string; age: number }>(
    `select id, host, state, extract(epoch from now() - seen)::double precision as age
     from longtake.worker where state <> 'gone' order by id`,
  )
  const samples = rows.map(({ id, host, state, age }) => ({ labels: { worker: id, host, state }, value: age }))
  return [gauge('longtake_worker_heartbeat_age_seconds', 'Seconds since a worker was last seen.', samples)]
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'gauge', help, samples }
}
