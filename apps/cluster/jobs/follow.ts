import { setTimeout as sleep } from 'node:timers/promises'
import type { Watch } from '../../../src/core/agent.ts'
import { BackendError, UsageError } from '../../../src/core/errors.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { readStageProgress } from '../data/catalogue/attempts.ts'
import { findRequest, type Request, readWants, requestsLike } from '../data/catalogue/requests.ts'
import { workers } from '../data/catalogue/workers.ts'
import type { Sql } from '../data/sql.ts'

const overlap = 300_000 // milliseconds: a row has the time at which its transaction began, and is seen when that ends
const lookEvery = 1000 // milliseconds
const workersEvery = 10_000 // milliseconds
const databasePatience = 600_000 // milliseconds, as a worker waits to commit what it has made

interface FollowWork {
  sql: Sql
  id: string
  watch: Watch
  signal: AbortSignal
}

// Tells how far a request is until it ends. It may be begun at any time, by anyone, and as often as they like.
export async function followRequest({ sql, id, watch, signal }: FollowWork): Promise<Request> {
  const reportedIds = new Set<string>()
  let since: Date | undefined // by the database's clock
  const names = await videoNames(sql, id)
  const label = (video: string, stored: string) => {
    const stage = stageNamed(stored)
    return names.size > 1 ? `${names.get(video) ?? video} ${stage}` : stage
  }
  const look = async () => {
    const request = await requireRequest(sql, id)
    for (const { video, stage, done, total } of await readStageProgress(sql, [...names.keys()]))
      watch({ type: 'stage', stage: label(video, stage), state: 'running', done, total })
    const news = await readNews(sql, request, since ?? request.created)
    since = news.reduce((latest, { at }) => later(latest, new Date(at.getTime() - overlap)), since ?? request.created)
    for (const { video, stage, key, state, seconds, note, duration } of news) {
      const name = `${video} ${stage} ${key}`
      if (reportedIds.has(name)) continue
      reportedIds.add(name)
      const whole = state === 'done' ? { done: duration, total: duration } : {}
      watch({ type: 'stage', stage: label(video, stage), state, seconds, note: note ?? undefined, ...whole })
    }
    return request
  }
  const noticed = whoWorks(sql, watch)
  let answered = performance.now()
  let isAway = false
  for (;;) {
    signal.throwIfAborted()
    try {
      const request = await look()
      if (request.state !== 'open') return request
      await noticed()
      answered = performance.now()
      isAway = false
    } catch (error) {
      const mayPass = error instanceof BackendError && error.retryable
      if (!mayPass || performance.now() - answered > databasePatience) throw error
      if (!isAway) watch({ type: 'note', text: `${error.message} This goes on when it does.` })
      isAway = true
    }
    await sleep(lookEvery, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

// Says so where nobody is there to do what was asked for, and when somebody has come.
export function whoWorks(sql: Sql, watch: Watch): () => Promise<void> {
  let lookedAt = performance.now() - workersEvery / 2
  let nobody = false
  return async () => {
    if (performance.now() - lookedAt < workersEvery) return
    lookedAt = performance.now()
    const lives = (await workers(sql)).some(({ state }) => state === 'live')
    if (!lives && !nobody)
      watch({ type: 'note', text: 'No worker is running; this command waits for one: longtake cluster worker' })
    if (lives && nobody) watch({ type: 'note', text: 'A worker has come.' })
    nobody = !lives
  }
}

// The request of this id, or the one that begins so.
export async function requireRequest(sql: Sql, id: string): Promise<Request> {
  const foundRequest = (await findRequest(sql, id)) ?? (await likeOne(sql, id))
  if (foundRequest) return foundRequest
  throw new UsageError(`There is no request "${id}".`, { hint: 'See "longtake cluster status".' })
}

async function likeOne(sql: Sql, id: string): Promise<Request | undefined> {
  const like = await requestsLike(sql, id)
  if (like.length < 2) return like[0]
  throw new UsageError(`"${id}" begins the names of ${like.length} requests.`, {
    hint: `Give more of it: ${like.map(one => one.id).join(', ')}.`,
  })
}

async function videoNames(sql: Sql, id: string): Promise<Map<string, string>> {
  const videos = (await readWants(sql, (await requireRequest(sql, id)).id)).map(want => want.video)
  const { rows } = await sql.query<{ id: string; name: string }>(
    'select id, name from longtake.video where id = any ($1)',
    [videos],
  )
  return new Map(rows.map(row => [row.id, row.name]))
}

interface News {
  video: string
  stage: string
  key: string
  state: 'done' | 'failed'
  seconds?: number
  note: string | null
  duration: number
  at: Date
}

const later = (one: Date, other: Date) => (one > other ? one : other)

// What has ended since then.
async function readNews(sql: Sql, { id }: Request, since: Date): Promise<News[]> {
  const { rows } = await sql.query<News>(
    `with wanted as (select video.id, video.duration from longtake.want join longtake.video on video.id = want.video
       where want.request = $1)
     select artifact.video, stage, key, 'done' as state, (meta ->> 'seconds')::float8 as seconds, null as note, duration, at
     from longtake.artifact join wanted on wanted.id = artifact.video where at >= $2
     union all
     select failure.video, stage, key, 'failed', null, message, duration, at
     from longtake.failure join wanted on wanted.id = failure.video where at >= $2`,
    [id, since],
  )
  return rows
}
