import type { Artifact } from '../../apps/cluster/data/catalogue/artifacts.ts'
import type { AttemptKind } from '../../apps/cluster/data/catalogue/attempts.ts'
import { queryRows } from '../../apps/cluster/data/catalogue/rows.ts'
import type { Sql } from '../../apps/cluster/data/sql.ts'

export function readArtifacts(sql: Sql, video: string) {
  return queryRows<Artifact>(sql, 'select * from longtake.artifact where video = $1 order by at', [video])
}

export function readAttempts(sql: Sql, job: string) {
  return queryRows<{ n: number; worker: string; kind?: AttemptKind; message?: string }>(
    sql,
    'select n, worker, kind, message from longtake.attempt where job = $1 order by n',
    [job],
  )
}
