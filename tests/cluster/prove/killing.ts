import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../../support/postgres.ts'
import type { Kill, ProofWorkers } from './workers.ts'

interface Killing {
  kills: number
  databaseKills: number
  over: number // seconds in which they are to happen, about
  workers: number
  random: () => number
  say(line: string): void
}

export interface KilledProcesses {
  workers: Record<Kill, number>
  database: number
}

const outage = 2500 // milliseconds

// Kills at moments that the seed draws, one after the other, until all have happened or the work is over.
export async function killAtRandom(
  postgres: Postgres,
  workers: ProofWorkers,
  { kills, databaseKills, over, workers: count, random, say }: Killing,
  signal: AbortSignal,
): Promise<KilledProcesses> {
  const killed: KilledProcesses = { workers: { all: 0, supervisor: 0, child: 0 }, database: 0 }
  const pause = Math.max(1.5, over / Math.max(1, kills + databaseKills)) * 1000
  const kinds: ('worker' | 'database')[] = Array.from({ length: kills + databaseKills }, (_, at) =>
    at < kills ? 'worker' : 'database',
  )
  for (let at = kinds.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[kinds[at], kinds[other]] = [kinds[other] ?? 'worker', kinds[at] ?? 'worker']
  }
  for (const kind of kinds) {
    await sleep(pause * (0.4 + 1.2 * random()), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    if (kind === 'database') {
      postgres.kill()
      await sleep(outage)
      postgres.start()
      killed.database++
      say('kill -9 of the database')
      continue
    }
    const draw = random()
    const what: Kill = draw < 0.45 ? 'all' : draw < 0.9 ? 'supervisor' : 'child'
    const nth = Math.floor(random() * count)
    while (!signal.aborted && !workers.kill(nth, what)) await sleep(200)
    if (signal.aborted) break
    killed.workers[what]++
    say(`kill -9 of worker ${nth + 1} (${what})`)
  }
  return killed
}
