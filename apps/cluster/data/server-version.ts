import type { Sql } from './sql.ts'

// What the server of a database is, and what is wrong with it for a cluster.
export async function serverVersion(sql: Pick<Sql, 'query'>): Promise<{ name: string; unfit?: string }> {
  const { rows } = await sql.query<{ version: string; number: number; about: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
            version() as about`,
  )
  const { version = '', number = 0, about = '' } = rows[0] ?? {}
  if (about.includes('PGlite'))
    return {
      name: `PostgreSQL ${version} (PGlite)`,
      unfit: 'PGlite has one session for all that connect. A PostgreSQL server, 13 or newer, is needed.',
    }
  const name = `PostgreSQL ${version}`
  return number >= 130_000 ? { name } : { name, unfit: 'PostgreSQL 13 or newer is needed.' }
}
