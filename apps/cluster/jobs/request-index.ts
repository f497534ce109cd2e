import { randomUUID } from 'node:crypto'
import { contentHash } from '../../../src/core/json.ts'
import { type FrozenIndex, type FrozenVideo, planFrozen } from '../../../src/runtime/index/frozen-index.ts'
import { forgiveVideos } from '../data/catalogue/failures.ts'
import { addRequest } from '../data/catalogue/requests.ts'
import { addConfig, addNeeds, insertVideo, type StageNeed } from '../data/catalogue/videos.ts'
import type { Database, Sql } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { advance } from './advance.ts'
import { libraryNeed } from './after-index.ts'
import { type Priority, priorities, queueName, stageNeed } from './plan-video.ts'

interface IndexRequest {
  frozen: FrozenIndex
  videos: readonly FrozenVideo[]
  priority: Priority
  by: string // who asks, for people
}

// Asks for the index of these videos and returns the request's id. What is there already is not made again.
export async function requestIndex(
  database: Database,
  engine: Engine,
  { frozen, videos: asked, priority, by }: IndexRequest,
): Promise<string> {
  const id = randomUUID()
  const videos = inOrder(asked)
  const config = contentHash(frozen).slice(0, 32)
  const needs = [libraryNeed, ...(await listNeeds(frozen, videos))]
  await addNeeds(database, needs)
  for (const { queue } of needs) await engine.queue(queue)
  await database.transaction(async sql => {
    await addConfig(sql, config, frozen)
    for (const video of videos) await saveVideo(sql, video)
    const ids = videos.map(({ video }) => video.id)
    await forgiveVideos(sql, ids)
    await addRequest(sql, { id, kind: 'index', config, priority: priorities[priority], by, videos: ids })
  })
  for (const { video } of videos) await database.transaction(sql => advance(sql, engine, video.id))
  return id
}

// What is known of a video now is what is planned with: files beside it may have come since.
async function saveVideo(sql: Sql, frozen: FrozenVideo): Promise<void> {
  const { id, name } = frozen.video
  await insertVideo(sql, frozen.video)
  await sql.query('update longtake.video set name = $2, probe = $3 where id = $1', [id, name, JSON.stringify(frozen)])
}

// By id, so that two who ask for the same videos wait for each other and never in a circle.
function inOrder(videos: readonly FrozenVideo[]): FrozenVideo[] {
  return [...new Map(videos.map(one => [one.video.id, one])).values()].sort((a, b) =>
    a.video.id < b.video.id ? -1 : 1,
  )
}

// Every queue that these videos will come through.
async function listNeeds(frozen: FrozenIndex, videos: readonly FrozenVideo[]): Promise<StageNeed[]> {
  const needs = new Map<string, StageNeed>()
  for (const video of videos)
    for (const plan of await planFrozen(video, frozen, () => undefined))
      for (const planned of plan)
        if (planned.skip === undefined) needs.set(queueName(planned), stageNeed(planned, frozen))
  return [...needs.values()]
}
