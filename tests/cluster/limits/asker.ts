import pg from 'pg'
import { z } from 'zod'
import type { Sql } from '../../../apps/cluster/data/sql.ts'
import { sharedTurns } from '../../../apps/cluster/limits/shared-turns.ts'
import { requestLimits } from '../../../models/http/limits.ts'
import { openServer } from '../../../models/http/server.ts'

// A process that asks one server as often as its limits let it, until it is told to end: `node asker.ts DATABASE URL LIMITS MINUTE`.
const [, , database = '', url = '', wanted = '{}', minute = '60'] = process.argv
const pool = new pg.Pool({ connectionString: database, max: 2 })
const ended = new AbortController()
const turns = sharedTurns({ sql: pool as unknown as Sql, limits: JSON.parse(wanted), minute: Number(minute) })
const host = { folder: '', environment: {}, signal: ended.signal, say: () => {}, turns }
const settings = z
  .object({ limits: requestLimits })
  .parse({ limits: { concurrency: 8, attempts: 20, breakerFailures: 1000 } })
const server = openServer({ name: 'chat/test', url, limits: settings.limits, start: '' }, host)

async function ask(): Promise<void> {
  while (!ended.signal.aborted)
    await server.call(ended.signal, async asking => {
      for await (const _ of (await asking.post('/', { from: process.pid })).body);
    })
}

process.stdout.write('ready\n')
await new Promise(resolve => process.stdin.once('data', resolve))
process.once('SIGTERM', () => ended.abort())
await Promise.allSettled(Array.from({ length: 3 }, ask))
await server.close()
await pool.end()
process.exit(0)
