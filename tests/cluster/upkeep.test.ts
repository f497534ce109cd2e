import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addArtifact, findArtifact } from '../../apps/cluster/data/catalogue/artifacts.ts'
import { insertVideo, readVideoSources, selectVideo } from '../../apps/cluster/data/catalogue/videos.ts'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import type { ArtifactStore } from '../../apps/cluster/store/artifact-store.ts'
import { markStore } from '../../apps/cluster/store/check-store.ts'
import { openFolderStore } from '../../apps/cluster/store/folder-store.ts'
import { openPulledCache } from '../../apps/cluster/store/pulled-cache.ts'
import { sharedStages } from '../../apps/cluster/store/shared-stages.ts'
import { uploadSource } from '../../apps/cluster/store/sources.ts'
import { adoptObjects } from '../../apps/cluster/store/upkeep/adopt.ts'
import { cleanUpStore } from '../../apps/cluster/store/upkeep/cleanup.ts'
import type { Video } from '../../src/core/video.ts'
import { contentId } from '../../src/media/file/content-id.ts'
import { openLibrary } from '../../src/store/library/library.ts'
import { findOrMakeStage, findStage } from '../../src/store/stage/stage.ts'
import { freshDatabase } from '../support/postgres.ts'
import { someVideo } from '../support/shared-library.ts'

const { signal } = new AbortController()
let root: string
let database: Database
let store: ArtifactStore
let video: Video
beforeAll(async () => {
  database = await openDatabase(await freshDatabase())
  await migrate(database)
})
afterAll(() => database.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-upkeep-'))
  store = openFolderStore(join(root, 'store'))
  await markStore(store)
  const path = join(root, 'talk.mp4')
  await writeFile(path, Buffer.alloc(100_000, 3))
  video = someVideo(await contentId(path, 100_000), { path, name: 'talk.mp4', bytes: 100_000 })
})
afterEach(async () => {
  await database.query('truncate longtake.artifact, longtake.video, longtake.request cascade')
  await rm(root, { recursive: true, force: true })
})

const pcm = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at % 2 ? 0 : (at / 40) % 100)))

// A machine that makes a stage, or has it already.
async function make(
  name: string,
  stage: string,
  inputs: Record<string, string> = {},
  files: Record<string, Buffer> = { 'data.bin': pcm },
) {
  const library = openLibrary(join(root, name))
  const cache = openPulledCache(library, '1GB')
  const shared = await sharedStages({ sql: database, store, cache, video, signal, attempt: name.padEnd(8, '0') })
  const folder = library.videoFolder(video.id)
  const result = await findOrMakeStage({
    ...{ folder, stage, key: `${stage}-k`, by: 'x/y', settings: {}, inputs, video: video.id, signal, shared },
    async make(out) {
      for (const [name, bytes] of Object.entries(files)) {
        const sink = await out.bytes(name)
        await sink.write(bytes)
        await sink.close()
      }
    },
  })
  const [pushed, attempt] = [shared.pushed(), name.padEnd(8, '0')]
  const place = { video: video.id, stage, key: `${stage}-k` }
  if (pushed) await addArtifact(database, { ...place, attempt, ...pushed })
  await shared.done()
  return result
}

const objects = async () => {
  const found: string[] = []
  for await (const { name } of store.list('results/')) found.push(name.slice(`results/${video.id}/`.length))
  return found
}
const rows = async () =>
  (
    await database.query(
      'select stage, key, attempt, object, bytes::float8 as bytes, sha256, meta from longtake.artifact order by stage',
    )
  ).rows
const old = async (name: string) => {
  const then = Date.now() / 1000 - 90_000
  await utimes(join(root, 'store', name), then, then)
}
const clean = (more: { dryRun?: boolean; sound?: boolean } = {}) =>
  cleanUpStore({ database, store, home: join(root, 'home'), sound: false, dryRun: false, signal, ...more })

