import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type WatchNews, watchFolders } from './watch-folders.ts'

const base = mkdtempSync(join(realpathSync(tmpdir()), 'longtake-watch-'))
let folder: string
let stop: AbortController
let ended: Promise<void>
let count = 0
const taken: string[] = []
const news: WatchNews[] = []

beforeEach(() => {
  folder = join(base, String(++count))
  mkdirSync(folder)
  stop = new AbortController()
  taken.length = 0
  news.length = 0
})
afterEach(async () => {
  stop.abort()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const put = (name: string, text = name) => writeFileSync(at(name), text)
const told = (what: WatchNews['what']) => news.filter(one => one.what === what)

function begin(take: (path: string) => Promise<'done' | 'later'> = async () => 'done', still = 0.2) {
  ended = watchFolders({
    ...{ folders: [folder], except: at('own'), every: 0.05, still, trust: 'all', signal: stop.signal },
    tell: one => void news.push(one),
    take(path) {
      taken.push(path.slice(folder.length + 1))
      return take(path)
    },
  })
}

const until = (check: () => void) => vi.waitFor(check, 20_000)
const settle = () => sleep(600)

describe('a watched folder', () => {
  test('gives what is there, in folders below too, and nothing that is no media file, hidden or our own', async () => {
    for (const name of ['deep/er', 'own', '.trash', '@eaDir']) mkdirSync(at(name), { recursive: true })
    for (const name of [
      'a.mp4',
      'deep/er/b.MKV',
      'notes.txt',
      '.c.mp4',
      'own/still.mp4',
      '.trash/d.mp4',
      '@eaDir/e.mp4',
    ])
      put(name)
    put('#1 talk.mp4')
    put('x.mp4.part')
    symlinkSync('..', at('deep/up')) // leads back
    symlinkSync('nowhere.mp4', at('f.mp4'))
    begin()
    await until(() => expect(taken.sort()).toEqual(['#1 talk.mp4', 'a.mp4', 'deep/er/b.MKV']))
    expect(news).toEqual([{ what: 'watching', files: 3 }])
  })

  test('leaves a file that is still being copied', async () => {
    begin(undefined, 0.4)
    put('slow.mp4', '')
    for (let i = 0; i < 10; i++) {
      await sleep(100)
      appendFileSync(at('slow.mp4'), 'more')
      expect(taken).toEqual([])
    }
    await until(() => expect(taken).toEqual(['slow.mp4']))
  })

  test('takes a file that was renamed into place, and one that took its place', async () => {
    begin()
    put('a.mp4.part')
    await settle()
    renameSync(at('a.mp4.part'), at('a.mp4'))
    await until(() => expect(taken).toEqual(['a.mp4']))
    put('new', 'other')
    renameSync(at('new'), at('a.mp4'))
    await until(() => expect(taken).toEqual(['a.mp4', 'a.mp4']))
    renameSync(at('a.mp4'), at('b.mp4'))
    await until(() => expect(taken).toEqual(['a.mp4', 'a.mp4', 'b.mp4']))
    expect(told('moved')).toEqual([{ what: 'moved', path: at('b.mp4'), from: at('a.mp4') }])
    expect(told('removed')).toEqual([])
  })

  test('takes a file again that changed while it was being taken, and one at a time', async () => {
    let atOnce = 0
    let max = 0
    begin(async path => {
      max = Math.max(max, ++atOnce)
      if (taken.length === 1) writeFileSync(path, 'something else')
      await sleep(100)
      atOnce--
      return 'done'
    })
    put('a.mp4')
    put('b.mp4')
    await until(() => expect(taken).toHaveLength(3))
    await settle()
    expect(taken).toEqual([taken[0], ...['a.mp4', 'b.mp4'].filter(name => name !== taken[0]), taken[0]])
    expect(max).toBe(1)
  })

  test('does not lose its files when it is unmounted, and goes on when it is back', async () => {
    put('a.mp4')
    begin()
    await until(() => expect(taken).toEqual(['a.mp4']))
    renameSync(folder, `${folder}-away`)
    await until(() => expect(told('unread')).toHaveLength(1))
    mkdirSync(folder) // the empty folder that the disk was mounted over
    await settle()
    expect(told('unread')).toHaveLength(1)
    rmSync(folder, { recursive: true })
    renameSync(`${folder}-away`, folder)
    await until(() => expect(told('back')).toHaveLength(1))
    put('b.mp4')
    await until(() => expect(taken).toEqual(['a.mp4', 'b.mp4']))
    expect(told('removed')).toEqual([])
    rmSync(at('a.mp4'))
    await until(() => expect(told('removed')).toEqual([{ what: 'removed', path: at('a.mp4') }]))
  })

  test('holds back the next file where it is not the fault of one', async () => {
    put('a.mp4')
    put('b.mp4')
    begin(async () => 'later')
    await until(() => expect(taken).toHaveLength(1))
    await settle()
    expect(taken).toHaveLength(1) // the pause is half a minute
  })

  test('gives each of a thousand files once', async () => {
    for (let i = 0; i < 10; i++) mkdirSync(at(`d${i}`))
    for (let i = 0; i < 1000; i++) put(`d${i % 10}/${i}.mp4`)
    begin()
    await until(() => expect(taken).toHaveLength(1000))
    await settle()
    expect(new Set(taken).size).toBe(1000)
    expect(taken).toHaveLength(1000)
  })
})
