import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import { searchTables } from '../../apps/cluster/library/open-tables.ts'
import { emptyVideo, fillFromIndex } from '../../apps/cluster/library/run-library.ts'
import { addExtensions } from '../../apps/cluster/library/shot-table.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { LibraryHit } from '../../src/core/runtime.ts'
import { finishedIndex } from '../../src/runtime/index/finished-index.ts'
import { type OpenedIndex, openIndex } from '../../src/runtime/index/open-index.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import { mergeVideos } from '../../src/search/rank-across-videos.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { freshDatabase } from '../support/postgres.ts'
import { spokenVideos } from '../support/spoken-videos.ts'
import { lecturesOf, randomFrom } from '../support/word-stock.ts'

const count = Number(process.env.LONGTAKE_VIDEOS ?? 30)
const asked = Number(process.env.LONGTAKE_QUERIES ?? 30)

let media: MediaFolder
let runtime: LocalRuntime
let database: Database
let lectures: Record<string, string[]>
let ids: string[]
const work = () => {
  const { library, models, settings, host } = runtime
  return { library, models, settings: settings.index, signal: host.signal }
}

beforeAll(async () => {
  media = mediaFolder()
  const sources = ['-f', 'lavfi', '-i', 'color=c=gray:s=64x36:r=5:d=60', '-f', 'lavfi', '-i', 'sine=d=60']
  media.ffmpeg('original.mp4', sources, h264)
  const home = media.path('home')
  const config = await resolveConfig({ cwd: media.path(''), environment: {}, search: false })
  runtime = await createRuntime({ config, home, environment: {} })
  const { video } = await runtime.videos.index(media.path('original.mp4'))
  lectures = lecturesOf(count, 7)
  ids = await spokenVideos(home, video.id, media.path('lectures'), lectures)
  database = await openDatabase(await freshDatabase())
  await migrate(database)
  await addExtensions(database)
  for (const one of await runtime.library.list()) await fill(one.id)
}, 300_000)

afterAll(async () => {
  await database?.close()
  await runtime?.close()
  media.remove()
})

async function fill(id: string) {
  const video = await runtime.library.find(id)
  const indexed = await finishedIndex(video!, work())
  if ('why' in indexed) throw new Error(indexed.why)
  await fillFromIndex(database, indexed, runtime.models)
}

const rowsOf = (hits: readonly LibraryHit[]) => hits.map(({ video, evidence }) => `${video.id} ${evidence.id}`)

const shownHits = (hits: readonly LibraryHit[]) =>
  hits
    .map(({ video, lists, terms, coverage, evidence }) =>
      [video.name, lists, terms, coverage?.toFixed(3), evidence.text.slice(0, 40)].join(' '),
    )
    .join('\n ')

// Words of one line, as somebody who half remembers it asks for them.
function queries(): string[] {
  const random = randomFrom(11)
  const lines = Object.values(lectures).flat()
  return Array.from({ length: asked }, () => {
    const words = lines[Math.floor(random() * lines.length)]!.replace(/[.,]/g, '').split(' ')
    const at = Math.floor(random() * (words.length - 3))
    return words.slice(at, at + 2 + Math.floor(random() * 2)).join(' ')
  })
}

test('the first 12 by the tables are those of a look into every index', async () => {
  const open: OpenedIndex[] = []
  for (const video of (await runtime.library.survey()).videos) {
    const indexed = await finishedIndex(video, work())
    if (!('why' in indexed)) open.push(await openIndex(indexed, runtime.models, runtime.settings.index, work().signal))
  }
  let equal = 0
  const seconds: number[] = []
  for (const query of queries()) {
    const all = mergeVideos(await Promise.all(open.map(index => index.ranked({ query }, 24))), 12)
    const began = performance.now()
    const found = await searchTables(database, work(), { query })
    seconds.push((performance.now() - began) / 1000)
    if (JSON.stringify(rowsOf(found.hits)) === JSON.stringify(rowsOf(all))) equal++
    else if (process.env.LONGTAKE_SAY)
      console.log(query, '\n', shownHits(all), '\n-- by the tables:\n', shownHits(found.hits))
  }
  for (const index of open) await index.close()
  seconds.sort((a, b) => a - b)
  const [median, slowest] = [seconds[Math.floor(seconds.length / 2)]!, seconds.at(-1)!]
  console.log(
    `${equal} of ${asked} equal over ${count} videos; median ${median.toFixed(3)} s, slowest ${slowest.toFixed(3)} s`,
  )
  expect(equal / asked).toBeGreaterThanOrEqual(0.95)
}, 900_000)

test('a misspelled word finds what it was meant to be', async () => {
  const [name, lines] = Object.entries(lectures)[3]!
  const rare = lines[0]!.split(' ')[0]!.toLowerCase() // the subject of that lecture alone
  const slip = rare.slice(0, -2) + rare.at(-1) + rare.at(-2)
  const found = await searchTables(database, work(), { query: slip, k: 3 })
  expect(found.hits[0]?.video.name).toBe(name)
})

test('candidates alone open no index, and say which words each line holds', async () => {
  const line = Object.values(lectures)[5]![4]!
  const found = await searchTables(database, work(), { query: line, k: 5 }, { fast: true })
  expect(found.hits[0]?.evidence.text).toBe(line)
  expect(found.hits[0]?.terms.length).toBeGreaterThan(2)
  expect(found.searched).toEqual([])
  expect(found.tables).toMatchObject({ searched: count + 1 })
})

test('a video that is taken out is found no more, and one that is filled twice is there once', async () => {
  const line = Object.values(lectures)[6]![3]!
  const id = ids[6]!
  const before = await database.query('select word, lines from longtake.word order by word')
  await fill(id)
  expect((await database.query('select word, lines from longtake.word order by word')).rows).toEqual(before.rows)
  await database.transaction(sql => emptyVideo(sql, id))
  const found = await searchTables(database, work(), { query: line })
  expect(found.hits.map(({ video }) => video.id)).not.toContain(id)
  await fill(id)
  expect((await searchTables(database, work(), { query: line })).hits[0]?.evidence.text).toBe(line)
})

test('a video of the cluster whose rows are not in the tables is named', async () => {
  await database.query("insert into longtake.video (id, name, bytes) values ('v00000000000000000000', 'late.mp4', 1)")
  const { notSearched } = await searchTables(database, work(), { query: 'anything' })
  expect(notSearched).toMatchObject([{ id: 'v00000000000000000000', why: expect.stringContaining('late.mp4') }])
})
