import { closeRequest } from '../data/catalogue/requests.ts'
import type { Database } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'

// Ends a request and the jobs that no other one wants; running ones end at their next sign of life. Returns how many jobs that were,
// or undefined if the request was not open.
export async function cancelRequest(database: Database, engine: Engine, id: string): Promise<number | undefined> {
  return database.transaction(async sql => {
    if (!(await closeRequest(sql, id))) return undefined
    const { rows } = await sql.query<{ id: string }>(
      `select job.id from pgboss.job where job.state < 'completed' and (
         job.data->>'run' = $1
         or job.data->>'run' = (select config from longtake.request where id::text = $1 and kind <> 'index')
         or job.data->>'video' in (
           select video from longtake.want where request::text = $1
           except
           select want.video from longtake.want join longtake.request on request.id = want.request
           where request.state = 'open' and want.state in ('planned', 'running')
         )
       )`,
      [id],
    )
    await engine.cancel(
      rows.map(row => row.id),
      sql,
    )
    return rows.length
  })
}
