import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { buildTextIndex, openTextIndex } from '../../src/search/text-index.ts'
import { vectorIndexes } from '../../src/search/vectors/index.ts'
import { median } from './measure.ts'

// How much processor time a search takes (wall clock where the machine is idle), and how much HNSW misses against looking at every vector. npx tsx scripts/perf/search.ts [vectors] [dimensions] [hours of text]
const count = Number(process.argv[2] ?? 7200)
const dimensions = Number(process.argv[3] ?? 256)
const hours = Number(process.argv[4] ?? 100)
const random = seededRandom(7)
const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
const unit = (values: Float32Array) => {
  const length = Math.hypot(...values)
  return values.map(value => value / length)
}
const folder = await mkdtemp(join(tmpdir(), 'longtake-search-'))
const timed = async (work: () => void, times: number) => {
  const each: number[] = []
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    each.push((user + system) / 1000)
  }
  return median(each)
}
try {
  // Shots of some twenty frames that are alike, as in a video.
  const centres = Array.from({ length: Math.ceil(count / 20) }, () =>
    unit(Float32Array.from({ length: dimensions }, normal)),
  )
  const vectors = Array.from({ length: count }, (_, i) =>
    unit(centres[Math.floor(i / 20)]!.map(value => value + (0.5 * normal()) / Math.sqrt(dimensions))),
  )
  const queries = Array.from({ length: 100 }, (_, i) =>
    unit(vectors[(i * 7919) % count]!.map(value => value + (0.5 * normal()) / Math.sqrt(dimensions))),
  )
  const neighbours: Record<'exact' | 'hnsw', number[][]> = { exact: [], hnsw: [] }
  for (const kind of ['exact', 'hnsw'] as const) {
    const began = performance.now()
    const vectorIndex = await vectorIndexes[kind].create(dimensions, count)
    for (const [key, vector] of vectors.entries()) vectorIndex.add(key, vector)
    const file = join(folder, kind)
    await vectorIndex.save(file)
    const built = (performance.now() - began) / 1000
    const index = await vectorIndexes[kind].open(file, dimensions)
    let at = 0
    const milliseconds = await timed(() => void index.search(queries[at++ % 100]!, 10), 300)
    neighbours[kind] = queries.map(query => index.search(query, 10).map(({ key }) => key))
    const size = ((await stat(file)).size / 1e6).toFixed(0)
    console.log(
      `${kind}: ${count} vectors of ${dimensions}: built in ${built.toFixed(1)} s, ${size} MB, search p50 ${milliseconds.toFixed(2)} ms`,
    )
  }
  const hits = neighbours.hnsw.flatMap((keys, i) => keys.filter(key => neighbours.exact[i]?.includes(key))).length
  console.log(`recall@10 of hnsw against exact: ${(hits / neighbours.exact.flat().length).toFixed(3)}`)

  // Words as in speech: a few very often, most rarely; a line of ten in every four seconds.
  const word = () => `w${Math.floor(20_000 ** random()).toString(36)}x`
  const line = () => Array.from({ length: 10 }, word).join(' ')
  const rows = Array.from(
    { length: hours * 900 },
    (_, i): Evidence => ({
      id: `e${i}`,
      video: 'v',
      span: { start: i * 4, end: i * 4 + 4 },
      track: 'speech',
      by: 'x',
      text: line(),
    }),
  )
  const file = join(folder, 'words.sqlite')
  await buildTextIndex(file, rows)
  const text = await openTextIndex(file)
  const searchTexts = Array.from({ length: 100 }, () => `${word()} ${word()} ${word()}`)
  let at = 0
  const milliseconds = await timed(() => void text.search(searchTexts[at++ % 100]!, { limit: 20 }), 300)
  console.log(`full text: ${hours} h of speech, ${rows.length} lines: search p50 ${milliseconds.toFixed(2)} ms`)
  text.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
