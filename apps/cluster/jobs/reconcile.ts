import { endLostAttempts } from '../data/catalogue/attempts.ts'
import { tryAdvisoryLock } from '../data/catalogue/locks.ts'
import { endThrough, wantedVideos } from '../data/catalogue/requests.ts'
import { sweepWorkers } from '../data/catalogue/workers.ts'
import type { Database } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { advance, type Follow } from './advance.ts'

// Plans every wanted video anew, so that whatever was lost on the way (a queue, an asker, a backup's day) is made up for. One worker at a
// time does it. False: somebody else does. A video that cannot be planned stops no other; its error is thrown at the end.
export async function reconcile(database: Database, engine: Engine, follow?: Follow): Promise<boolean> {
  return database.transaction(async held => {
    if (!(await tryAdvisoryLock(held, 'reconcile'))) return false
    await sweepWorkers(database)
    await endLostAttempts(database)
    const errors: unknown[] = []
    for (const video of await wantedVideos(database))
      await database.transaction(sql => advance(sql, engine, video, follow)).catch(error => errors.push(error))
    await database.transaction(endThrough)
    if (errors.length > 0) throw errors[0]
    return true
  })
}
