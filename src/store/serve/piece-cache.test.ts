import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPieceCache } from './piece-cache.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longtake-pieces-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const files = () => readdirSync(join(home, 'playback', 'k')).sort()
const piece = Buffer.alloc(1000)

test('the pieces used longest ago go when there are too many bytes, also those of an earlier start', async () => {
  const first = openPieceCache(home, 2500)
  await first.write('k/0.m4s', piece)
  await sleep(20)
  await first.write('k/1.m4s', piece)
  await sleep(20)
  expect(await first.read('k/0.m4s')).toEqual(piece)
  const second = openPieceCache(home, 2500)
  await second.write('k/2.m4s', piece)
  expect(files()).toEqual(['0.m4s', '2.m4s'])
  expect(await second.read('k/1.m4s')).toBeUndefined()
})

test('one that is larger than everything stays until the next comes', async () => {
  const cache = openPieceCache(home, 0)
  await cache.write('k/0.m4s', piece)
  expect(files()).toEqual(['0.m4s'])
  await cache.write('k/1.m4s', piece)
  expect(files()).toEqual(['1.m4s'])
})

test('what a killed server was writing is no piece, and is removed', async () => {
  mkdirSync(join(home, 'playback', 'k'), { recursive: true })
  writeFileSync(join(home, 'playback', 'k', '.tmp-1-00000000-aa'), 'half')
  const long = new Date(Date.now() - 7_200_000)
  utimesSync(join(home, 'playback', 'k', '.tmp-1-00000000-aa'), long, long) // of another machine: its age tells
  await openPieceCache(home, 2500).write('k/0.m4s', piece)
  expect(files()).toEqual(['0.m4s'])
})

test('a file that could not be made leaves nothing', async () => {
  const cache = openPieceCache(home, 2500)
  const make = async (file: string) => {
    writeFileSync(file, 'half')
    throw new Error('broken')
  }
  await expect(cache.create('k/clip.mp4', make)).rejects.toThrow('broken')
  expect(files()).toEqual([])
  expect(await cache.find('k/clip.mp4')).toBeUndefined()
})
