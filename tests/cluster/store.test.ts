import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ArtifactStore } from '../../apps/cluster/store/artifact-store.ts'
import { openFolderStore } from '../../apps/cluster/store/folder-store.ts'
import { openStore } from '../../apps/cluster/store/open-store.ts'
import { objectUrl, readBucket } from '../../apps/cluster/store/s3/address.ts'
import { openS3Store } from '../../apps/cluster/store/s3/store.ts'
import { type S3Server, s3Server } from '../servers/s3-server.ts'

const quick = { attempts: 4, pause: 5, silence: 2000 }
const small = { single: 4000, part: 1500 }
let server: S3Server
let folder: string
beforeAll(async () => {
  server = await s3Server({ page: 3 })
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-store-'))
})
afterEach(async () => {
  server.objects.clear()
  server.uploads.clear()
  server.requests.length = 0
  Object.assign(server.faults, { busy: 0, cut: 0, wrongBytes: false, completesWithError: 0, endless: false })
  server.faults.stale.clear()
  await rm(folder, { recursive: true, force: true })
})

const openBucket = () => openS3Store(readBucket('s3://bucket/some/place', server.keys), { timing: quick, sizes: small })
const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256))
const body = (content: Buffer) => () => Readable.from([content], { objectMode: false })
const put = (store: ArtifactStore, name: string, content: Buffer) => store.put(name, body(content), content.length)
const names = async (store: ArtifactStore, prefix: string) => {
  const found: string[] = []
  for await (const { name } of store.list(prefix)) found.push(name)
  return found.sort()
}

// A true bucket is asked for with `npm run cluster:s3 -- s3://bucket/prefix`. Its parts have 5 MB at least.
const trueBucket = process.env.LONGTAKE_TEST_BUCKET
const openTrue = () =>
  openS3Store(readBucket(trueBucket ?? '', process.env), { sizes: { single: 6 << 20, part: 5 << 20 } })
const lengths = [0, 1, 1499, 1500, 3999, 4000, 9001]
const kinds = [
  { kind: 'a folder', open: async () => openFolderStore(folder), lengths },
  { kind: 'a bucket', open: openBucket, lengths },
  ...(trueBucket ? [{ kind: 'a true bucket', open: openTrue, lengths: [...lengths, 11 << 20] }] : []),
]

describe.each(kinds)('$kind as a store', ({ open, lengths }) => {
  afterEach(async () => {
    const store = await open()
    for await (const { name } of store.list('')) await store.remove(name)
  })

  test('gives back what was put, whole and in part', async () => {
    const store = await open()
    for (const length of lengths) {
      const content = bytes(length)
      await put(store, `results/v1/speech/key-${length}.tar`, content)
      expect((await buffer(await store.get(`results/v1/speech/key-${length}.tar`))).equals(content)).toBe(true)
      expect(await store.head(`results/v1/speech/key-${length}.tar`)).toMatchObject({ bytes: length })
    }
    const part = await store.get('results/v1/speech/key-9001.tar', { start: 10, end: 4321 })
    expect(await buffer(part)).toEqual(bytes(9001).subarray(10, 4321))
  })

  test('says of a missing object that it is missing, and removes one twice', async () => {
    const store = await open()
    expect(await store.head('results/none')).toBeUndefined()
    await expect(store.get('results/none')).rejects.toThrow(/results\/none is not in the store/)
    await put(store, 'results/one', bytes(5))
    await store.remove('results/one')
    await store.remove('results/one')
    expect(await store.head('results/one')).toBeUndefined()
  })

  test('lists what begins with a prefix, over pages', async () => {
    const store = await open()
    const made = [
      'results/v1/a/1',
      'results/v1/a/2',
      'results/v1/b/3',
      'results/v10/a/4',
      'results/v2/a/5',
      'sources/v1',
    ]
    for (const name of made) await put(store, name, bytes(3))
    expect(await names(store, '')).toEqual(made)
    expect(await names(store, 'results/v1')).toEqual(made.slice(0, 4))
    expect(await names(store, 'results/v1/')).toEqual(made.slice(0, 3))
    expect(await names(store, 'nothing/')).toEqual([])
  })

  test('replaces an object as a whole', async () => {
    const store = await open()
    await put(store, 'results/one', bytes(3000))
    await put(store, 'results/one', bytes(7))
    expect(await buffer(await store.get('results/one'))).toEqual(bytes(7))
  })

  test.each([-1, 1])('keeps nothing of a body that has %i bytes more than was said', async more => {
    const store = await open()
    for (const length of [100, Math.max(...lengths)]) {
      await expect(store.put('results/one', body(bytes(length + more)), length)).rejects.toThrow(/bytes/)
      expect(await store.head('results/one')).toBeUndefined()
    }
    for await (const left of store.unfinished()) expect(left).toBe('nothing')
  })

  test('keeps nothing of a body that fails', async () => {
    const store = await open()
    const fails = () =>
      Readable.from(
        (async function* () {
          yield bytes(50)
          throw new Error('the disk of the sender is gone')
        })(),
        { objectMode: false },
      )
    await expect(store.put('results/one', fails, 100)).rejects.toThrow('the disk of the sender is gone')
    expect(await store.head('results/one')).toBeUndefined()
  })

  test.each(['../out', 'a/../../out', '/etc/passwd', 'a//b', 'a/.tmp-1', '', '.', 'a\\b', 'a/\0', 'C:x'])(
    'refuses the name %j',
    async name => {
      const store = await open()
      await expect(put(store, name, bytes(1))).rejects.toThrow('is not the name of an object')
      await expect(store.get(name)).rejects.toThrow('is not the name of an object')
      await expect(store.remove(name)).rejects.toThrow('is not the name of an object')
    },
  )
})

