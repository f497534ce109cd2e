import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { type SharedTask, sharedWork } from './playback.ts'

let work: SharedTask<string>
let log: string[]
let finish: Record<string, () => void>

// Work that lasts until it is finished by its name, and says how it ended.
const make = (name: string) => (signal: AbortSignal) => {
  log.push(`begin ${name}`)
  return new Promise<string>((resolve, reject) => {
    finish[name] = () => resolve(name)
    signal.addEventListener('abort', () => {
      log.push(`end ${name}`)
      reject(signal.reason)
    })
  })
}
const never = new AbortController().signal
const ask = (name: string, signal = never) => work.ask(name, make(name), signal)

beforeEach(() => {
  work = sharedWork(2, never)
  log = []
  finish = {}
})

test('two are made at a time, and who asks for the same gets the same', async () => {
  const all = [ask('a'), ask('b'), ask('a'), ask('c')]
  expect(log).toEqual(['begin a', 'begin b'])
  finish.a?.()
  await all[0]
  await sleep(0)
  expect(log).toEqual(['begin a', 'begin b', 'begin c'])
  finish.b?.()
  finish.c?.()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'a', 'c'])
})

test('what is made ahead gives way to what is asked for, and is taken over by who asks for it', async () => {
  work.ahead('a', make('a'))
  work.ahead('b', make('b'))
  const asked = [ask('b'), ask('c')]
  expect(log).toEqual(['begin a', 'begin b', 'end a', 'begin c'])
  finish.b?.()
  finish.c?.()
  expect(await Promise.all(asked)).toEqual(['b', 'c'])
})

test('what nobody waits for any more ends, at once', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const asked = [ask('a', first.signal), ask('a', second.signal)]
  first.abort()
  await expect(asked[0]).rejects.toThrow()
  expect(log).toEqual(['begin a'])
  second.abort()
  await expect(asked[1]).rejects.toThrow()
  expect(log).toEqual(['begin a', 'end a'])
})

test('what still waits for its turn never begins when everybody has left', async () => {
  const all = [ask('a'), ask('b')]
  const left = new AbortController()
  const asked = ask('c', left.signal)
  left.abort()
  await expect(asked).rejects.toThrow()
  finish.a?.()
  finish.b?.()
  await Promise.all(all)
  expect(log).toEqual(['begin a', 'begin b'])
})

test('after a seek what was made ahead elsewhere ends', () => {
  work.ahead('v/1', make('v/1'))
  work.ahead('v/2', make('v/2'))
  work.dropAhead(key => key === 'v/2')
  expect(log).toEqual(['begin v/1', 'begin v/2', 'end v/1'])
})

test('what has failed is tried again by the next who asks', async () => {
  await expect(work.ask('a', () => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken')
  const again = ask('a')
  finish.a?.()
  expect(await again).toBe('a')
})
