import type { Sql } from '../sql.ts'
import { queryRows } from './rows.ts'

type RequestState = 'open' | 'done' | 'partial' | 'cancelled'
type WantState = 'planned' | 'running' | 'done' | 'failed'

// What somebody asked for: an index of some videos, a benchmark.
export interface Request {
  id: string
  kind: string
  config?: string
  priority: number // 0 low, 1 normal, 2 high
  state: RequestState
  done: number
  total: number
  by?: string
  created: Date
  ended?: Date
}

interface Want {
  video: string
  state: WantState
  note?: string
}

type NewRequest = Pick<Request, 'id' | 'kind' | 'config' | 'priority' | 'by'> & {
  videos?: readonly string[]
  total?: number // where it is not the number of the videos
}

// Asking twice under one id is asking once.
export async function addRequest(sql: Sql, request: NewRequest): Promise<void> {
  const { id, kind, config, priority, by, videos = [], total = videos.length } = request
  await sql.query(
    `insert into longtake.request (id, kind, config, priority, by, total) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [id, kind, config, priority, by, total],
  )
  await sql.query('insert into longtake.want (request, video) select $1, unnest($2::text[]) on conflict do nothing', [
    id,
    videos,
  ])
}

export async function findRequest(sql: Sql, id: string): Promise<Request | undefined> {
  return (await queryRows<Request>(sql, `${select} where id::text = $1`, [id]))[0]
}

// Those whose id begins so, for a person who typed the first letters.
export async function requestsLike(sql: Sql, start: string): Promise<Request[]> {
  return queryRows<Request>(sql, `${select} where starts_with(id::text, $1) limit 10`, [start])
}

// The open ones, and with `recent` those that ended within so many seconds.
export async function requests(sql: Sql, recent = 0): Promise<Request[]> {
  const within = `state = 'open' or ended > now() - $1 * interval '1 s'`
  return queryRows<Request>(sql, `${select} where ${within} order by created`, [recent])
}

export async function readWants(sql: Sql, request: string): Promise<Want[]> {
  const rows = await queryRows<Want>(
    sql,
    'select video, state, note from longtake.want where request = $1 order by video',
    [request],
  )
  return rows
}

// Open requests that want a video and are not through with it, the one of most hurry first.
export async function requestsFor(sql: Sql, video: string): Promise<Request[]> {
  const wantedRequests = `id in (select request from longtake.want where video = $1 and want.state in ('planned', 'running'))`
  return queryRows<Request>(
    sql,
    `${select} where state = 'open' and ${wantedRequests} order by priority desc, created`,
    [video],
  )
}

// Videos that an open request still wants, those of most hurry first.
export async function wantedVideos(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ video: string }>(
    `select want.video from longtake.want join longtake.request on request.id = want.request
     where request.state = 'open' and want.state in ('planned', 'running')
     group by want.video order by max(request.priority) desc, min(request.created), want.video`,
  )
  return rows.map(row => row.video)
}

// Says how far a request is with a video, and ends the request with its last one.
export async function setWant(sql: Sql, request: string, { video, state, note }: Want): Promise<void> {
  await sql.query('update longtake.want set state = $3, note = $4 where request = $1 and video = $2', [
    request,
    video,
    state,
    note,
  ])
  if (state === 'done' || state === 'failed') await tallyRequest(sql, request)
}

// The request is locked first: two last videos that end at once would each count the other as still running.
async function tallyRequest(sql: Sql, request: string): Promise<void> {
  await sql.query('select 1 from longtake.request where id = $1 for update', [request])
  await sql.query(
    `update longtake.request set done = tally.done,
       state = case when tally.over < tally.total then state when tally.failed > 0 then 'partial' else 'done' end,
       ended = case when tally.over < tally.total then null else now() end
     from (
       select count(*) as total, count(*) filter (where state = 'done') as done,
         count(*) filter (where state = 'failed') as failed, count(*) filter (where state in ('done', 'failed')) as over
       from longtake.want where request = $1
     ) tally
     where id = $1 and state = 'open'`,
    [request],
  )
}

// Ends those that are open though they are through with each of their videos.
export async function endThrough(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ request: string }>(
    `select request from longtake.want join longtake.request on request.id = want.request where request.state = 'open'
     group by request having bool_and(want.state in ('done', 'failed'))`,
  )
  for (const { request } of rows) await tallyRequest(sql, request)
}

// For requests whose parts are no videos.
export async function countRequest(sql: Sql, id: string, done: number, state: RequestState = 'open'): Promise<void> {
  await sql.query(
    `update longtake.request set done = $2, state = $3, ended = case when $3 = 'open' then null else now() end
     where id = $1 and state = 'open'`,
    [id, done, state],
  )
}

// Whether it was open. Its jobs are cancelled by who calls (apps/cluster/jobs/cancel-request.ts).
export async function closeRequest(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update longtake.request set state = 'cancelled', ended = now() where id = $1 and state = 'open'`,
    [id],
  )
  return rowCount > 0
}

const select = 'select id, kind, config, priority, state, done, total, by, created, ended from longtake.request'