describe('adopt', () => {
  test('makes every row again as it was, with what is known of the videos and their uploaded files', async () => {
    for (const stage of ['decode', 'speech']) await make('one', stage)
    const work = { sql: database, store, cache: openPulledCache(openLibrary(join(root, 'one')), '1GB'), roots: {} }
    await uploadSource({ ...work, environment: {}, signal }, video)
    const before = await rows()
    await database.query('truncate longtake.artifact, longtake.video cascade')
    const report = await adoptObjects({ database, store, signal })
    expect(report).toMatchObject({ adopted: 2, sources: 1, damaged: [], known: 0, spare: 0, foreign: [] })
    expect(await rows()).toEqual(before)
    expect(await selectVideo(database, video.id)).toMatchObject({ name: 'talk.mp4', bytes: 100_000, duration: 60 })
    expect(await readVideoSources(database, video.id)).toEqual([{ object: `sources/${video.id}` }])
    expect(await adoptObjects({ database, store, signal })).toMatchObject({ adopted: 0, sources: 0, known: 3 })
  })

  test('names what is damaged, and leaves it and what is foreign where they are', async () => {
    await make('one', 'decode')
    await make('one', 'speech')
    await database.query('truncate longtake.artifact')
    const name = `results/${video.id}/speech/speech-k-one00000.tar`
    const bytes = await readFile(join(root, 'store', name))
    bytes[5000]! ^= 1
    await writeFile(join(root, 'store', name), bytes)
    await putText(store, 'results/notes.txt', 'of somebody')
    await putText(store, `sources/${video.id}`, 'another file')
    const report = await adoptObjects({ database, store, signal })
    expect(report).toMatchObject({ adopted: 1, foreign: ['results/notes.txt'] })
    expect(report.damaged).toEqual([
      { object: name, why: 'data.bin has other content than was written' },
      { object: `sources/${video.id}`, why: expect.stringContaining('by its content') },
    ])
    expect(await objects()).toHaveLength(3)
  })

  test('and cleanup refuse a folder that is no store', async () => {
    const other = openFolderStore(join(root, 'unmounted'))
    await expect(adoptObjects({ database, store: other, signal })).rejects.toThrow('is not a store of longtake')
    await expect(
      cleanUpStore({ database, store: other, home: root, sound: false, dryRun: false, signal }),
    ).rejects.toThrow('is not a store of longtake')
  })
})

