import { endLostAttempts } from '../data/catalogue/attempts.ts'
import { tryLock } from '../data/catalogue/locks.ts'
import { wantedVideos } from '../data/catalogue/requests.ts'
import { sweepWorkers } from '../data/catalogue/workers.ts'
import type { Database } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { advance, type Follow } from './advance.ts'

// Plans every wanted video anew, so that whatever was lost on the way (a queue, an asker, a backup's day) is made up for. One worker at a
// time does it. False: somebody else does.
export async function reconcile(database: Database, engine: Engine, follow?: Follow): Promise<boolean> {
  return database.transaction(async held => {
    if (!(await tryLock(held, 'reconcile'))) return false
    await sweepWorkers(database)
    await endLostAttempts(database)
    for (const video of await wantedVideos(database))
      await database.transaction(sql => advance(sql, engine, video, follow))
    return true
  })
}
