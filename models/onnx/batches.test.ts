import { expect, test } from 'vitest'
import { Batches } from './batches.ts'

const best = { cpu: 4, card: 16 }
const { signal } = new AbortController()

function encoder(fits: number) {
  const runs: number[] = []
  const run = async (batch: number[]) => {
    runs.push(batch.length)
    if (batch.length > fits) throw new Error('Failed to allocate memory for requested buffer of size 123456789')
    return batch.map(item => item * 2)
  }
  return { runs, run }
}

test('a batch that does not fit is halved until it fits, later ones stay small, and the person is told', async () => {
  const said: string[] = []
  const { runs, run } = encoder(3)
  const batches = new Batches(16, best, line => said.push(line))
  const items = Array.from({ length: 20 }, (_, i) => i)
  expect(await batches.map(items, signal, run)).toEqual(items.map(item => item * 2))
  expect(runs).toEqual([16, 8, 4, ...Array(10).fill(2)])
  await batches.map([1, 2, 3], signal, run)
  expect(runs.slice(-2)).toEqual([2, 1])
  expect(said).toHaveLength(3)
})

test('what was prepared is not prepared again when a batch is halved', async () => {
  const { runs, run } = encoder(3)
  const prepared: number[] = []
  const items = Array.from({ length: 9 }, (_, i) => i)
  const prepare = async (item: number) => {
    prepared.push(item)
    return item
  }
  expect(await new Batches(4, best, () => {}).feed(items, signal, prepare, run)).toEqual(items.map(item => item * 2))
  expect(runs).toEqual([4, 2, 2, 2, 2, 1])
  expect(prepared).toEqual(items)
})

test('an item that cannot be prepared ends the work with its error', async () => {
  const { runs, run } = encoder(9)
  const prepare = async (item: number) => {
    if (item === 5) throw new Error('no picture')
    return item
  }
  await expect(new Batches(2, best, () => {}).feed([1, 2, 3, 4, 5, 6], signal, prepare, run)).rejects.toThrow(
    'no picture',
  )
  expect(runs).toEqual([2, 2])
})

test('one item that does not fit is an error, and so is any other fault at once', async () => {
  const { run } = encoder(0)
  await expect(new Batches(4, best, () => {}).map([1, 2, 3, 4], signal, run)).rejects.toThrow('allocate')
  const broken = async () => Promise.reject(new Error('wrong shape'))
  await expect(new Batches(4, best, () => {}).map([1, 2], signal, broken)).rejects.toThrow('wrong shape')
})

test.each([[[]], [[1]], [[1, 2, 3]]])('a model that gives %j for two inputs is an error', async results => {
  const batches = new Batches(2, best, () => {})
  await expect(batches.map([1, 2], signal, async () => results)).rejects.toThrow(
    `The model gave ${results.length} results for 2 inputs.`,
  )
})
