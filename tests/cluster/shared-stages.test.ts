import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addArtifact, findArtifact } from '../../apps/cluster/data/catalogue/artifacts.ts'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import type { ArtifactStore } from '../../apps/cluster/store/artifact-store.ts'
import { markStore } from '../../apps/cluster/store/check-store.ts'
import { openFolderStore } from '../../apps/cluster/store/folder-store.ts'
import { openPulledCache } from '../../apps/cluster/store/pulled-cache.ts'
import { readBucket } from '../../apps/cluster/store/s3/address.ts'
import { openS3Store } from '../../apps/cluster/store/s3/store.ts'
import { sharedStages } from '../../apps/cluster/store/shared-stages.ts'
import { pruneCache, usage } from '../../src/store/library/cache.ts'
import { type Library, openLibrary } from '../../src/store/library/library.ts'
import { findOrMakeStage, findStage } from '../../src/store/stage/stage.ts'
import { type S3Server, s3Server } from '../servers/s3-server.ts'
import { readArtifacts } from '../support/cluster-rows.ts'
import { freshDatabase } from '../support/postgres.ts'
import { someVideo } from '../support/shared-library.ts'

const signal = new AbortController().signal
let root: string
let database: Database
let server: S3Server
let store: ArtifactStore
let folder: string
let said: string[]
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-shared-'))
  database = await openDatabase(await freshDatabase())
  await migrate(database)
  server = await s3Server()
})
afterAll(async () => {
  await database.close()
  await server.close()
  await rm(root, { recursive: true, force: true })
})
let count = 0
beforeEach(async () => {
  folder = join(root, `store-${++count}`)
  store = openFolderStore(folder)
  await markStore(store)
  said = []
})
afterEach(async () => {
  await database.query('truncate longtake.artifact')
  server.objects.clear()
  Object.assign(server.faults, { wrongBytes: false, busy: 0, cut: 0 })
  server.faults.stale.clear()
})

// One machine: a library of its own, and what it shares.
function machine(name: string, { cache = '1GB', at = store } = {}) {
  const library = openLibrary(join(root, `${name}-${count}`))
  const pulled = openPulledCache(library, cache)
  return {
    library,
    pulled,
    async share(id: string, attempt?: string) {
      const work = { sql: database, store: at, cache: pulled, video: someVideo(id), signal, patience: 2 }
      return sharedStages({ ...work, attempt, say: line => said.push(line) })
    },
    // Has a stage, whether it finds, pulls or makes it; says which.
    async have(id: string, key: string, bytes = 2000, attempt = 'aaaaaaaa'): Promise<'made' | 'had'> {
      const shared = await this.share(id, attempt)
      const { reused, meta } = await findOrMakeStage({
        ...{ folder: library.videoFolder(id), stage: 'decode', key, by: 'x/y', settings: {}, inputs: {}, video: id },
        ...{ signal, shared },
        async make(out) {
          const sink = await out.bytes('data.bin')
          await sink.write(new Uint8Array(bytes).fill(bytes % 251))
          await sink.close()
        },
      })
      const pushed = shared.pushed()
      if (pushed) await addArtifact(database, { video: id, stage: 'decode', key, attempt, ...pushed })
      await shared.done()
      expect(meta.files['data.bin']?.bytes).toBe(bytes)
      return reused ? 'had' : 'made'
    },
  }
}

const has = async (library: Library, id: string, key: string) =>
  (await findStage(library.videoFolder(id), 'decode', key)) !== undefined
const rowOf = (id: string, key: string) => findArtifact(database, { video: id, stage: 'decode', key })
const age = (seconds: number) =>
  database.query('update longtake.artifact set at = now() - make_interval(secs => $1)', [seconds])

