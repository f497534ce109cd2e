import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addSource, insertVideo, readVideoSources } from '../../apps/cluster/data/catalogue/videos.ts'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import { markStore } from '../../apps/cluster/store/check-store.ts'
import { openFolderStore } from '../../apps/cluster/store/folder-store.ts'
import { MissingObject } from '../../apps/cluster/store/object-names.ts'
import { ofStore } from '../../apps/cluster/store/of-store.ts'
import { openPulledCache } from '../../apps/cluster/store/pulled-cache.ts'
import {
  bucketPlace,
  fetchAddress,
  fetchSource,
  type SourceWork,
  uploadSource,
} from '../../apps/cluster/store/sources.ts'
import { locateSource, NotHere } from '../../apps/cluster/task/locate.ts'
import { StorageError, UsageError } from '../../src/core/errors.ts'
import type { Video } from '../../src/core/video.ts'
import { contentId } from '../../src/media/file/content-id.ts'
import { openLibrary } from '../../src/store/library/library.ts'
import { type S3Server, s3Server } from '../servers/s3-server.ts'
import { freshDatabase } from '../support/postgres.ts'
import { someVideo } from '../support/shared-library.ts'

let root: string
let sql: Database
let server: S3Server
let video: Video
let content: Buffer
beforeAll(async () => {
  sql = await openDatabase(await freshDatabase())
  await migrate(sql)
  server = await s3Server()
})
afterAll(async () => {
  await sql.close()
  await server.close()
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-sources-'))
  content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 31 + (at >> 9)) % 256))
  const path = join(root, 'A talk.mp4')
  await writeFile(path, content)
  video = someVideo(await contentId(path, content.length), { path, name: 'A talk.mp4', bytes: content.length })
  await markStore(openFolderStore(join(root, 'store')))
})
afterEach(async () => {
  await sql.query('truncate longtake.video cascade')
  server.objects.clear()
  await rm(root, { recursive: true, force: true })
})

function machine(name: string, { roots = {}, cache = '1GB' } = {}): SourceWork {
  const library = openLibrary(join(root, name))
  const store = openFolderStore(join(root, 'store'))
  const { signal } = new AbortController()
  return { sql, store, cache: openPulledCache(library, cache), roots, environment: server.keys, signal }
}

const stored = () => join(root, 'store', 'sources', video.id)

test('an uploaded file is sent once, and fetched whole by a machine that has it nowhere', async () => {
  const [a, b] = [machine('a'), machine('b')]
  await uploadSource(a, video)
  const { mtimeMs } = await stat(stored())
  await uploadSource(a, video)
  expect((await stat(stored())).mtimeMs).toBe(mtimeMs)
  expect(await readVideoSources(sql, video.id)).toEqual([{ object: `sources/${video.id}` }])
  const path = await fetchSource(b, video)
  expect(path).toBe(join(root, 'b', 'library', video.id, 'source', 'A talk.mp4'))
  expect((await readFile(path!)).equals(content)).toBe(true)
  await rm(stored())
  expect(await fetchSource(b, video)).toBe(path)
})

test('an upload that was cut short is sent again', async () => {
  await uploadSource(machine('a'), video)
  await writeFile(stored(), content.subarray(0, 1000))
  await uploadSource(machine('a'), video)
  expect((await readFile(stored())).equals(content)).toBe(true)
})

test('a file that was replaced before it was sent is refused, and nothing is sent', async () => {
  await writeFile(video.path, Buffer.from(content).fill(7, 0, 100))
  await expect(uploadSource(machine('a'), video)).rejects.toThrow(`A talk.mp4 is no longer the video ${video.id}`)
  await expect(readdir(join(root, 'store', 'sources'))).rejects.toThrow('ENOENT')
})

test.each([
  { what: 'other bytes', replace: (bytes: Buffer) => Buffer.from(bytes).fill(7, 0, 100) },
  { what: 'fewer bytes', replace: (bytes: Buffer) => bytes.subarray(0, 5000) },
  { what: 'more bytes', replace: (bytes: Buffer) => Buffer.concat([bytes, bytes]) },
])(
  'a source that was replaced by $what is a failure for good that says so, and is kept nowhere',
  async ({ replace }) => {
    const b = machine('b')
    await uploadSource(machine('a'), video)
    await writeFile(stored(), replace(content))
    const refused = fetchSource(b, video)
    await expect(refused).rejects.toMatchObject({ exitCode: 3, hint: expect.stringContaining('as it is now') })
    await expect(refused).rejects.toThrow(`is no longer the video ${video.id}: it was replaced since it was queued`)
    expect(await readdir(join(root, 'b', 'library', video.id, 'source'))).toEqual([])
  },
)

