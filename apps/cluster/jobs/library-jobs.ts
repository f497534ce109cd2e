import type { StageNeed } from '../data/catalogue/videos.ts'
import type { LibraryJob } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'
import type { NewJob } from '../engine/engine.ts'
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

// A video whose index is done goes into the tables, unless it is there as it is.
export const fillAfterIndex: Follow = async (sql, video, { kind, config, priority }, state) => {
  if (state !== 'done' || kind !== 'index' || !config || (await isFilled(sql, video, config))) return []
  const data: LibraryJob = { kind: 'library', video, config }
  const job: NewJob = { id: jobId(data), queue: libraryNeed.queue, data, priority: jobPriority(priority, rank) }
  return [job]
}

async function isFilled(sql: Sql, video: string, config: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `select 1 from longtake.filled where video = $1 and config = $2
       and at >= coalesce((select max(artifact.at) from longtake.artifact where artifact.video = $1), '-infinity')`,
    [video, config],
  )
  return rowCount > 0
}