describe('a folder', () => {
  test('shows no file before it is whole, and what a killed writer left as unfinished', async () => {
    const store = openFolderStore(folder)
    let seen: string[] = []
    const watched = () =>
      Readable.from(
        (async function* () {
          yield bytes(50)
          seen = await names(store, '')
          yield bytes(50)
        })(),
        { objectMode: false },
      )
    await store.put('results/v1/one', watched, 100)
    expect(seen).toEqual([])
    await writeFile(join(folder, 'results', 'v1', '.tmp-1-abcdefgh-123'), 'half')
    const left = []
    for await (const found of store.unfinished()) left.push(found)
    expect(left).toMatchObject([{ name: 'results/v1/.tmp-1-abcdefgh-123', bytes: 4 }])
    await left[0]?.remove()
    expect(await readdir(join(folder, 'results', 'v1'))).toEqual(['one'])
  })

  test('is written with the rights that the umask leaves, so that others can read', async () => {
    await put(openFolderStore(folder), 'results/v1/one', bytes(3))
    const shared = 0o777 & ~process.umask()
    expect((await stat(join(folder, 'results', 'v1'))).mode & 0o777).toBe(shared)
    expect((await stat(join(folder, 'results', 'v1', 'one'))).mode & 0o777).toBe(shared & 0o666)
  })

  test('that cannot be written is named, with the fix', async () => {
    await writeFile(join(folder, 'results'), 'a file where a folder is needed')
    const refused = put(openFolderStore(folder), 'results/v1/one', bytes(3))
    await expect(refused).rejects.toMatchObject({ exitCode: 7, hint: expect.stringContaining('LONGTAKE_STORE') })
  })

  test('of another system is refused before anything is made', async () => {
    await mkdir(join(folder, 'here'))
    await expect(openStore('here', {})).rejects.toThrow('neither an absolute folder')
    await expect(openStore('gs://bucket', {})).rejects.toThrow('neither an absolute folder')
    expect((await openStore(folder, {})).address).toBe(folder)
  })
})

