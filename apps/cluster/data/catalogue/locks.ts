import type { Sql } from '../sql.ts'

// Held to the end of the transaction: two tracks of a video that end at once plan one after the other, so neither is missed.
export async function lockVideo(sql: Sql, video: string): Promise<void> {
  await sql.query("select pg_advisory_xact_lock(hashtextextended('longtake video ' || $1, 0))", [video])
}

// False: somebody else does it just now.
export async function tryAdvisoryLock(sql: Sql, task: string): Promise<boolean> {
  const { rows } = await sql.query<{ locked: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('longtake ' || $1, 0)) as locked",
    [task],
  )
  return rows[0]?.locked ?? false
}
