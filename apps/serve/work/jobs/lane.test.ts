import { expect, test } from 'vitest'
import { openVideos } from '../videos/open-videos.ts'
import { lane } from './lane.ts'

const never = new AbortController().signal

test('so many run at a time, in the order in which they came; one that is cancelled leaves the line', async () => {
  const two = lane(2)
  const began: number[] = []
  const ends: (() => void)[] = []
  const stop = new AbortController()
  const work = (number: number) => () => {
    began.push(number)
    return new Promise<void>(resolve => ends.push(resolve))
  }
  const all = [1, 2, 3].map(number => two.run(work(number), never))
  const left = two.run(work(4), stop.signal)
  all.push(two.run(work(5), never))
  await Promise.resolve()
  stop.abort()
  await expect(left).rejects.toThrow()
  for (let at = 0; at < 4; at++) {
    expect(began.length).toBeLessThanOrEqual(at + 2)
    while (ends.length <= at) await new Promise(resolve => setImmediate(resolve))
    ends[at]?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.all(all)
  expect(began).toEqual([1, 2, 3, 5])
})

test('the videos used last stay open; one in use is closed only when it is free', async () => {
  const closed: string[] = []
  const open = openVideos(async id => ({ id, close: async () => void closed.push(id) }) as never, 2)
  let free = () => {}
  const using = open.use(
    'a',
    '1',
    () =>
      new Promise<void>(resolve => {
        free = resolve
      }),
  )
  for (const id of ['b', 'c', 'd']) await open.use(id, '1', async () => {})
  expect(closed).toEqual(['b', 'c'])
  open.forget('a')
  expect(closed).toEqual(['b', 'c'])
  free()
  await using
  await open.close()
  expect(closed.sort()).toEqual(['a', 'b', 'c', 'd'])
})

test('a video whose index is another one now is opened anew, also while somebody uses the old one', async () => {
  let opened = 0
  const closed: number[] = []
  const open = openVideos(async () => {
    const number = ++opened
    return { number, close: async () => void closed.push(number) } as never
  })
  const numberOf = async (video: unknown) => (video as { number: number }).number
  let free = () => {}
  const using = open.use('a', 'old', () => new Promise<void>(resolve => (free = resolve)))
  expect(await open.use('a', 'old', numberOf)).toBe(1)
  expect([open.isOpen('a', 'old'), open.isOpen('a', 'new')]).toEqual([true, false])
  expect(await open.use('a', 'new', numberOf)).toBe(2)
  expect(await open.use('a', 'new', numberOf)).toBe(2)
  expect(closed).toEqual([])
  free()
  await using
  await open.close()
  expect(closed).toEqual([1, 2])
})
