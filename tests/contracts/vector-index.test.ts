import { mkdtemp, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, beforeEach, describe, expect } from 'vitest'
import { BackendError, StorageError } from '../../src/core/errors.ts'
import { refuseMissing, vectorIndexes } from '../../src/search/vectors/index.ts'
import { noHnsw } from '../support/vector-kinds.ts'

const dimensions = 64

// Vectors in groups, as pictures of shots are: each a centre with some noise, of unit length.
function clustered(count: number, groups: number, noise: number, seed = 1): Float32Array[] {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  const unit = (vector: Float32Array) => {
    const length = Math.hypot(...vector)
    return vector.map(value => value / length)
  }
  const centres = Array.from({ length: groups }, () => unit(Float32Array.from({ length: dimensions }, normal)))
  return Array.from({ length: count }, (_, i) =>
    unit(centres[i % groups]!.map(value => value + (noise * normal()) / Math.sqrt(dimensions))),
  )
}

const vectors = clustered(1500, 60, 0.6)
const queries = clustered(40, 60, 0.6, 1).map((vector, i) => (i % 2 ? vector : clustered(40, 60, 0.9, 1)[i]))

function nearest(query: Float32Array, k: number, accept: (key: number) => boolean = () => true): number[] {
  return vectors
    .map((vector, key) => ({ key, score: vector.reduce((sum, value, i) => sum + value * query[i]!, 0) }))
    .filter(({ key }) => accept(key))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
    .map(({ key }) => key)
}

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'longtake-vectors-')), 'vectors')
})

const suites = Object.entries(vectorIndexes).map(([name, kind]) => {
  const missing = name === 'hnsw' ? noHnsw : undefined
  return [missing ? `${name}" (skipped: ${missing})` : `${name}"`, kind, missing] as const
})

describe.each(suites)('the vector index "%s', (_, kind, missing) => {
  const test = base.skipIf(missing)
  const filled = async () => {
    const index = await kind.create(dimensions, vectors.length)
    vectors.forEach((vector, key) => {
      index.add(key, vector)
    })
    return index
  }

  test('finds a vector itself first, with the likeness 1', async () => {
    const index = await filled()
    expect(index.size).toBe(1500)
    for (const key of [0, 700, 1499]) {
      const [best] = index.search(vectors[key]!, 1)
      expect(best!.key).toBe(key)
      expect(best!.score).toBeCloseTo(1, 5)
    }
  })

  test('finds at least 98 % of the ten nearest', async () => {
    const index = await filled()
    let found = 0
    for (const query of queries) {
      const near = new Set(nearest(query!, 10))
      found += index.search(query!, 10).filter(({ key }) => near.has(key)).length
    }
    expect(found / (queries.length * 10)).toBeGreaterThanOrEqual(0.98)
  })

  test('gives the best first, with the dot product as score', async () => {
    const index = await filled()
    const found = index.search(queries[0]!, 20)
    for (const [at, { key, score }] of found.entries()) {
      expect(score).toBeCloseTo(
        vectors[key]!.reduce((sum, value, i) => sum + value * queries[0]![i]!, 0),
        4,
      )
      if (at > 0) expect(score).toBeLessThanOrEqual(found[at - 1]!.score)
    }
  })

  test('gives only what is accepted, and all of that when it is little', async () => {
    const index = await filled()
    for (const accept of [
      (key: number) => key % 100 === 3,
      (key: number) => key >= 1490,
      (key: number) => key === 42,
    ]) {
      const found = index.search(queries[1]!, 10, accept).map(({ key }) => key)
      expect(found).toEqual(nearest(queries[1]!, 10, accept))
    }
    expect(index.search(queries[1]!, 10, () => false)).toEqual([])
  })

  test('gives what there is when more is asked for, and nothing when it is empty', async () => {
    const index = await kind.create(dimensions, 3)
    expect(index.search(vectors[0]!, 5)).toEqual([])
    index.add(7, vectors[0]!)
    index.add(9, vectors[1]!)
    expect(index.search(vectors[0]!, 5).map(({ key }) => key)).toEqual([7, 9])
    expect(index.search(vectors[0]!, 0)).toEqual([])
  })

  test('grows past its capacity', async () => {
    const index = await kind.create(dimensions, 1)
    for (let key = 0; key < 50; key++) index.add(key, vectors[key]!)
    expect(index.size).toBe(50)
    expect(index.search(vectors[49]!, 1)[0]!.key).toBe(49)
  })

  test('keeps the newer of two vectors with one key', async () => {
    const index = await kind.create(dimensions, 10)
    index.add(1, vectors[0]!)
    index.add(1, vectors[1]!)
    expect(index.size).toBe(1)
    expect(index.search(vectors[1]!, 1)[0]!.score).toBeCloseTo(1, 4)
  })

  test('gives its vectors back, so that one can search for more like it', async () => {
    const index = await filled()
    expect(index.vector(5)?.[0]).toBeCloseTo(vectors[5]![0]!, 5)
    expect(index.vector(5000)).toBeUndefined()
  })

  test('finds the same after it was saved and opened', async () => {
    const index = await filled()
    await index.save(file)
    const opened = await kind.open(file, dimensions)
    expect(opened.size).toBe(1500)
    for (const query of queries.slice(0, 10))
      expect(opened.search(query!, 5).map(({ key }) => key)).toEqual(index.search(query!, 5).map(({ key }) => key))
    opened.add(9999, vectors[3]!)
    expect(opened.size).toBe(1501)
  })

  test('writes the same bytes for the same vectors', async () => {
    await (await filled()).save(file)
    await (await filled()).save(`${file}-2`)
    expect((await readFile(file)).equals(await readFile(`${file}-2`))).toBe(true)
  })

  test('saves and opens when it is empty', async () => {
    await (await kind.create(dimensions, 5)).save(file)
    expect((await kind.open(file, dimensions)).search(vectors[0]!, 3)).toEqual([])
  })

  test('refuses vectors of another encoder and vectors with holes in them', async () => {
    const index = await filled()
    expect(() => index.add(1, new Float32Array(32))).toThrow(BackendError)
    expect(() => index.search(new Float32Array(32), 1)).toThrow('A vector of 32 numbers does not fit an index of 64')
    expect(() => index.add(1, new Float32Array(dimensions).fill(Number.NaN))).toThrow('NaN')
  })

  test('refuses a file of another encoder, one cut short, one that is none and one that is missing', async () => {
    await (await filled()).save(file)
    await expect(kind.open(file, 32)).rejects.toThrow('holds vectors of 64 numbers, not of 32')
    const { size } = await stat(file)
    for (const length of [size - 1, size >> 1, 60, 3, 0]) {
      await truncate(file, length)
      await expect(kind.open(file, dimensions), `${length} bytes`).rejects.toThrow(StorageError)
    }
    await writeFile(file, 'this is a text file, and long enough to hold a header of some sort, or two')
    await expect(kind.open(file, dimensions)).rejects.toThrow(StorageError)
    await expect(kind.open(`${file}-none`, dimensions)).rejects.toThrow('it is not there')
  })
})

base('HNSW is refused where it is not installed', () => {
  refuseMissing('exact')
  if (noHnsw) expect(() => refuseMissing('hnsw')).toThrow(BackendError)
  else refuseMissing('hnsw')
})
