import { describe, expect, test } from 'vitest'
import type { Host } from '../../src/core/backend.ts'
import { InterruptedError } from '../../src/core/errors.ts'
import { RequestLimits } from './limits.ts'
import { openRetries } from './retry.ts'
import { ServerError } from './server-error.ts'

function host(said: string[] = []): Host {
  return { folder: '', environment: {}, signal: new AbortController().signal, say: line => said.push(line) }
}

const open = (limits: Partial<RequestLimits> = {}, on = host()) =>
  openRetries({
    name: 'chat/test',
    server: 'http://127.0.0.1:1',
    limits: RequestLimits.parse({ backoffSeconds: 0.01, ...limits }),
    host: on,
  })
const never = new AbortController().signal
const busy = () => new ServerError('busy.', { retry: 'yes', unhealthy: true })

describe('retries', () => {
  test('tries again after a passing fault, and says in the end how often it tried', async () => {
    let tries = 0
    const retries = open({ attempts: 3 })
    await expect(
      retries.run(never, async () => {
        tries++
        throw busy()
      }),
    ).rejects.toThrow(/^busy \(tried 3 times in 0(\.\d)? s\)\.$/)
    expect(tries).toBe(3)
  })

  test('gives what the first good try gives', async () => {
    const result = await open().run(never, async ({ number }) => {
      if (number < 3) throw busy()
      return number
    })
    expect(result).toBe(3)
  })

  test('asks once more after a garbled reply, not twice', async () => {
    let tries = 0
    const work = async () => {
      tries++
      throw new ServerError('garbled.', { retry: 'once' })
    }
    await expect(open().run(never, work)).rejects.toThrow('garbled')
    expect(tries).toBe(2)
  })

  test('never tries again what no second try can mend, nor an error of ours', async () => {
    for (const error of [new ServerError('no.', { retry: 'no' }), new TypeError('a bug')]) {
      let tries = 0
      const work = async () => {
        tries++
        throw error
      }
      await expect(open().run(never, work)).rejects.toBe(error)
      expect(tries).toBe(1)
    }
  })

  test('fault 20: waits as long as the server asks for', async () => {
    const began = performance.now()
    await open().run(never, async ({ number }) => {
      if (number === 1) throw new ServerError('wait.', { retry: 'yes', waitSeconds: 0.4 })
    })
    expect(performance.now() - began).toBeGreaterThan(390)
  })

  test('does not wait for a server that asks for more time than there is', async () => {
    const began = performance.now()
    const work = async () => {
      throw new ServerError('wait.', { retry: 'yes', waitSeconds: 3600 })
    }
    await expect(open({ totalSeconds: 5 }).run(never, work)).rejects.toThrow('wait')
    expect(performance.now() - began).toBeLessThan(3000)
  })

  test('says when it waits for long', async () => {
    const said: string[] = []
    const stop = new AbortController()
    const work = async () => {
      setTimeout(() => stop.abort(), 20)
      throw new ServerError('chat/test is busy.', { retry: 'yes', waitSeconds: 30 })
    }
    await expect(open({}, host(said)).run(stop.signal, work)).rejects.toBeInstanceOf(InterruptedError)
    expect(said).toEqual(['chat/test is busy. Trying again in 30 s (2 of 4).'])
  })

  test('ends a try at its time limit, also where the work does not listen', async () => {
    const retries = open({ attempts: 1, attemptSeconds: 0.1 })
    const forever = () => new Promise<never>(() => {})
    await expect(retries.run(never, forever)).rejects.toThrow('chat/test gave no whole answer within 0.1 s')
  })

  test('ends a call at its total time limit, however many tries are left', async () => {
    const retries = open({ attempts: 100, attemptSeconds: 0.1, totalSeconds: 0.35 })
    const began = performance.now()
    await expect(retries.run(never, () => new Promise<never>(() => {}))).rejects.toThrow(/tried \d times/)
    expect(performance.now() - began).toBeLessThan(3000)
  })

  test('stops at once when it is interrupted, at work, between tries and in the queue', async () => {
    const forever = () => new Promise<never>(() => {})
    for (const work of [
      forever,
      async () => Promise.reject(new ServerError('x.', { retry: 'yes', waitSeconds: 60 })),
    ]) {
      const stop = new AbortController()
      setTimeout(() => stop.abort(), 30)
      await expect(open().run(stop.signal, work)).rejects.toBeInstanceOf(InterruptedError)
    }
    const retries = open({ concurrency: 1, attemptSeconds: 0.3, attempts: 1 })
    const first = retries.run(never, forever).catch(() => 'ended')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 30)
    await expect(retries.run(stop.signal, forever)).rejects.toBeInstanceOf(InterruptedError)
    expect(await first).toBe('ended')
    expect(await retries.run(never, async () => 'free again')).toBe('free again')
  })

  test('lets at most so many calls run at the same time', async () => {
    const retries = open({ concurrency: 2 })
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 10))
      running--
    }
    await Promise.all(Array.from({ length: 7 }, () => retries.run(never, work)))
    expect(most).toBe(2)
  })

  test('fault 20: leaves a server alone that failed many times in a row, and asks it again after a while', async () => {
    const retries = open({ attempts: 1, breakerFailures: 3, breakerSeconds: 0.2 })
    let tries = 0
    const work = async () => {
      tries++
      if (tries <= 3) throw busy()
      return 'well again'
    }
    for (let i = 0; i < 3; i++) await expect(retries.run(never, work)).rejects.toThrow('busy')
    const refused = retries.run(never, work)
    await expect(refused).rejects.toThrow(/was not asked: http:\/\/127.0.0.1:1 failed 3 times in a row, lastly: busy/)
    await expect(refused).rejects.toMatchObject({ retryable: true })
    expect(tries).toBe(3)
    await new Promise(resolve => setTimeout(resolve, 220))
    expect(await retries.run(never, work)).toBe('well again')
    expect(await retries.run(never, work)).toBe('well again')
  })

  test('backends of one run share what they learn of a server; another run starts anew', async () => {
    const run = host()
    const limits = { attempts: 1, breakerFailures: 1, breakerSeconds: 60 }
    await expect(open(limits, run).run(never, () => Promise.reject(busy()))).rejects.toThrow('busy')
    await expect(open(limits, run).run(never, async () => 'asked')).rejects.toThrow('was not asked')
    expect(await open(limits, host()).run(never, async () => 'asked')).toBe('asked')
  })
})
