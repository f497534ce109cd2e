import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Sql } from './sql.ts'

// Words told by NOTIFY, over a connection of its own that is made again when it breaks. Where none arrive (a PgBouncer in transaction
// mode passes none on), it ends by itself: those who listen also poll. Returns what ends it.
export async function listening(
  connect: () => Client,
  database: Sql,
  heard: (word: string) => void,
): Promise<() => Promise<void>> {
  const trial = `trial ${randomUUID()}`
  let client: Client | undefined
  let ended = false
  let arrived = false
  let timer: NodeJS.Timeout | undefined
  let wait = 500
  const end = async () => {
    ended = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
  const again = () => {
    if (ended) return
    client = undefined
    timer = setTimeout(() => void begin().catch(again), wait).unref()
    wait = Math.min(wait * 2, 30_000)
  }
  const begin = async () => {
    const mine = connect()
    client = mine
    mine.on('error', () => {})
    mine.on('notification', ({ payload }) => {
      if (payload === trial) {
        arrived = true
        clearTimeout(timer)
      } else if (payload && !payload.startsWith('trial ')) heard(payload)
    })
    try {
      await mine.connect()
      await mine.query('listen longtake')
      await database.query("select pg_notify('longtake', $1)", [trial])
    } catch (error) {
      await mine.end().catch(() => {})
      throw error
    }
    mine.on('end', again)
    wait = 500
    if (!arrived) timer = setTimeout(() => void end(), 5000).unref()
  }
  await begin().catch(again)
  return end
}
