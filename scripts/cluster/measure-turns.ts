import pg from 'pg'
import { migrate } from '../../src/cluster/data/schema/index.ts'
import type { Sql } from '../../src/cluster/data/sql.ts'
import { sharedTurns } from '../../src/cluster/limits/shared-turns.ts'
import { freshDatabase } from '../../tests/support/postgres.ts'

// Turns a second at one server, and how long each take lasts: `npx tsx scripts/cluster/measure-turns.ts [CLIENTS] [SECONDS]`.
const [clients, seconds] = [Number(process.argv[2] ?? 8), Number(process.argv[3] ?? 10)]
const pool = new pg.Pool({ connectionString: await freshDatabase(), max: clients })
const sql = pool as unknown as Sql
await migrate({ transaction: run => run(sql) })
const milliseconds: number[] = []
const began = performance.now()

async function client(): Promise<void> {
  const turns = sharedTurns({ sql, limits: { one: { requestsPerMinute: 9_000_000, concurrent: 1000 } } })
  const { signal } = new AbortController()
  while (performance.now() - began < seconds * 1000) {
    const before = performance.now()
    const turn = await turns({ address: '', provider: 'one' })?.take(60, signal)
    milliseconds.push(performance.now() - before)
    turn?.end({})
  }
}

await Promise.all(Array.from({ length: clients }, client))
const took = (performance.now() - began) / 1000
await pool.end()
milliseconds.sort((a, b) => a - b)
const at = (share: number) => (milliseconds[Math.floor(milliseconds.length * share)] ?? 0).toFixed(1)
console.log(
  `${clients} clients: ${Math.round(milliseconds.length / took)} takes/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
)
process.exit(0)