test('a video of the same samples and another content is told apart by all of its bytes', async () => {
  const twin = { ...video, id: `${video.id}-0123456789ab` }
  await insertVideo(sql, twin)
  await addSource(sql, twin.id, { object: `sources/${video.id}` })
  await uploadSource(machine('a'), video)
  await expect(fetchSource(machine('b'), twin)).rejects.toThrow('is no longer the video')
})

test('a source that is gone is named; one that nobody has written down is looked for elsewhere', async () => {
  const b = machine('b')
  expect(await fetchSource(b, video)).toBeUndefined()
  await uploadSource(machine('a'), video)
  await rm(stored())
  await expect(fetchSource(b, video)).rejects.toThrow(`sources/${video.id}, the file of ${video.id}, is gone`)
  await rm(join(root, 'store'), { recursive: true })
  await expect(fetchSource(b, video)).rejects.toThrow(StorageError) // it is not mounted
})

test('a store that refuses this machine, at once or while it is read, says nothing about the video', async () => {
  const refused = new UsageError('The store refused GET.', { hint: 'Check the keys.' })
  const store = openFolderStore(join(root, 'store'))
  const away = ofStore({ ...store, get: () => Promise.reject(refused) })
  const fault = { name: 'StorageError', message: refused.message, hint: refused.hint }
  await expect(away.get('sources/x')).rejects.toMatchObject(fault)
  await expect(ofStore(store).get('sources/x')).rejects.toThrow(MissingObject)
  const cut = async function* () {
    yield Buffer.from('some')
    throw refused
  }
  const broken = ofStore({ ...store, get: async () => Readable.from(cut()) })
  await expect(text(await broken.get('sources/x'))).rejects.toMatchObject(fault)
  await uploadSource(machine('a'), video)
  const whole = await ofStore(store).get(`sources/${video.id}`)
  expect((await buffer(whole)).equals(content)).toBe(true)
})

test('a file in a bucket is fetched where the bucket is a root, and nowhere else', async () => {
  const roots = { films: 's3://bucket/2026' }
  server.objects.set('2026/some/A talk.mp4', { bytes: content, modified: new Date() })
  const b = machine('b', { roots })
  const path = await fetchAddress(b, 's3://bucket/2026/some/A talk.mp4')
  expect((await readFile(path)).equals(content)).toBe(true)
  expect(bucketPlace('s3://bucket/2026/some/A talk.mp4', roots)).toEqual({ root: 'films', path: 'some/A talk.mp4' })
  await insertVideo(sql, video)
  await addSource(sql, video.id, { root: 'films', path: 'some/A talk.mp4' })
  const other = await fetchSource(machine('c', { roots }), video)
  expect((await readFile(other!)).equals(content)).toBe(true)
  expect(await fetchSource(machine('d'), video)).toBeUndefined()
  for (const address of ['s3://bucket/2027/x.mp4', 's3://other/2026/x.mp4', 's3://bucket/20266/x.mp4'])
    await expect(fetchAddress(b, address)).rejects.toThrow('lies below none of the roots')
  await expect(fetchAddress(b, 's3://bucket/2026/none.mp4')).rejects.toThrow('does not exist')
  await expect(fetchAddress(b, 's3://bucket/2026/../secret')).rejects.toThrow('is not the name of an object')
})

test('a worker takes the file below its own root, else out of the store, and says so where it has neither', async () => {
  const roots = { talks: root }
  await insertVideo(sql, video)
  await addSource(sql, video.id, { root: 'talks', path: 'A talk.mp4' })
  expect(await locateSource(machine('b', { roots }), video)).toBe(video.path)
  await expect(locateSource(machine('c'), video)).rejects.toThrow(NotHere)
  await uploadSource(machine('a'), video)
  expect(await locateSource(machine('c'), video)).toBe(join(root, 'c', 'library', video.id, 'source', 'A talk.mp4'))
  await writeFile(video.path, Buffer.from(content).fill(7, 0, 100))
  const refused = locateSource(machine('b', { roots }), video)
  await expect(refused).rejects.toThrow(`talks:A talk.mp4 is no longer the video ${video.id}`)
  await expect(refused).rejects.toMatchObject({ exitCode: 3 })
})

test('fetched files make room for each other', async () => {
  const b = machine('b', { cache: '250K' })
  const names = await Promise.all(
    [1, 2].map(async n => {
      const path = join(root, `${n}.mp4`)
      await writeFile(path, Buffer.from(content).fill(n, 0, 100))
      const id = await contentId(path, content.length)
      const one = someVideo(id, { path, name: `${n}.mp4`, bytes: content.length })
      await uploadSource(machine('a'), one)
      return one
    }),
  )
  const [first, second] = [await fetchSource(b, names[0]!), await fetchSource(b, names[1]!)]
  await expect(stat(first!)).rejects.toThrow('ENOENT')
  expect((await stat(second!)).size).toBe(content.length)
})
