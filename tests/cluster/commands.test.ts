import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginAttempt, endAttempt, saveProgress } from '../../apps/cluster/data/catalogue/attempts.ts'
import { addFailure } from '../../apps/cluster/data/catalogue/failures.ts'
import { addRequest, findRequest } from '../../apps/cluster/data/catalogue/requests.ts'
import { addNeeds, insertVideo } from '../../apps/cluster/data/catalogue/videos.ts'
import { addWorker, seeWorker } from '../../apps/cluster/data/catalogue/workers.ts'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import type { NewJob } from '../../apps/cluster/engine/engine.ts'
import { openQueue, type Queue } from '../../apps/cluster/open-cluster.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { freshDatabase } from '../support/postgres.ts'

let address: string
let environment: NodeJS.ProcessEnv
let cli: CommandLine
let queue: Queue

const settings = () => ({ database: address, roots: {}, cache: '20%', limits: {}, heartbeat: 60 })
const job = (queue: string, more: Partial<NewJob> = {}): NewJob => ({
  ...{ id: randomUUID(), queue, priority: 100 },
  data: { kind: 'stage', video: 'v1', stage: 'speech', key: 'k', config: 'c' },
  ...more,
})
const status = async () => JSON.parse((await cli.run('cluster', 'status', '--json')).stdout)

beforeAll(async () => {
  address = await freshDatabase()
  environment = { LONGTAKE_CLUSTER: address, LONGTAKE_STORE: mkdtempSync(join(tmpdir(), 'longtake-store-')) }
  cli = commandLine({}, environment)
})
afterAll(() => queue?.close())

describe('setting up', () => {
  test('before it, each command says which one makes the tables', async () => {
    for (const words of [['status'], ['failures'], ['cancel', 'x'], ['drain', 'x']]) {
      const { code, stderr } = await cli.run('cluster', ...words)
      expect([code, stderr]).toEqual([2, expect.stringContaining('Run: longtake cluster init')])
    }
  })

  test('init makes what is missing, tries the store and prints the line that joins; once more changes nothing', async () => {
    const first = await cli.run('cluster', 'init')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain(`LONGTAKE_STORE='${environment.LONGTAKE_STORE}'`)
    const again = JSON.parse((await cli.run('cluster', 'init', '--json')).stdout)
    expect(again).toMatchObject({ migrations: [], store: environment.LONGTAKE_STORE })
    queue = await openQueue(settings(), environment)
  })

  test('without a cluster each command says what to set, and doctor which parts are missing', async () => {
    const none = commandLine()
    for (const words of [['init'], ['status'], ['failures']]) {
      const { code, stderr } = await none.run('cluster', ...words)
      expect([code, stderr]).toEqual([2, expect.stringContaining('LONGTAKE_CLUSTER')])
    }
    const { code, stdout } = await none.run('cluster', 'doctor')
    expect([code, stdout]).toEqual([4, expect.stringContaining('not ready')])
  })

  test('a store that cannot be written is said before anything else is believed', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'longtake-store-')), 'file')
    writeFileSync(file, '')
    const broken = commandLine({}, { ...environment, LONGTAKE_STORE: file })
    expect((await broken.run('cluster', 'init')).code).not.toBe(0)
    const { code, stdout } = await broken.run('cluster', 'doctor')
    expect([code, stdout]).toEqual([4, expect.stringMatching(/store +missing/)])
  })

  test('doctor tries each part', async () => {
    const { code, stdout } = await cli.run('cluster', 'doctor', '--json')
    const { checks } = JSON.parse(stdout)
    expect(code).toBe(0)
    const ready = checks
      .filter(({ state }: { state: string }) => state === 'ready')
      .map(({ what }: { what: string }) => what)
    expect(ready).toEqual(
      expect.arrayContaining(['database', 'version', 'latency', 'clock', 'listen', 'schema', 'queue', 'store']),
    )
  })

  test('no password is shown by any of them', async () => {
    const secret = 'hunter2-hunter2'
    const withPassword = address.replace('longtake@', `longtake:${secret}@`)
    const shown = commandLine({}, { ...environment, LONGTAKE_CLUSTER: withPassword })
    const wrong = commandLine({}, { ...environment, LONGTAKE_CLUSTER: `mysql://u:${secret}@db/x` })
    for (const words of [
      ['cluster', 'init'],
      ['cluster', 'doctor'],
      ['config', 'show', '--origin'],
      ['config', 'show', '--json'],
    ])
      for (const one of [shown, wrong]) {
        const { stdout, stderr } = await one.run(...words)
        expect(stdout + stderr).not.toContain(secret)
      }
  })
})

