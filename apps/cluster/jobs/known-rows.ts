import { StageMeta } from '../../../src/core/stage.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import { readFailures } from '../data/catalogue/failures.ts'
import type { Sql } from '../data/sql.ts'
import type { KnownStages } from './plan-video.ts'

// What the catalogue says of one video, as it travels to who plans or makes it.
export interface KnownRows {
  results: { stage: string; key: string; files?: StageMeta['files'] }[] // files: of the subtitles, which decide about the speech
  failures: { stage: string; key: string; kind: string; message: string }[]
}

export async function readKnownRows(sql: Sql, video: string): Promise<KnownRows> {
  const results = await sql.query<{ stage: string; key: string; files: unknown }>(
    `select stage, key, case when stage = 'subtitles' then meta -> 'files' end as files
     from longtake.artifact where video = $1`,
    [video],
  )
  const failures = await readFailures(sql, video)
  return {
    results: results.rows.map(({ stage, key, files }) => ({ stage, key, files: Files.parse(files) })),
    failures: failures.map(({ stage, key, kind, message }) => ({ stage, key, kind, message })),
  }
}

const Files = StageMeta.shape.files.optional().catch(undefined) // a row may hold anything

// Kinds of failures that cost one track and no other: as where it is indexed on one machine, what something outside has broken.
const trackKinds = ['backend', 'poison']

export function toKnownStages({ results, failures }: KnownRows): KnownStages {
  const name = (stage: string, key: string) => `${storedStage(stage)} ${key}`
  const there = new Set(results.map(({ stage, key }) => name(stage, key)))
  const failed = new Map(failures.map(failure => [name(failure.stage, failure.key), failure]))
  return {
    finished: (stage, key) => there.has(name(stage, key)),
    failure(stage, key) {
      const failedRow = failed.get(name(stage, key))
      return failedRow && { why: failedRow.message, leavesOut: trackKinds.includes(failedRow.kind) }
    },
  }
}

export function findSubtitleResult({ results }: KnownRows) {
  return (stage: string, key: string) => {
    const result = results.find(one => one.stage === stage && one.key === key)
    return result && { files: result.files ?? {} }
  }
}
