import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StageMeta } from '../../../../src/core/stage.ts'
import type { Video } from '../../../../src/core/video.ts'
import { saveRecord } from '../../../../src/store/sealed-record.ts'
import { stageFolder } from '../../../../src/store/stage/stage-check.ts'
import { temporaryFolder } from '../../../../src/store/temporary.ts'
import { type Artifact, findArtifact, knownObjects } from '../../data/catalogue/artifacts.ts'
import { queryRows } from '../../data/catalogue/rows.ts'
import { parseRow } from '../../data/parse-row.ts'
import type { Database } from '../../data/sql.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'
import { refuseUnmarked } from '../check-store.ts'
import { resultName, resultNamed, resultsPrefix, sourcesPrefix } from '../object-names.ts'
import { packStage } from '../pack/pack.ts'
import { DamagedPack } from '../pack/read-pack.ts'
import { unpackStage } from '../pack/unpack.ts'
import { listObjects } from './list-objects.ts'

interface CleanupWork {
  database: Database
  store: ArtifactStore
  home: string // for the sound's packs, which are written anew
  sound: boolean
  dryRun: boolean
  signal: AbortSignal
}

interface CleanupReport {
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

  for await (const { object, prefix, isKnown } of listObjects(work, [resultsPrefix, sourcesPrefix, 'trial/'])) {
    signal.throwIfAborted()
    const resultKey = resultNamed(object.name)
    if (isKnown) report.kept++
    else if (prefix === resultsPrefix && !resultKey) report.foreign++
    else if (isYoung(object)) report.young++
    else if ((await knownObjects(database, [object.name])).size > 0)
      report.kept++ // its row has come meanwhile
    else {
      const other = resultKey && (await findArtifact(database, resultKey))
      await free(object, other ? 'another one counts' : 'no row', () => store.remove(object.name))
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

const sound = 'sound.pcm'

// Writes packs anew without the sound, of videos whose speech and sounds are done and that nobody waits for. Who needs the sound again
// decodes the video again.
async function* dropSound(work: CleanupWork): AsyncIterable<{ object: string; bytes: number }> {
  for (const row of await heard(work.database)) {
    work.signal.throwIfAborted()
    const bytes = work.dryRun ? soundBytes(row) : await dropFrom(work, row)
    if (bytes > 0) yield { object: row.object, bytes }
  }
}

// In a dry run nothing is packed anew, so FLAC is taken for as large as the sound at most.
function soundBytes({ bytes, meta }: Artifact): number {
  const files = parseRow(StageMeta, meta, 'a result').files
  const otherBytes = Object.entries(files).reduce((sum, [name, file]) => sum + (name === sound ? 0 : file.bytes), 0)
  return Math.max(0, Math.min(bytes - otherBytes, files[sound]?.bytes ?? 0))
}

async function dropFrom({ database, store, home, signal }: CleanupWork, row: Artifact): Promise<number> {
  const { video, stage, key } = row
  const temporary = temporaryFolder(home)
  const workFolder = temporary.path
  try {
    const body = await store.get(row.object)
    const pack = await unpackStage(body, { folder: workFolder, stage: { video, stage, key }, name: row.object, signal })
    const packedVideo = pack.video
    if (!packedVideo) return 0
    const folder = stageFolder(workFolder, stage, key)
    await rm(join(folder, sound))
    await saveRecord(join(folder, 'meta.json'), withoutSound(pack.meta))
    return await replace({ database, store, signal }, row, { folder, work: workFolder, known: packedVideo })
  } catch (error) {
    if (error instanceof DamagedPack) return 0 // whoever pulls it next finds that, and has it made again
    throw error
  } finally {
    await rm(workFolder, { recursive: true, force: true })
    temporary.done()
  }
}

function withoutSound({ files, notes, ...meta }: StageMeta): StageMeta {
  const { [sound]: _, ...others } = files
  return {
    ...meta,
    files: others,
    without: [sound],
    notes: [...notes, 'its sound was removed by "cluster cleanup --sound"'],
  }
}

// The new pack first, then the row, then the old pack: a reader finds one or the other at any time.
async function replace(
  { database, store, signal }: Pick<CleanupWork, 'database' | 'store' | 'signal'>,
  row: Artifact,
  { folder, work, known }: { folder: string; work: string; known: Video },
): Promise<number> {
  const attempt = randomBytes(4).toString('hex')
  const pack = await packStage(folder, known, { work, signal })
  const object = resultName({ ...row, attempt })
  await store.put(object, pack.body, pack.bytes)
  await database.query(
    `update longtake.artifact set attempt = $5, object = $6, bytes = $7, sha256 = $8, meta = $9
     where video = $1 and stage = $2 and key = $3 and attempt = $4`,
    [row.video, row.stage, row.key, row.attempt, attempt, object, pack.bytes, pack.sha256(), JSON.stringify(pack.meta)],
  )
  // Of an update that was run twice, since its first answer was lost, the second one changes nothing.
  const isOurs = (await findArtifact(database, row))?.attempt === attempt
  await store.remove(isOurs ? row.object : object)
  return isOurs ? row.bytes - pack.bytes : 0
}

// Rows whose sound was listened to the end: speech and sounds were made of it, and no open request wants the video.
async function heard(database: Database): Promise<Artifact[]> {
  const places = await queryRows<Pick<Artifact, 'video' | 'stage' | 'key'>>(
    database,
    `select decoded.video, decoded.stage, decoded.key from longtake.artifact decoded
     where decoded.meta -> 'files' -> '${sound}' is not null
       and exists (select 1 from longtake.artifact made where made.video = decoded.video and made.stage = 'sounds'
         and made.meta -> 'inputs' ->> decoded.stage = decoded.key)
       and exists (select 1 from longtake.artifact made where made.video = decoded.video and made.stage = 'speech'
         and coalesce(made.meta -> 'inputs' ->> decoded.stage, decoded.key) = decoded.key)
       and not exists (select 1 from longtake.want join longtake.request on request.id = want.request
         where want.video = decoded.video and request.state = 'open' and want.state in ('planned', 'running'))
     order by decoded.video`,
  )
  const rows = await Promise.all(places.map(place => findArtifact(database, place)))
  return rows.filter(row => row !== undefined)
}
