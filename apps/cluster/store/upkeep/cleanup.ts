import { findArtifact, knownObjects } from '../../data/catalogue/artifacts.ts'
import type { Database } from '../../data/sql.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'
import { resultNamed, resultsPrefix, sourcesPrefix } from '../object-names.ts'
import { refuseUnmarked } from '../store-mark.ts'
import { dropSound } from './drop-sound.ts'
import { inPages } from './pages.ts'

export interface CleanupWork {
  database: Database
  store: ArtifactStore
  home: string // for the sound's packs, which are written anew
  sound: boolean
  dryRun: boolean
  signal: AbortSignal
}

export interface CleanupReport {
  dryRun: boolean
  freed: { object: string; why: 'no row' | 'another one counts' | 'unfinished' | 'sound'; bytes: number }[]
  bytesFreed: number // or that would be, in a dry run
  kept: number // objects that rows name
  young: number // without a row, and not a day old: their row may be on its way
  foreign: number // with other names than a cluster gives; they stay
}

const day = 86_400 // seconds

// Removes what no row names: packs of attempts that lost, of workers that died before their row, and half-written files. What was
// written in the last day stays. After the database was restored from a backup, `adopt` comes first.
export async function cleanUpStore(work: CleanupWork): Promise<CleanupReport> {
  const { database, store, dryRun, signal } = work
  await refuseUnmarked(store)
  const report: CleanupReport = { dryRun, freed: [], bytesFreed: 0, kept: 0, young: 0, foreign: 0 }
  const now = await databaseTime(database)
  const isYoung = ({ modified }: StoredObject) => now - modified.getTime() / 1000 < day
  const free = async (found: StoredObject, why: CleanupReport['freed'][number]['why'], remove: () => Promise<void>) => {
    if (!dryRun) await remove()
    report.freed.push({ object: found.name, why, bytes: found.bytes })
    report.bytesFreed += found.bytes
  }

  for (const prefix of [resultsPrefix, sourcesPrefix, 'trial/'])
    for await (const page of inPages(store.list(prefix), 500)) {
      const knownNames = await knownObjects(
        database,
        page.map(({ name }) => name),
      )
      for (const storedObject of page) {
        signal.throwIfAborted()
        const resultKey = resultNamed(storedObject.name)
        if (knownNames.has(storedObject.name)) report.kept++
        else if (prefix === resultsPrefix && !resultKey) report.foreign++
        else if (isYoung(storedObject)) report.young++
        else if ((await knownObjects(database, [storedObject.name])).size > 0)
          report.kept++ // its row has come meanwhile
        else {
          const other = resultKey && (await findArtifact(database, resultKey))
          await free(storedObject, other ? 'another one counts' : 'no row', () => store.remove(storedObject.name))
        }
      }
    }
  for await (const upload of store.unfinished()) {
    if (isYoung(upload)) report.young++
    else await free(upload, 'unfinished', () => upload.remove())
  }
  if (work.sound)
    for await (const { object, bytes } of dropSound(work)) {
      report.freed.push({ object, why: 'sound', bytes })
      report.bytesFreed += bytes
    }
  return report
}

async function databaseTime(database: Database): Promise<number> {
  const { rows } = await database.query<{ now: number }>('select extract(epoch from now())::float8 as now')
  return rows[0]?.now ?? 0
}