describe('looking and steering', () => {
  const speech = 'speech.transcribe-whisper.3fa9c1d2'
  const request = randomUUID()

  test('nothing waits: status says so', async () => {
    expect(await status()).toMatchObject({ queues: [], requests: [], waitReason: 'Nothing waits.' })
  })

  test('without a worker the line says how to start one', async () => {
    await insertVideo(queue.database, { id: 'v1', name: 'talk.mp4', bytes: 1, duration: 600 })
    await addRequest(queue.database, { id: request, kind: 'index', priority: 1, videos: ['v1', 'v2'] })
    await addNeeds(queue.database, [
      { queue: speech, stage: 'speech', backend: 'transcribe/whisper', version: '3fa9c1d2', resource: 'gpu' },
    ])
    await queue.engine.send([job(speech), job(speech), job(speech)])
    const { waitReason, queues, requests } = await status()
    expect(waitReason).toContain('No worker is running, and 3 jobs wait. Start one: longtake cluster worker')
    expect(queues).toMatchObject([{ queue: speech, waiting: 3, running: 0, workers: 0, resource: 'gpu' }])
    expect(requests).toMatchObject([{ id: request, done: 0, total: 2 }])
  })

  test('a queue that only workers of another version serve is named, with what mends it', async () => {
    const row = { id: 'gpu1-1', host: 'gpu1', version: '0.1.0', slots: { gpu: 1 } }
    await addWorker(queue.database, { ...row, queues: ['speech.transcribe-whisper.00000000'] })
    const { waitReason, unserved } = await status()
    expect(unserved).toMatchObject([{ queue: speech, why: expect.stringContaining('another version') }])
    expect(waitReason).toContain(`No worker serves ${speech}`)
    expect((await cli.run('cluster', 'status')).stdout).toContain('longtake cluster worker --only speech')
  })

  test('what runs is shown with its worker, and full slots with what more would help', async () => {
    const row = { id: 'gpu1-1', host: 'gpu1', version: '0.1.0', slots: { gpu: 1 } }
    await addWorker(queue.database, { ...row, queues: [speech] })
    const claimed = await queue.engine.fetch([speech])
    const about = { worker: 'gpu1-1', queue: speech, video: 'v1', stage: 'speech' }
    const before = randomUUID()
    await beginAttempt(queue.database, { ...about, job: before })
    await endAttempt(queue.database, before, 1, 'completed')
    await queue.database.query(
      "update longtake.attempt set started = now() - interval '60 s', ended = now() where job = $1",
      [before],
    )
    await beginAttempt(queue.database, { ...about, job: claimed!.id })
    await saveProgress(queue.database, { job: claimed!.id, worker: 'gpu1-1', text: 'listening', done: 1, total: 4 })
    const { waitReason, workers, unserved } = await status()
    expect(unserved).toEqual([])
    expect(workers).toMatchObject([
      { id: 'gpu1-1', jobs: [{ stage: 'speech', name: 'talk.mp4', slot: 'gpu', done: 1 }] },
    ])
    expect(workers[0].speed).toBeCloseTo(10, 0)
    expect(waitReason).toMatch(/^GPU slots full: 1 more would end it in \d+ s instead of 2 min\.$/)
    const { stdout } = await cli.run('cluster', 'status')
    expect(stdout).toMatch(/gpu1-1 +live +gpu=1 +10\.0 x +speech 25 % of talk\.mp4/)
  })

  test('a worker that pauses is the bottleneck', async () => {
    await seeWorker(queue.database, 'gpu1-1', 'its disk is full')
    expect((await status()).waitReason).toBe('gpu1 takes no jobs: its disk is full')
    await seeWorker(queue.database, 'gpu1-1')
  })

  test('a worker drains by its id or the name of its machine', async () => {
    expect(await cli.run('cluster', 'drain', 'nobody')).toMatchObject({ code: 2 })
    expect((await cli.run('cluster', 'drain', 'gpu1')).stdout).toContain('gpu1-1')
    expect(await seeWorker(queue.database, 'gpu1-1')).toBe('draining')
  })

  test('failures are listed, and --retry forgets them', async () => {
    const failure = {
      video: 'v1',
      stage: 'decode',
      key: 'k',
      kind: 'input',
      message: 'moov atom not found',
      attempts: 1,
    }
    await addFailure(queue.database, failure)
    expect((await cli.run('cluster', 'failures')).stdout).toContain(
      'talk.mp4  decode  input  1 attempt  moov atom not found',
    )
    expect((await status()).failures).toEqual({ input: 1 })
  })

  test('a request is cancelled by the beginning of its id, with its jobs', async () => {
    expect(await cli.run('cluster', 'cancel', 'zzz')).toMatchObject({ code: 2 })
    const { code, stdout } = await cli.run('cluster', 'cancel', request.slice(0, 8))
    expect([code, stdout]).toEqual([0, expect.stringContaining('with 3 of its jobs')])
    expect(await findRequest(queue.database, request)).toMatchObject({ state: 'cancelled' })
    expect((await cli.run('cluster', 'cancel', request)).stdout).toContain('is cancelled already')
  })

  test('tables of another version stop every command', async () => {
    const other = await openDatabase(address)
    await other.query('insert into longtake.migration (n) values (1000)')
    expect(await cli.run('cluster', 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('is older') })
    await other.query('delete from longtake.migration where n = 1000')
    await other.close()
  })
})
