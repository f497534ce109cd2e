import type { Request } from '../data/catalogue/requests.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { LibraryJob } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'
import type { NewJob } from '../engine/engine.ts'
import { jobId, jobPriority } from './plan-video.ts'
import { freeShards } from './shards.ts'

// The form of what is put into the tables. A worker of another one serves another queue.
const version = '1'

export const libraryNeed: StageNeed = {
  queue: `library.tables.${version}`,
  stage: 'library',
  backend: 'tables',
  version,
  resource: 'cpu',
}

// All that waits for an index that is done now: the questions about it, and its place in the tables. Whoever plans a video plans it for
// every request that wants it, so nobody may know of only one of these.
export async function afterIndex(sql: Sql, video: string, request: Request): Promise<NewJob[]> {
  const shards = request.config === undefined ? [] : await freeShards(sql, video, request.config)
  return [...shards, ...(await fillTables(sql, video, request))]
}

// After all else of a video: its index is of use without the tables.
const rank = 0

// A video whose index is done goes into the tables, unless it is there as it is. One whose index has changed since is another job: a job
// is done once.
async function fillTables(sql: Sql, video: string, { kind, config, priority }: Request): Promise<NewJob[]> {
  if (kind !== 'index' || !config) return []
  const { results, filled } = await newestResult(sql, video, config)
  if (filled) return []
  const data: LibraryJob = { kind: 'library', video, config }
  const id = jobId(data, ...(results === null ? [] : [results]))
  return [{ id, queue: libraryNeed.queue, data, priority: jobPriority(priority, rank) }]
}

async function newestResult(sql: Sql, video: string, config: string) {
  const { rows } = await sql.query<{ results: string | null; filled: boolean }>(
    `select max(at)::text as results, exists (
       select 1 from longtake.filled where video = $1 and config = $2 and at >= coalesce(max(artifact.at), '-infinity')
     ) as filled from longtake.artifact where video = $1`,
    [video, config],
  )
  return rows[0] ?? { results: null, filled: false }
}