describe('a bucket', () => {
  test('is tried again while it says 503, and in the end named with its host', async () => {
    const store = await openBucket()
    server.faults.busy = 3
    await put(store, 'results/one', bytes(900))
    server.faults.busy = 100
    const refused = store.get('results/one')
    await expect(refused).rejects.toMatchObject({ retryable: true, exitCode: 4 })
    await expect(refused).rejects.toThrow(/s3:\/\/bucket\/some\/place at 127.0.0.1:\d+ .*503 SlowDown \(4 attempts\)/)
  })

  test('that cuts bodies is read on from where it was cut', async () => {
    const store = await openBucket()
    await put(store, 'results/one', bytes(3000))
    server.faults.cut = 3
    expect(await buffer(await store.get('results/one'))).toEqual(bytes(3000))
    server.faults.cut = 2
    expect(await buffer(await store.get('results/one', { start: 7, end: 2000 }))).toEqual(bytes(3000).subarray(7, 2000))
    Object.assign(server.faults, { cut: 100, cutAt: 0 })
    await expect(buffer(await store.get('results/one'))).rejects.toThrow(/after 0 of 3000 bytes|cannot be used/)
  })

  test('does not mix two versions of an object', async () => {
    const store = await openBucket()
    await put(store, 'results/one', bytes(3000))
    server.faults.cut = 1
    const reading = await store.get('results/one')
    server.objects.set('some/place/results/one', { bytes: Buffer.alloc(3000), modified: new Date() })
    await expect(buffer(reading)).rejects.toThrow('412 PreconditionFailed')
  })

  test('takes a large object in parts, sends a failed part again, and leaves nothing of one that fails', async () => {
    const store = await openBucket()
    server.faults.busy = 2
    await put(store, 'results/large', bytes(9001))
    expect(server.requests.filter(line => line.includes('partNumber')).length).toBeGreaterThanOrEqual(7)
    expect(server.uploads.size).toBe(0)
    server.faults.completesWithError = 1
    await expect(put(store, 'results/larger', bytes(9001))).rejects.toThrow()
    expect(server.uploads.size).toBe(0)
    expect(await store.head('results/larger')).toBeUndefined()
  })

  test('whose list goes round in a circle is an error, not an endless walk', async () => {
    const store = await openBucket()
    await put(store, 'results/one', bytes(3))
    server.faults.endless = true
    await expect(names(store, '')).rejects.toThrow('is not a list of its objects')
  })

  test('with a wrong key is refused, and no key stands in the message', async () => {
    const keys = { ...server.keys, AWS_SECRET_ACCESS_KEY: 'another-secret-key' }
    const store = await openS3Store(readBucket('s3://bucket', keys), { timing: quick })
    const error = await put(store, 'results/one', bytes(3)).catch(error => error)
    expect(error).toMatchObject({ exitCode: 2, hint: expect.stringContaining('AWS_SECRET_ACCESS_KEY') })
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toMatch(/another-secret-key|AKIATESTS|a-secret-of/)
    expect(server.requests).toHaveLength(1)
  })

  test('that does not exist, or does not answer, is named', async () => {
    const other = await openS3Store(readBucket('s3://nowhere', server.keys), { timing: quick })
    await expect(put(other, 'results/one', bytes(3))).rejects.toThrow('404 NoSuchBucket')
    const closed = { ...server.keys, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' }
    const away = await openS3Store(readBucket('s3://bucket', closed), { timing: { ...quick, attempts: 2 } })
    await expect(away.head('results/one')).rejects.toThrow('s3://bucket at 127.0.0.1:9 cannot be used: ECONNREFUSED')
  })

  test('has an address by the environment or by itself', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    const url = (address: string, more = {}) => objectUrl(readBucket(address, { ...keys, ...more }), 'a b+c/d').href
    expect(url('s3://films/x', { AWS_REGION: 'eu-west-1' })).toBe(
      'https://films.s3.eu-west-1.amazonaws.com/a%20b%2Bc/d',
    )
    expect(url('s3://films', { AWS_ENDPOINT_URL: 'https://s3.lab:9000/base/' })).toBe(
      'https://s3.lab:9000/base/films/a%20b%2Bc/d',
    )
    expect(url('s3://films?endpoint=https://s3.lab&style=virtual')).toBe('https://films.s3.lab/a%20b%2Bc/d')
    expect(() => readBucket('s3://films', {})).toThrow('keys of the bucket films are not set')
    for (const odd of ['me\nX-Evil: 1', 'me ', 'm\u00fc'])
      expect(() => readBucket('s3://films', { ...keys, AWS_ACCESS_KEY_ID: odd })).toThrow('sign that no key has')
    expect(() => readBucket('s3://key:secret@films', keys)).toThrow(/^((?!secret).)*$/)
    expect(() => readBucket('s3://films?endpoint=https://a:secret@b', keys)).toThrow(/^((?!secret).)*$/)
    expect(() => readBucket('s3://films?secret=1', keys)).toThrow('cannot be read')
  })
})