describe('cleanup', () => {
  test('removes packs without a row and those that lost after a day, and half-written files', async () => {
    await make('one', 'decode')
    await store.put(`results/${video.id}/decode/decode-k-loser000.tar`, () => bodyOf('x'), 1)
    await old(`results/${video.id}/decode/decode-k-loser000.tar`)
    await store.put(`results/${video.id}/decode/decode-k-loser001.tar`, () => bodyOf('x'), 1)
    for (const name of ['orphan00', 'young000'])
      await store.put(`results/${video.id}/voices/voices-k-${name}.tar`, () => bodyOf('xyz'), 3)
    await old(`results/${video.id}/voices/voices-k-orphan00.tar`)
    await writeFile(join(root, 'store', 'results', '.tmp-1-00000000-0'), 'half')
    await old('results/.tmp-1-00000000-0')
    await writeFile(join(root, 'store', 'results', '.tmp-1-00000000-1'), 'being written')
    await putText(store, `sources/${video.id}`, 'nobody named it')
    await old(`sources/${video.id}`)
    await putText(store, 'results/notes.txt', 'of somebody')
    await old('results/notes.txt')
    const before = await objects()
    const dry = await clean({ dryRun: true })
    expect(await objects()).toEqual(before)
    const report = await clean()
    expect(report.freed).toEqual(dry.freed)
    expect(report).toMatchObject({ kept: 1, young: 3, foreign: 1, bytesFreed: 1 + 3 + 4 + 15 })
    expect(report.freed.map(({ object, why }) => [object.split('-').at(-1), why])).toEqual([
      ['loser000.tar', 'another one counts'],
      ['orphan00.tar', 'no row'],
      [`sources/${video.id}`, 'no row'],
      ['0', 'unfinished'],
    ])
    expect((await objects()).filter(Boolean)).toEqual([
      'decode/decode-k-loser001.tar',
      'decode/decode-k-one00000.tar',
      'voices/voices-k-young000.tar',
    ])
    expect(await readdir(join(root, 'store', 'results'))).toContain('notes.txt')
  })

  const heard = async () => {
    await insertVideo(database, video)
    await make('one', 'decode', {}, { 'data.bin': pcm, 'sound.pcm': pcm })
    await make('one', 'voices', { decode: 'decode-k' })
    await make('one', 'speech', { voices: 'voices-k', decode: 'decode-k' })
  }

  test('removes the sound once speech and sounds are done, and the rest of the result stays readable', async () => {
    await heard()
    expect((await clean({ sound: true })).freed).toEqual([])
    await make('one', 'sounds', { decode: 'decode-k' })
    const before = await findArtifact(database, { video: video.id, stage: 'decode', key: 'decode-k' })
    const dry = await clean({ sound: true, dryRun: true })
    expect(dry.freed).toMatchObject([{ object: before!.object, why: 'sound' }])
    const report = await clean({ sound: true })
    const after = await findArtifact(database, { video: video.id, stage: 'decode', key: 'decode-k' })
    expect(report.bytesFreed).toBe(before!.bytes - after!.bytes)
    expect(report.bytesFreed).toBeGreaterThan(0)
    expect(await objects()).toHaveLength(4)
    expect((await clean({ sound: true })).freed).toEqual([])

    const library = openLibrary(join(root, 'two'))
    const shared = await sharedStages({ sql: database, store, cache: openPulledCache(library, '1GB'), video, signal })
    const found = await findStage(library.videoFolder(video.id), 'decode', 'decode-k', undefined, shared)
    expect(Object.keys(found!.meta.files)).toEqual(['data.bin'])
    expect(found!.meta.notes).toEqual([expect.stringContaining('sound was removed')])
  })

  test('keeps the pack of an update that was run twice, and of a row that came after it had looked', async () => {
    await heard()
    await make('one', 'sounds', { decode: 'decode-k' })
    const twice: Database['query'] = async (text, values) => {
      const rows = await database.query<never>(text, values)
      return text.trim().startsWith('update longtake.artifact') ? database.query<never>(text, values) : rows
    }
    const work = { store, home: root, dryRun: false, signal }
    const report = await cleanUpStore({ ...work, sound: true, database: { ...database, query: twice } })
    expect(report.freed).toMatchObject([{ why: 'sound' }])
    const row = await findArtifact(database, { video: video.id, stage: 'decode', key: 'decode-k' })
    expect((await store.head(row!.object))?.bytes).toBe(row!.bytes)

    await old(row!.object)
    await database.query('delete from longtake.artifact where object = $1', [row!.object])
    let isBack = false
    const late: Database['query'] = async (text, values) => {
      const rows = await database.query<never>(text, values)
      if (text.includes('union select object') && !isBack) isBack = await addArtifact(database, row!)
      return rows
    }
    expect(await cleanUpStore({ ...work, sound: false, database: { ...database, query: late } })).toMatchObject({
      freed: [],
    })
    expect(isBack).toBe(true)
  })

  test('leaves the sound of a video that somebody waits for', async () => {
    await heard()
    await make('one', 'sounds', { decode: 'decode-k' })
    await database.query(
      `insert into longtake.request (id, kind) values ('00000000-0000-0000-0000-000000000001', 'index')`,
    )
    await database.query(`insert into longtake.want (request, video) select id, $1 from longtake.request`, [video.id])
    expect((await clean({ sound: true })).freed).toEqual([])
  })

  test('a result without its sound makes way where it is to be made, so that new speech can be made of it', async () => {
    await heard()
    await make('one', 'sounds', { decode: 'decode-k' })
    await clean({ sound: true })
    await database.query(`delete from longtake.artifact where stage = 'speech'`)
    const before = await make('one', 'speech')
    expect(before.reused).toBe(true)
    const library = openLibrary(join(root, 'two'))
    const shared = await sharedStages({ sql: database, store, cache: openPulledCache(library, '1GB'), video, signal })
    await findStage(library.videoFolder(video.id), 'decode', 'decode-k', undefined, shared)
    await shared.done()
    await database.query(`delete from longtake.artifact where stage = 'decode'`)
    const again = await make('two', 'decode', {}, { 'data.bin': pcm, 'sound.pcm': pcm })
    expect(again.reused).toBe(false)
    const row = await findArtifact(database, { video: video.id, stage: 'decode', key: 'decode-k' })
    expect(row?.meta).toMatchObject({ files: { 'sound.pcm': { bytes: pcm.length } } })
  })
})

const putText = (at: ArtifactStore, name: string, text: string) => at.put(name, () => bodyOf(text), text.length)

function bodyOf(text: string) {
  return Readable.from([Buffer.from(text)], { objectMode: false })
}
