import { afterEach, describe, expect, test } from 'vitest'
import { BackendError, UsageError } from '../../../core/errors.ts'
import { boundFor, countFitting, megabytesIn, memoryRoom } from '../../../core/machine/memory.ts'
import { chooseBound, openMemoryGate, treeMegabytes, withMemory } from './memory-gate.ts'

const { signal } = new AbortController()
let gate = { close: () => {} }
afterEach(() => gate.close())
const bound = (megabytes: number, exceeded: (error: Error) => void = () => {}) => {
  gate = openMemoryGate({ megabytes, from: 'setting' }, exceeded)
}
const holding = (name: string, megabytes: number, mayStop = true) => ({ name, megabytes, mayStop, signal })

describe('memory that is bound', () => {
  test('stages whose estimates do not fit together come one after the other, in order', async () => {
    bound((await treeMegabytes()) + 10_000)
    const half = (memoryRoom() as number) * 0.6
    const seen: string[] = []
    const work = (name: string) =>
      withMemory(holding(name, half), async () => {
        seen.push(`${name} begins`)
        await new Promise(resolve => setImmediate(resolve))
        seen.push(`${name} ends`)
      })
    await Promise.all([work('a'), work('b')])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test('one that takes more than it may is stopped, and named with the figures', async () => {
    bound((await treeMegabytes()) + 60)
    const kept: Buffer[] = []
    const greedy = withMemory(
      holding('greedy', 100_000),
      signal =>
        new Promise<void>((_, reject) => {
          kept.push(Buffer.alloc(400_000_000, 1))
          signal.addEventListener('abort', () => {
            kept.length = 0
            reject(signal.reason)
          })
        }),
    )
    const error = await greedy.catch(error => error)
    expect(error).toBeInstanceOf(BackendError)
    expect(error.message).toMatch(
      /^Stage "greedy" exceeded its memory limit: \d+ MB in all, and the bound is \d+ MB\.$/,
    )
  })

  test('one that may not be stopped ends the command instead', async () => {
    const exceeded = deferred()
    bound(20, error => exceeded.resolve(error))
    const work = withMemory(holding('decode', 1, false), () => exceeded.promise)
    expect(await work).toBeInstanceOf(BackendError)
  })

  test('an abort ends the wait for memory', async () => {
    bound((await treeMegabytes()) + 10_000)
    const stop = new AbortController()
    const first = deferred()
    const held = withMemory(holding('first', 1e9), () => first.promise)
    const waits = withMemory({ ...holding('second', 1e9), signal: stop.signal }, async () => {})
    stop.abort(new Error('stopped'))
    await expect(waits).rejects.toThrow('stopped')
    first.resolve(undefined)
    await held
  })

  test('less is done side by side, never nothing, and without a bound as much as was asked for', () => {
    expect(countFitting(8, 100)).toBe(8)
    expect(countFitting(8, 100, 50, 400)).toBe(3)
    expect(countFitting(8, 100, 50, 20)).toBe(1)
  })

  test('the bound that is named as needed leaves the room that was asked for', () => {
    const needed = boundFor(200)
    bound(needed)
    expect(memoryRoom()).toBeGreaterThanOrEqual(200)
  })
})

describe('the bound', () => {
  test.each([
    ['500MB', 500],
    ['2GB', 2000],
    ['1.5g', 1500],
    ['512MiB', 536.870912],
    ['much', undefined],
    ['500', undefined],
    ['-1GB', undefined],
  ])('%s is %s MB', (text, megabytes) => {
    expect(megabytesIn(text)).toBe(megabytes)
  })

  test('a container counts where it allows less than the machine has', () => {
    expect(chooseBound('auto', 1_000_000_000, 8e9)).toEqual({ megabytes: 900, from: 'container' })
    expect(chooseBound('auto', 2 ** 64, 8e9)).toBeUndefined()
    expect(chooseBound('auto', 0, 8e9)).toBeUndefined()
    expect(chooseBound('700MB', 1_000_000_000, 8e9)).toEqual({ megabytes: 700, from: 'setting' })
  })

  test('less than longtake itself takes is refused', () => {
    expect(() => chooseBound('20MB')).toThrow(UsageError)
  })
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise<unknown>(done => {
    resolve = done
  })
  return { promise, resolve }
}