describe('a result that another machine has made', () => {
  test('is pulled, and found here from then on', async () => {
    const [a, b] = [machine('a'), machine('b')]
    expect(await a.have('v1', 'k1')).toBe('made')
    expect((await rowOf('v1', 'k1'))?.object).toBe('results/v1/decode/k1-aaaaaaaa.tar')
    expect(await b.have('v1', 'k1')).toBe('had')
    await rm(folder, { recursive: true })
    expect(await has(b.library, 'v1', 'k1')).toBe(true)
    expect(said).toEqual([])
  })

  test('is not pushed twice, and no temporary file is left anywhere', async () => {
    const [a, b] = [machine('a'), machine('b')]
    await a.have('v1', 'k1')
    await b.have('v1', 'k1', 2000, 'bbbbbbbb')
    await a.have('v1', 'k1', 2000, 'cccccccc')
    const names = (await readdir(root, { recursive: true })).filter(name => name.endsWith('.tar'))
    expect(names.filter(name => name.startsWith(`store-${count}`))).toHaveLength(1)
    expect((await readdir(root, { recursive: true })).filter(name => name.includes('.tmp-'))).toEqual([])
  })

  test('whose pack is gone is made again, and its row names the new one', async () => {
    const [a, b] = [machine('a'), machine('b')]
    await a.have('v1', 'k1')
    await store.remove('results/v1/decode/k1-aaaaaaaa.tar')
    await age(3600)
    expect(await b.have('v1', 'k1', 2000, 'bbbbbbbb')).toBe('made')
    expect((await rowOf('v1', 'k1'))?.attempt).toBe('bbbbbbbb')
    expect(said).toEqual([expect.stringMatching(/stage "decode" in .*k1-aaaaaaaa.tar\) is gone. It is made again/)])
  })

  test('that the folder shows late is waited for', async () => {
    const [a, b] = [machine('a'), machine('b')]
    await a.have('v1', 'k1')
    const file = join(folder, 'results/v1/decode/k1-aaaaaaaa.tar')
    await rename(file, `${file}.hidden`)
    const having = b.have('v1', 'k1')
    await sleep(400)
    await rename(`${file}.hidden`, file)
    expect(await having).toBe('had')
  })

  test('is not given up where the share is not mounted: the row stays, and the error names the fix', async () => {
    const [a, b] = [machine('a'), machine('b')]
    await a.have('v1', 'k1')
    await age(3600)
    await rename(folder, `${folder}-away`)
    const refused = b.have('v1', 'k1')
    await expect(refused).rejects.toMatchObject({ exitCode: 7, hint: expect.stringContaining('LONGTAKE_STORE') })
    await expect(refused).rejects.toThrow(`${folder} is not a store of longtake`)
    expect(await rowOf('v1', 'k1')).toBeDefined()
    await expect(b.have('v1', 'k2')).rejects.toThrow('is not a store of longtake') // and nothing is written below a mount point
    expect(await readdir(root)).not.toContain(`store-${count}`)
    await rename(`${folder}-away`, folder)
    expect(await b.have('v1', 'k1')).toBe('had')
  })

  test('from a bucket that gives wrong bytes is made again; one that is slow, cut or stale loses nothing', async () => {
    const timing = { attempts: 4, pause: 5, silence: 2000 }
    const at = await openS3Store(readBucket('s3://bucket/lab', server.keys), { timing })
    await markStore(at)
    const [a, b, c] = [machine('a', { at }), machine('b', { at }), machine('c', { at })]
    await a.have('v1', 'k1', 50_000)
    await age(3600)
    Object.assign(server.faults, { busy: 2, cut: 2 })
    server.faults.stale.add('lab/results/v1/decode/k1-aaaaaaaa.tar')
    expect(await b.have('v1', 'k1', 50_000)).toBe('had')
    server.faults.wrongBytes = true
    expect(await c.have('v1', 'k1', 50_000, 'cccccccc')).toBe('made')
    expect(said).toEqual([expect.stringContaining('is damaged')])
    expect((await rowOf('v1', 'k1'))?.attempt).toBe('cccccccc')
  })

  test('by a newer longtake is left alone, and its row stays', async () => {
    const a = machine('a')
    await a.have('v1', 'k1')
    const row = (await readArtifacts(database, 'v1'))[0]!
    const { newerPack } = await import('../support/newer-pack.ts')
    const { bytes, sha256 } = await newerPack(store, row)
    await database.query('update longtake.artifact set bytes = $1, sha256 = $2', [bytes, sha256])
    await expect(machine('b').have('v1', 'k1')).rejects.toThrow(/newer longtake \(format 2/)
    expect(await rowOf('v1', 'k1')).toBeDefined()
  })
})

describe('what was pulled', () => {
  // Three results of 40 kB each, of three videos, from another machine.
  const pulledFrom = async (cache: string) => {
    const [a, b] = [machine('a'), machine('b', { cache })]
    for (const id of ['v1', 'v2', 'v3', 'v4']) await a.have(id, 'k1', 40_000)
    return b
  }
  const kept = async ({ library }: { library: Library }) => {
    const found: string[] = []
    for (const id of ['v1', 'v2', 'v3', 'v4']) if (await has(library, id, 'k1')) found.push(id)
    return found
  }

  test('takes no more than is allowed: the longest unused goes first', async () => {
    const b = await pulledFrom('100K')
    await b.have('v1', 'k1', 40_000)
    await b.have('v2', 'k1', 40_000)
    await sleep(20)
    await (await b.share('v1')).done() // used again
    await b.have('v3', 'k1', 40_000)
    expect(await kept(b)).toEqual(['v1', 'v3'])
    expect(await b.have('v2', 'k1', 40_000)).toBe('had')
    expect(await kept(b)).toEqual(['v2', 'v3'])
  })

  test('stays while a process uses it, also from "cache prune"', async () => {
    const b = await pulledFrom('50K')
    await b.have('v1', 'k1', 40_000)
    const used = await b.share('v1')
    await b.have('v2', 'k1', 40_000)
    await b.have('v3', 'k1', 40_000)
    expect(await kept(b)).toEqual(['v1', 'v3'])
    expect((await pruneCache(b.library, { maxBytes: 0 })).inUse).toEqual(['v1'])
    expect(await kept(b)).toEqual(['v1'])
    await used.done()
    await b.have('v2', 'k1', 40_000)
    expect(await kept(b)).toEqual(['v2'])
  })

  test('and pruned by hand counts no more', async () => {
    const b = await pulledFrom('100K')
    for (const id of ['v1', 'v2']) await b.have(id, 'k1', 40_000)
    await pruneCache(b.library, { maxBytes: 0 })
    expect(await usage(b.library)).toEqual([])
    for (const id of ['v3', 'v4']) await b.have(id, 'k1', 40_000)
    expect(await kept(b)).toEqual(['v3', 'v4'])
  })

  test('goes, and what was made here stays', async () => {
    const b = await pulledFrom('10K')
    await b.have('v5', 'k1', 40_000, 'bbbbbbbb')
    await b.have('v1', 'k1', 40_000)
    await b.have('v2', 'k1', 40_000)
    expect(await kept(b)).toEqual(['v2'])
    expect(await has(b.library, 'v5', 'k1')).toBe(true)
  })
})
