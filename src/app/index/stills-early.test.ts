import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJournal } from '../../../tools/stages/journal.ts'
import { overStills } from '../../../tools/stages/still-source.ts'
import type { Still } from '../../core/video.ts'
import { stillsEarly } from './stills-early.ts'

let folder = ''
let file = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-stills-'))
  file = join(folder, 'stills.bin')
  await writeFile(file, 'stills')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const still = (number: number, time = number): Still => ({
  ...{ time, reason: 'shot', width: 64, height: 36 },
  ...{ offset: number * 10, length: 10, shot: number },
})
const inGroupsOf = async <T>(size: number) => ({
  ...{ size, chooser: () => () => true },
  journal: await openJournal<T>(undefined),
})

function decoding() {
  let end = () => {}
  const over = new Promise<void>(resolve => {
    end = resolve
  })
  return { feed: stillsEarly(over), end }
}

test('stills are worked on before the decoding is over, each once, and the result follows the final list', async () => {
  const { feed, end } = decoding()
  const { signal } = new AbortController()
  feed.kept(
    [0, 1, 2, 3, 4].map(number => still(number)),
    file,
  )
  await feed.begun()
  const late = still(9, 1.5) // for a shot that had none: it lies in the middle
  const whole = [still(0), still(1), late, still(2), still(3), still(4), still(5)]
  const source = await feed.source(async () => ({ file, stills: whole, shots: [] }), signal)
  const groups: number[][] = []
  let ended = false
  const { stills, made } = await overStills(source, await inGroupsOf<string>(2), async group => {
    groups.push(group.map(({ offset }) => offset / 10))
    if (groups.length === 2) {
      expect(ended).toBe(false)
      ended = true
      end()
    }
    return group.map(({ time }) => `seen at ${time}`)
  })
  await source.file.close()
  expect(groups).toEqual([[0, 1], [2, 3], [9, 4], [5]])
  expect(stills.map(({ offset }) => made.get(offset))).toEqual([0, 1, 1.5, 2, 3, 4, 5].map(time => `seen at ${time}`))
})

test('stills that are told of one by one are waited for', async () => {
  const { feed, end } = decoding()
  const { signal } = new AbortController()
  feed.kept([still(0)], file)
  const source = await feed.source(async () => ({ file, stills: [0, 1, 2].map(n => still(n)), shots: [] }), signal)
  setTimeout(() => feed.kept([still(1)], file), 5)
  const seen: number[] = []
  await overStills(source, await inGroupsOf<string>(1), async ([{ time }]) => {
    seen.push(time)
    if (time === 1) end()
    return ['']
  })
  await source.file.close()
  expect(seen).toEqual([0, 1, 2])
})

test('where the first file is gone the finished one is opened, and where stills are chosen by somebody none is taken early', async () => {
  const { feed, end } = decoding()
  const { signal } = new AbortController()
  feed.kept([still(0), still(1)], join(folder, 'gone.bin'))
  setTimeout(end, 5)
  const source = await feed.source(async () => ({ file, stills: [still(1)], shots: [] }), signal, false)
  const { stills } = await overStills(source, await inGroupsOf<string>(1), async group => group.map(() => ''))
  await source.file.close()
  expect(stills).toEqual([still(1)])
})

test('a decoding that failed stops those who wait for its stills', async () => {
  const { feed, end } = decoding()
  const halt = new AbortController()
  feed.kept([still(0)], file)
  const source = await feed.source(() => Promise.reject(new Error('read too early')), halt.signal)
  const work = overStills(source, await inGroupsOf<Still>(2), async group => group)
  // The graph stops the others right after the failed stage has ended.
  end()
  Promise.resolve().then(() => halt.abort(new Error('the file is damaged')))
  await expect(work).rejects.toThrow('the file is damaged')
  await source.file.close()
})
