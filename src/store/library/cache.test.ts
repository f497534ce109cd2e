import { mkdtemp, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Video } from '../../core/video.ts'
import { withLock } from '../lock.ts'
import { findOrMakeStage } from '../stage/stage.ts'
import { pruneCache, usage, verifyCache } from './cache.ts'
import { type Library, openLibrary } from './library.ts'

let home: string
let library: Library
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longtake-cache-'))
  library = openLibrary(home)
})

// A video with two results of about the given size, last used so many days ago.
async function add(id: string, bytes: number, days: number): Promise<void> {
  const video: Video = {
    id,
    path: join(home, `${id}.mp4`),
    name: `${id}.mp4`,
    bytes: 1,
    container: 'mov',
    start: 0,
    duration: 60,
    otherSounds: [],
    subtitles: [],
    sidecars: [],
    notes: [],
  }
  await library.save(video)
  for (const stage of ['decode', 'speech']) await make(id, stage, bytes / 2)
  const used = Date.now() / 1000 - days * 86_400
  await utimes(join(library.videoFolder(id), 'video.json'), used, used)
}

const make = (id: string, stage: string, bytes: number) =>
  findOrMakeStage({
    folder: library.videoFolder(id),
    stage,
    key: `${stage}-key`,
    by: 'x/y',
    settings: {},
    inputs: {},
    video: id,
    signal: new AbortController().signal,
    async make(writer) {
      const sink = await writer.bytes('data.bin')
      await sink.write(new Uint8Array(bytes).fill(bytes % 251))
      await sink.close()
    },
  })

const data = (id: string, stage: string) => join(library.videoFolder(id), 'stages', stage, `${stage}-key`, 'data.bin')

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes[at]! ^= 1
  await writeFile(file, bytes)
}

describe('usage', () => {
  test('says what each video and each of its stages takes, the longest unused first', async () => {
    await add('aa', 10_000, 1)
    await add('bb', 40_000, 9)
    const found = await usage(library)
    expect(found.map(video => [video.id, video.video?.name])).toEqual([
      ['bb', 'bb.mp4'],
      ['aa', 'aa.mp4'],
    ])
    expect(found[0]!.stages.map(({ stage, meta }) => [stage, meta?.by])).toEqual([
      ['decode', 'x/y'],
      ['speech', 'x/y'],
    ])
    expect(found[0]!.bytes).toBeGreaterThan(40_000)
    expect(found[0]!.bytes).toBeLessThan(43_000)
  })

  test('of an empty library is nothing', async () => {
    expect(await usage(library)).toEqual([])
  })
})

