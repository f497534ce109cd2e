import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

const { signal } = new AbortController()
const after = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

test('results come in the order of the items, however long each takes', async () => {
  const results: number[] = []
  const work = async (wait: number) => {
    await after(wait)
    return wait
  }
  for await (const result of inOrder([30, 1, 20, 2], 3, signal, work)) results.push(result)
  expect(results).toEqual([30, 1, 20, 2])
})

test('no more are at work at once than are allowed', async () => {
  let atWork = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++atWork)
    await after(5)
    atWork--
  }
  for await (const _ of inOrder([1, 2, 3, 4, 5, 6], 2, signal, work));
  expect(most).toBe(2)
})

test('when the reader stops, what is at work is told to stop and no more is begun', async () => {
  const begun: number[] = []
  const told: number[] = []
  const work = async (item: number, stop: AbortSignal) => {
    begun.push(item)
    if (item > 1)
      await new Promise<void>(resolve => stop.addEventListener('abort', () => resolve(void told.push(item))))
    return item
  }
  for await (const item of inOrder([1, 2, 3, 4, 5], 2, signal, work)) if (item === 1) break
  expect(begun).toEqual([1, 2])
  expect(told).toEqual([2])
})

test('the first failure ends it with its reason', async () => {
  const work = async (item: number) => {
    if (item === 2) throw new Error('two broke')
    return item
  }
  const run = async () => {
    for await (const _ of inOrder([1, 2, 3], 2, signal, work));
  }
  await expect(run()).rejects.toThrow('two broke')
})
