import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromFloat16, toFloat16 } from '../../src/core/basics/numbers.ts'
import type { EarlyPart, StageContext, StoredResult } from '../../src/core/stage.ts'
import type { Still } from '../../src/core/video.ts'
import { vectorIndexes } from '../../src/search/vectors/index.ts'
import { findOrMakeStage, readStage } from '../../src/store/stage/stage.ts'
import { stageContext } from '../../tests/support/stage-context.ts'
import { vectorKinds } from '../../tests/support/vector-kinds.ts'
import { earlyVectorIndex } from './early.ts'
import nearest from './vector-index.ts'

const dimensions = 8
const { signal } = new AbortController()

// Vectors that stand apart: the n-th one looks in a direction of its own.
const halves = Array.from({ length: 700 }, (_, at) => {
  const raw = Float32Array.from({ length: dimensions }, (_, i) => Math.sin((at + 1) * (i + 1) * 1.7))
  return toFloat16(raw.map(value => value / Math.hypot(...raw)))
})
const stillAt = (place: number): Still => ({
  ...{ time: place, shot: 0, reason: 'change', width: 64, height: 36, offset: place * 100, length: 100 },
})

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-nearest-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function stage(name: string, key: string, make: (context: StageContext) => Promise<void>): Promise<StoredResult> {
  const identity = { stage: name, key, by: 'test', settings: {}, inputs: {}, video: 'v', folder, signal }
  return findOrMakeStage({ ...identity, make: out => make(stageContext({ out, signal })) })
}

// Makes both stages over `listed` stills, of which `early` came while the others were decoded, and returns the index as it lies on disk.
async function indexOf(kind: 'hnsw' | 'exact', name: string, early: number[], listed: number[]) {
  const begun = await vectorIndexes[kind].create(dimensions, 512)
  for (const [at, place] of early.entries()) begun.add(at, fromFloat16(halves[place]!))
  const handedOn = { index: begun, offsets: early.map(place => stillAt(place).offset) }
  const vectors = await stage('vectors', name, async ({ out }) => {
    const sink = await out.bytes('vectors.f16')
    for (const place of listed) await sink.write(new Uint8Array(halves[place]!.slice().buffer))
    await sink.close()
    await out.json('vectors.json', { dimensions, count: listed.length })
    await out.json('stills.json', listed.map(stillAt))
  })
  const made = await stage('nearest', name, context =>
    nearest.make({
      ...context,
      search: { ...context.search, vectors: vectorIndexes[kind].create },
      pipeline: {
        ...context.pipeline,
        published: <T>(part: EarlyPart<T>) => (part === earlyVectorIndex && early.length > 0 ? [handedOn] : []) as T[],
      },
      results: { ...context.results, result: () => readStage(vectors.folder) },
    }),
  )
  const file = join(made.folder, 'vectors.index')
  return { index: await vectorIndexes[kind].open(file, dimensions), bytes: await readFile(file) }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

test.each(vectorKinds)('%s: built while vectors come it is the same file as built afterwards', async kind => {
  const after = await indexOf(kind, `${kind}-after`, [], upTo(700))
  const during = await indexOf(kind, `${kind}-during`, upTo(600), upTo(700))
  expect(during.bytes.equals(after.bytes)).toBe(true)
  expect(during.index.size).toBe(700)
})

test.each(vectorKinds)('%s: a still that came in between afterwards has its place', async kind => {
  const listed = [0, 1, 5, 2, 3, 4]
  const { index } = await indexOf(kind, `${kind}-between`, [0, 1, 2, 3], listed)
  expect(index.size).toBe(6)
  for (const [key, place] of listed.entries()) expect(index.search(fromFloat16(halves[place]!), 1)[0]!.key).toBe(key)
})