describe('verify', () => {
  test('finds nothing wrong in a sound library', async () => {
    await add('aa', 10_000, 1)
    const report = await verifyCache(library)
    expect(report).toMatchObject({ stages: 2, damaged: [], newer: [], replaced: [] })
  })

  test('fault 30: finds any flipped bit, moves that one result away, and it alone is made again', async () => {
    await add('aa', 4000, 1)
    for (const at of [0, 999, 1999]) {
      await flip(data('aa', 'speech'), at)
      const { damaged } = await verifyCache(library)
      expect(damaged.map(({ stage, reason }) => [stage, reason])).toEqual([
        ['speech', 'data.bin has other content than was written'],
      ])
      expect(await readdir(damaged[0]!.movedTo)).toContain('data.bin')
      expect((await make('aa', 'decode', 2000)).reused).toBe(true)
      expect((await make('aa', 'speech', 2000)).reused).toBe(false)
      expect((await verifyCache(library)).damaged).toEqual([])
    }
  })

  test('finds missing files and meta files that cannot be read', async () => {
    await add('aa', 4000, 1)
    await truncate(data('aa', 'decode'), 5)
    await writeFile(join(library.videoFolder('aa'), 'stages', 'speech', 'speech-key', 'meta.json'), '{')
    const { damaged } = await verifyCache(library)
    expect(damaged.map(({ reason }) => reason)).toEqual([
      'data.bin has 5 bytes in place of 2000',
      'meta.json cannot be read',
    ])
  })

  test('fault 31: leaves results of a newer longtake as they are, and says so', async () => {
    await add('aa', 4000, 1)
    const meta = join(library.videoFolder('aa'), 'stages', 'speech', 'speech-key', 'meta.json')
    await writeFile(meta, '{"format":3}')
    const report = await verifyCache(library)
    expect(report.damaged).toEqual([])
    expect(report.newer).toEqual([expect.stringMatching(/newer longtake \(format 3/)])
    expect(await readFile(meta, 'utf8')).toBe('{"format":3}')
  })

  test('says which video files are no longer the ones that were indexed', async () => {
    await add('aa', 4000, 1)
    await add('bb', 4000, 1)
    await writeFile(join(home, 'aa.mp4'), 'another film')
    const { replaced } = await verifyCache(library, { contentId: async () => 'cc' })
    expect(replaced).toEqual([{ video: 'aa', path: join(home, 'aa.mp4'), reason: 'its content is now cc' }])
  })
})

describe('prune', () => {
  beforeEach(async () => {
    await add('old', 20_000, 40)
    await add('mid', 20_000, 10)
    await add('new', 20_000, 0)
  })

  const ids = async () => (await usage(library)).map(video => video.id)

  test('frees what was not used for so many days', async () => {
    const report = await pruneCache(library, { olderThanDays: 30 })
    expect(report.freed.map(({ video, what }) => [video, what])).toEqual([['old', 'video']])
    expect(report.bytesFreed).toBeGreaterThan(20_000)
    expect(await ids()).toEqual(['mid', 'new'])
    expect(await library.find('old')).toBeUndefined()
  })

  test('frees the longest unused until the rest is small enough', async () => {
    const report = await pruneCache(library, { maxBytes: 30_000 })
    expect(report.freed.map(({ video }) => video)).toEqual(['old', 'mid'])
    expect(await ids()).toEqual(['new'])
    expect(report.bytesLeft).toBe((await usage(library))[0]!.bytes)
    expect(report.bytesLeft).toBeLessThan(30_000)
  })

  test('in a dry run says the same and touches nothing', async () => {
    const dry = await pruneCache(library, { maxBytes: 30_000, dryRun: true })
    expect(await ids()).toEqual(['old', 'mid', 'new'])
    expect((await verifyCache(library)).stages).toBe(6)
    expect(await pruneCache(library, { maxBytes: 30_000 })).toEqual(dry)
  })

  test('with nothing asked for frees nothing', async () => {
    expect((await pruneCache(library, {})).freed).toEqual([])
  })

  test('never frees a video that is being worked on', async () => {
    await withLock(library.videoFolder('old'), async () => {
      const report = await pruneCache(library, { olderThanDays: 30 })
      expect([report.freed, report.inUse]).toEqual([[], ['old']])
    })
    expect(await ids()).toContain('old')
  })

  test('frees what is in quarantine before any video', async () => {
    await flip(data('new', 'speech'), 3)
    await verifyCache(library)
    const { bytes } = (await usage(library)).find(video => video.id === 'new')!
    const total = (await usage(library)).reduce((sum, video) => sum + video.bytes, 0)
    const report = await pruneCache(library, { maxBytes: total - 1 })
    expect(report.freed.map(({ video, what }) => [video, what])).toEqual([['new', 'quarantine']])
    const [after] = (await usage(library)).filter(video => video.id === 'new')
    expect([after!.quarantine, after!.bytes]).toEqual([0, bytes - report.bytesFreed])
  })

  test('leaves the lock file, which a waiting process has open, and the video can be indexed again', async () => {
    await withLock(library.videoFolder('old'), async () => {})
    await pruneCache(library, { olderThanDays: 30 })
    expect(await readdir(library.videoFolder('old'))).toEqual(['lock.sqlite'])
    expect((await stat(join(library.videoFolder('old'), 'lock.sqlite'))).size).toBe(0)
    await add('old', 20_000, 0)
    expect(await ids()).toContain('old')
  })
})
