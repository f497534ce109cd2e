import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { hostname } from 'node:os'
import { UsageError } from '../../../src/core/errors.ts'
import { nameStages, queryRows } from '../data/catalogue/rows.ts'
import type { Sql } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import type { Counters } from './counters.ts'
import { exposition, gauge, type MetricFamily } from './exposition.ts'

interface ServedMetrics {
  url: string
  close(): Promise<void>
}

// `9464`, or `0.0.0.0:9464` where other machines may read them: nothing here is secret, and nothing can be changed.
export function metricsAddress(given: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(given) ?? []
  if (port !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
  throw new UsageError(`--metrics must be a port, or an address with a port, not "${given}".`, {
    hint: 'As: --metrics 9464, or --metrics 0.0.0.0:9464 for other machines.',
  })
}

// /metrics for Prometheus; /live and /ready for probes: the process answers, and the database answers it.
export async function serveMetrics(
  observed: Observed,
  { host, port }: { host: string; port: number },
): Promise<ServedMetrics> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const end = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'content-type': type }).end(text)
    if (!isOwnName(request, host)) return end(403, 'not a name of this worker\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'GET only\n')
    if (request.url === '/live') return end(200, 'live\n')
    if (request.url === '/ready') return (await answers(observed)) ? end(200, 'ready\n') : end(503, 'no database\n')
    if (request.url !== '/metrics') return end(404, '/metrics, /live, /ready\n')
    return end(200, await metricsText(observed), 'text/plain; version=0.0.4; charset=utf-8')
  }
  // What fails here is an answer, and never the end of the worker.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('failed\n')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(host, port, cause)))
    server.listen({ host, port }, resolve)
  })
  const { address, port: bound, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// A page behind a rebound name sends that name, which has a dot. Allowed are addresses, the name of this machine and the one that was
// given, and beyond the loopback names without a dot, as of the services of a cluster.
function isOwnName({ headers, rawHeaders }: IncomingMessage, given: string): boolean {
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length !== 1) return false
  const name = (headers.host ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (isIP(name) !== 0 || ['localhost', given.toLowerCase(), hostname().toLowerCase()].includes(name)) return true
  return !['127.0.0.1', '::1', 'localhost'].includes(given) && /^[\w-]+$/.test(name)
}

async function answers({ sql }: Observed): Promise<boolean> {
  return (await withinPatience(sql.query('select 1'))) !== undefined
}

function notListening(host: string, port: number, cause: NodeJS.ErrnoException): UsageError {
  return new UsageError(`Metrics cannot be served at ${host}:${port}: ${cause.code ?? cause.message}.`, {
    hint: 'Give another port: --metrics 9465. Two workers of one machine need two.',
    cause,
  })
}

// What is behind the metrics of a worker.
interface Observed {
  sql: Sql
  engine: Pick<Engine, 'counts'>
  counters: Pick<Counters, 'families'>
}

// Two kinds of figures: of the whole cluster, which every worker gives alike (so: `max by`), and of this worker (`sum by`). Where the
// database does not answer there are only the latter, and `longtake_database_up` is 0.
async function metricsText({ sql, engine, counters }: Observed): Promise<string> {
  const families = Promise.all([queueFamilies(engine), attemptFamilies(sql), workerFamilies(sql)])
  const shared = await withinPatience(families)
  const up = gauge('longtake_database_up', 'Whether the database of the cluster answers this worker.', [
    { value: shared ? 1 : 0 },
  ])
  return exposition([up, ...(shared ?? []).flat(), ...counters.families()])
}

const patience = 3 // seconds: Prometheus gives up after ten, a probe of Kubernetes sooner

// Undefined if the work fails or takes longer: a database that is away is waited for by those who need it.
async function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
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
  const rows = await queryRows<{ stage: string; kind: string; n: number; seconds: number; media: number }>(
    sql,
    `select coalesce(attempt.stage, '') as stage, coalesce(attempt.kind, 'running') as kind, count(*)::integer as n,
       coalesce(sum(extract(epoch from ended - started)), 0)::double precision as seconds,
       coalesce(sum(video.duration) filter (where kind = 'completed'), 0)::double precision as media
     from longtake.attempt left join longtake.video on video.id = attempt.video
     group by 1, 2 order by 1, 2`,
  )
  const named = nameStages(rows)
  const attempts = named.map(({ stage, kind, n }) => ({ labels: { stage, kind }, value: n }))
  const completed = named.filter(({ kind }) => kind === 'completed')
  const seconds = completed.map(row => ({ labels: { stage: row.stage }, value: row.seconds }))
  const media = completed.map(row => ({ labels: { stage: row.stage }, value: row.media }))
  return [
    gauge('longtake_attempts', 'Attempts of the cluster by stage and how they ended.', attempts),
    gauge('longtake_stage_seconds', 'Seconds that completed attempts took, by stage.', seconds),
    gauge('longtake_stage_media_seconds', 'Seconds of video that they were about.', media),
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
