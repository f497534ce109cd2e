import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readProgress, tryLock, withLock } from './lock.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'longtake-lock-')), 'video')
})

const nextTurn = () => new Promise(resolve => setTimeout(resolve, 30))

test('work under one lock never overlaps, and each gets its result', async () => {
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await nextTurn()
    return inside--
  }
  expect(await Promise.all([1, 2, 3, 4].map(() => withLock(folder, work)))).toEqual([1, 1, 1, 1])
  expect(most).toBe(1)
})

test('locks of two folders do not wait for each other', async () => {
  await withLock(folder, () => withLock(`${folder}-other`, async () => {}))
})

test('work that fails frees the lock', async () => {
  await expect(withLock(folder, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  expect(await withLock(folder, async () => 'free')).toBe('free')
})

test('who waits is told how far the holder is, in words and as data', async () => {
  const said: (string | undefined)[] = []
  let waiting: Promise<void> | undefined
  await withLock(folder, async held => {
    held.report({ text: 'transcribe', done: 65, total: 3600 })
    while ((await readProgress(folder))?.text !== 'transcribe') await nextTurn()
    waiting = withLock(folder, async () => {}, {
      onWait: (text, holder) => said.push(text, holder && `${holder.text} ${holder.done}`),
    })
    while (said.length === 0) await nextTurn()
  })
  await waiting
  expect(said.slice(0, 2)).toEqual([`transcribe 1:05 of 1:00:00 (process ${process.pid})`, 'transcribe 65'])
  expect(await readProgress(folder)).toBeUndefined()
})

test('progress is written at most once a second, the newest first', async () => {
  await withLock(folder, async held => {
    for (let done = 0; done <= 500; done++) held.report({ text: 'decode', done, total: 500 })
    await nextTurn()
    expect(await readProgress(folder)).toMatchObject({ done: 0 })
    await expect.poll(() => readProgress(folder)).toMatchObject({ done: 500 })
  })
})

test('who waits can stop waiting', async () => {
  const stop = new AbortController()
  await withLock(folder, async () => {
    const waiting = withLock(folder, async () => 'never', {
      signal: stop.signal,
      onWait: () => stop.abort(new Error('Ctrl-C')),
    })
    await expect(waiting).rejects.toThrow('Ctrl-C')
  })
})

test('a lock that is held cannot be had without waiting', async () => {
  const lock = await tryLock(folder)
  expect(await tryLock(folder)).toBeUndefined()
  lock?.release()
  const again = await tryLock(folder)
  expect(again).toBeDefined()
  again?.release()
})

test('the new holder sweeps what killed ones left', async () => {
  await mkdir(join(folder, 'stages', 'speech', '.tmp-dead'), { recursive: true })
  await withLock(folder, async () => {
    expect(await readdir(join(folder, 'stages', 'speech'))).toEqual([])
  })
})
