import type { StageNeed } from '../data/catalogue/videos.ts'
import type { LibraryJob } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'
import type { Follow } from './advance.ts'
import { jobId, jobPriority } from './plan-video.ts'

// The form of what is put into the tables. A worker of another one serves another queue.
const version = '1'

export const libraryNeed: StageNeed = {
  queue: `library.tables.${version}`,
  stage: 'library',
  backend: 'tables',
  version,
  resource: 'cpu',
}

// After all else of a video: its index is of use without the tables.
const rank = 0

// A video whose index is done goes into the tables, unless it is there as it is. One whose index has changed since is another job: a job
// is done once.
export const fillAfterIndex: Follow = async (sql, video, { kind, config, priority }, state) => {
  if (state !== 'done' || kind !== 'index' || !config) return []
  const { results, filled } = await newestResult(sql, video, config)
  if (filled) return []
  const data: LibraryJob = { kind: 'library', video, config }
  return [
    {
      id: jobId(data, ...(results === undefined ? [] : [results])),
      queue: libraryNeed.queue,
      data,
      priority: jobPriority(priority, rank),
    },
  ]
}

async function newestResult(sql: Sql, video: string, config: string): Promise<{ results?: string; filled: boolean }> {
  const { rows } = await sql.query<{ results: string | null; filled: boolean }>(
    `select max(at)::text as results, exists (
       select 1 from longtake.filled where video = $1 and config = $2 and at >= coalesce(max(artifact.at), '-infinity')
     ) as filled from longtake.artifact where video = $1`,
    [video, config],
  )
  const [{ results, filled } = { results: null, filled: false }] = rows
  return { ...(results !== null && { results }), filled }
}
