import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import type { ClaimedJob, Engine, NewJob } from '../../apps/cluster/engine/engine.ts'
import { openPgBoss } from '../../apps/cluster/engine/pg-boss.ts'
import { freshDatabase } from '../support/postgres.ts'

// What every engine promises; each is a line here.
const engines = { 'pg-boss': openPgBoss }

const settings = { heartbeat: 10, monitor: 5 } // those of the tests

describe.each(Object.entries(engines))('the engine %s', (_, open) => {
  let address: string
  let database: Database
  let engine: Engine

  beforeAll(async () => {
    address = await freshDatabase()
    database = await openDatabase(address)
    const installer = await open(database, { installs: true })
    await installer.start()
    await installer.stop()
    engine = await open(database, { ...settings, watches: true })
    await engine.start()
  })
  afterAll(async () => {
    await engine.stop()
    await database.close()
  })

  const job = (queue: string, more: Partial<NewJob> = {}): NewJob => ({
    id: randomUUID(),
    queue,
    priority: 100,
    data: { kind: 'stage', video: 'v', stage: 'speech', key: 'k', config: 'c' },
    ...more,
  })
  const claim = async (...queues: string[]): Promise<ClaimedJob> => {
    const claimed = await engine.fetch(queues)
    if (!claimed) throw new Error(`Nothing waits in ${queues}.`)
    return claimed
  }
  const countOf = async (queue: string) => (await engine.counts()).find(count => count.queue === queue)

  test('a job that waits or runs is not sent again, by nobody', async () => {
    const one = job('ids')
    const sent = await Promise.all([engine.send([one]), engine.send([one]), engine.send([one])])
    expect(sent.flat()).toEqual([one.id])
    const claimed = await claim('ids')
    expect(claimed).toMatchObject({ id: one.id, queue: 'ids', data: one.data })
    expect(await engine.send([one])).toEqual([])
    expect(await engine.fetch(['ids'])).toBeUndefined()
    await engine.settle(claimed, { state: 'completed' })
    expect(await engine.fetch(['ids'])).toBeUndefined()
  })

  // The planner sends only what has no result: one that was completed has lost it since.
  test.each(['completed', 'failed'] as const)(
    'a job that has %s is sent again, and its earlier worker stays fenced',
    async state => {
      const one = job(`again-${state}`)
      await engine.send([one])
      const first = await claim(one.queue)
      await engine.settle(first, state === 'failed' ? { state, message: 'broken' } : { state })
      expect(await engine.send([one])).toEqual([one.id])
      const second = await claim(one.queue)
      expect(await engine.settle(first, { state: 'completed' })).toBe(false)
      expect(await engine.touch(first)).toBe(false)
      expect(await engine.settle(second, { state: 'completed' })).toBe(true)
    },
  )

  test('saying twice that a job is completed is as saying it once', async () => {
    await engine.send([job('twice')])
    const claimed = await claim('twice')
    expect(await engine.settle(claimed, { state: 'completed' })).toBe(true)
    expect(await engine.settle(claimed, { state: 'completed' })).toBe(true)
    expect(await engine.settle(claimed, { state: 'failed', message: 'late' })).toBe(false)
  })

  test('a late worker changes nothing, whatever it says', async () => {
    await engine.send([job('late')])
    const late = await claim('late')
    expect(await engine.settle(late, { state: 'retry', after: 0 })).toBe(true)
    const holder = await claim('late')
    expect(holder.attempt).toBeGreaterThan(late.attempt)
    for (const outcome of [
      { state: 'completed' },
      { state: 'failed', message: 'no' },
      { state: 'retry', after: 0 },
      { state: 'released' },
    ] as const)
      expect(await engine.settle(late, outcome)).toBe(false)
    expect(await engine.touch(late)).toBe(false)
    expect(await engine.touch(holder)).toBe(true)
    expect(await engine.settle(holder, { state: 'completed' })).toBe(true)
  })

  test('a job that is given back is there at once, however often', async () => {
    await engine.send([job('released')])
    for (let time = 0; time < 30; time++)
      expect(await engine.settle(await claim('released'), { state: 'released' })).toBe(true)
    expect(await countOf('released')).toMatchObject({ waiting: 1, running: 0, failed: 0 })
    await engine.settle(await claim('released'), { state: 'released', after: 300 })
    expect(await engine.fetch(['released'])).toBeUndefined()
    await database.query("update pgboss.job set start_after = now() where name = 'released'")
    await engine.settle(await claim('released'), { state: 'completed' })
  })

  test('a retry waits as long as it is told', async () => {
    await engine.send([job('retry')])
    const claimed = await claim('retry')
    await engine.settle(claimed, { state: 'retry', after: 1 })
    expect(await engine.fetch(['retry'])).toBeUndefined()
    await sleep(1100)
    await engine.settle(await claim('retry'), { state: 'completed' })
  })

  test('what failed is counted and not given out', async () => {
    await engine.send([job('failing')])
    await engine.settle(await claim('failing'), { state: 'failed', message: 'moov atom not found' })
    expect(await engine.fetch(['failing'])).toBeUndefined()
    expect(await countOf('failing')).toMatchObject({ waiting: 0, running: 0, failed: 1 })
  })

  test('the highest priority comes first, then the oldest; a second request can hurry a job', async () => {
    const [low, first, second, high] = [100, 200, 200, 300].map(priority => job('priority', { priority }))
    for (const one of [low!, first!, second!, high!]) await engine.send([one])
    await engine.send([{ ...low!, priority: 400 }])
    const order = [await claim('priority'), await claim('priority'), await claim('priority'), await claim('priority')]
    expect(order.map(({ id }) => id)).toEqual([low!.id, high!.id, first!.id, second!.id])
  })

  test('the first queue that has a job is asked first, whatever the priorities', async () => {
    await engine.send([job('order-b', { priority: 900 }), job('order-c', { priority: 100 })])
    expect((await claim('order-none', 'order-c', 'order-b')).queue).toBe('order-c')
    expect((await claim('order-none', 'order-c', 'order-b')).queue).toBe('order-b')
    expect(await engine.fetch(['order-none', 'order-c', 'order-b'])).toBeUndefined()
    expect(await engine.fetch([])).toBeUndefined()
  })

  test('many who fetch at once get each job once', async () => {
    await engine.send(Array.from({ length: 50 }, () => job('crowd')))
    const claimed = await Promise.all(Array.from({ length: 60 }, () => engine.fetch(['crowd'])))
    const ids = claimed.flatMap(one => (one ? [one.id] : []))
    expect(ids).toHaveLength(50)
    expect(new Set(ids).size).toBe(50)
  })

  test('a cancelled job is not given out, and its worker hears of it', async () => {
    const [waiting, running] = [job('cancel'), job('cancel', { priority: 300 })]
    await engine.send([waiting, running])
    const claimed = await claim('cancel')
    expect(claimed.id).toBe(running.id)
    await engine.cancel([waiting.id, running.id])
    expect(await engine.touch(claimed)).toBe(false)
    expect(await engine.settle(claimed, { state: 'completed' })).toBe(false)
    expect(await engine.fetch(['cancel'])).toBeUndefined()
    expect(await engine.send([waiting])).toEqual([waiting.id])
  })

  test('a transaction that is rolled back leaves its job running and its successors unsent', async () => {
    await engine.send([job('transaction')])
    const claimed = await claim('transaction')
    const next = job('transaction-next')
    const work = database.transaction(async sql => {
      expect(await engine.settle(claimed, { state: 'completed' }, sql)).toBe(true)
      expect(await engine.send([next], sql)).toEqual([next.id])
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await engine.fetch(['transaction-next'])).toBeUndefined()
    expect(await engine.touch(claimed)).toBe(true)
    await database.transaction(async sql => {
      await engine.send([next], sql)
      await engine.settle(claimed, { state: 'completed' }, sql)
    })
    expect((await claim('transaction-next')).id).toBe(next.id)
    expect(await engine.touch(claimed)).toBe(false)
  })

  test('of some jobs it says which wait or run', async () => {
    const [waits, runs, ended] = [100, 200, 300].map(priority => job('under-way', { priority })) as [
      NewJob,
      NewJob,
      NewJob,
    ]
    await engine.send([waits, runs, ended])
    await engine.settle(await claim('under-way'), { state: 'completed' })
    await claim('under-way')
    const asked = [waits, runs, ended, job('under-way')].map(one => one.id)
    expect([...(await engine.underWay(asked))].sort()).toEqual([waits.id, runs.id].sort())
  })

  test('what waits and runs is counted, with how long the first one has waited', async () => {
    await engine.send([job('counts'), job('counts'), job('counts')])
    await claim('counts')
    await sleep(200)
    const count = await countOf('counts')
    expect(count).toMatchObject({ waiting: 2, running: 1, failed: 0 })
    expect(count?.oldest).toBeGreaterThan(0.1)
  })

  test('a job that its worker no longer touches goes to another within 15 s, one that is touched does not', async () => {
    const [lost, kept] = [job('heartbeat', { priority: 300 }), job('heartbeat')]
    await engine.send([lost, kept])
    const [first, second] = [await claim('heartbeat'), await claim('heartbeat')]
    const began = performance.now()
    let again: ClaimedJob | undefined
    while (!again && performance.now() - began < 30_000) {
      expect(await engine.touch(second)).toBe(true)
      await sleep(250)
      again = await engine.fetch(['heartbeat'])
    }
    expect(again?.id).toBe(lost.id)
    expect((performance.now() - began) / 1000).toBeLessThan(16)
    expect(await engine.settle(first, { state: 'completed' })).toBe(false)
  })

  test('a forged job ends without being given out', async () => {
    await engine.send([job('forged')])
    await database.query(`update pgboss.job set data = '{"kind":"shell","run":"rm"}' where name = 'forged'`)
    expect(await engine.fetch(['forged'])).toBeUndefined()
    expect(await countOf('forged')).toMatchObject({ waiting: 0, failed: 1 })
  })

  test('whoever finds no tables of the queue says which command makes them', async () => {
    const empty = await openDatabase(await freshDatabase())
    const none = await open(empty)
    await expect(none.start()).rejects.toMatchObject({ exitCode: 2, hint: 'Run: longtake cluster init' })
    await empty.close()
  })
})
