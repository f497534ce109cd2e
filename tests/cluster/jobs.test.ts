import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addConfig, addNeeds, insertVideo } from '../../apps/cluster/data/catalogue/videos.ts'
import { drainWorker, workers } from '../../apps/cluster/data/catalogue/workers.ts'
import { libraryNeed } from '../../apps/cluster/jobs/after-index.ts'
import { isPoison, nextAfter } from '../../apps/cluster/jobs/retry.ts'
import { fileBelow, rootedPath } from '../../apps/cluster/jobs/roots.ts'
import type { SlotTask, TaskEnding } from '../../apps/cluster/task/messages.ts'
import { runStageTask } from '../../apps/cluster/task/run-stage.ts'
import { type JobRunner, runJob } from '../../apps/cluster/worker/run-job.ts'
import { parseSlots } from '../../apps/cluster/worker/start-worker.ts'
import { exclusiveGate, superviseWorker } from '../../apps/cluster/worker/supervisor.ts'
import { Config } from '../../src/config/schema.ts'
import { whenAborted } from '../../src/core/basics/signals.ts'
import { InputError } from '../../src/core/errors.ts'
import type { Video } from '../../src/core/video.ts'
import { findSidecars } from '../../src/media/file/sidecars.ts'
import { freezeIndex, freezeVideo, modelsHere, planFrozen } from '../../src/runtime/index/frozen-index.ts'
import type { Keyed } from '../../src/runtime/index/plan-stages.ts'
import { openLibrary } from '../../src/store/library/library.ts'
import { testCluster } from '../support/cluster-database.ts'
import { readAttempts } from '../support/cluster-rows.ts'

test('what may pass is tried five times more, each time later; what will not is failed at once; a full disk does not count', () => {
  const waits = [0, 1, 2, 3, 4].map(retry => nextAfter('retryable', { retry }, 0.5))
  expect(waits).toEqual([5, 20, 80, 320, 1280].map(after => ({ do: 'retry', after })))
  expect(nextAfter('retryable', { retry: 5 })).toEqual({ do: 'fail', kind: 'backend' })
  expect(nextAfter('backend', {})).toEqual({ do: 'fail', kind: 'backend' })
  expect(nextAfter('input', {})).toEqual({ do: 'fail', kind: 'input' })
  expect(nextAfter('storage', { released: 40 })).toEqual({ do: 'give back' })
})

test('what has crashed is tried once more alone, then it is poison; so is what was lost with three workers', () => {
  expect(nextAfter('crash', { lost: 1, retry: 2 })).toEqual({ do: 'alone' })
  expect(nextAfter('crash', { crashed: 1 })).toEqual({ do: 'fail', kind: 'poison' })
  expect([2, 3].map(lost => isPoison({ lost }))).toEqual([false, true])
})

test('a file is named by its root; what a row says never leads out of it, neither by dots nor by a link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-roots-'))
  for (const name of ['videos', 'videos/2026', 'private']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'videos/2026/talk.mp4'), '')
  writeFileSync(join(folder, 'private/key'), '')
  symlinkSync(join(folder, 'private/key'), join(folder, 'videos/link.mp4'))
  const roots = { lectures: join(folder, 'videos') }
  const rooted = await rootedPath(join(folder, 'videos/2026/talk.mp4'), roots)
  expect(rooted).toEqual({ root: 'lectures', path: '2026/talk.mp4' })
  expect(await fileBelow(rooted, roots)).toBe(join(folder, 'videos/2026/talk.mp4'))
  await expect(rootedPath(join(folder, 'videos/link.mp4'), roots)).rejects.toThrow('none of the roots')
  for (const path of ['../private/key', '2026/../../private/key', 'link.mp4', join(folder, 'private/key'), '', '.'])
    expect(await fileBelow({ root: 'lectures', path }, roots), path).toBeUndefined()
  for (const path of ['a\0b', 'a'.repeat(5000)])
    expect(await fileBelow({ root: 'lectures', path }, roots), path).toBeUndefined()
  for (const root of ['other', 'constructor', '__proto__', 'toString'])
    expect(await fileBelow({ root, path: '2026/talk.mp4' }, roots), root).toBeUndefined()
})

test('who asks to be alone waits for the others, and nobody enters meanwhile', async () => {
  const gate = exclusiveGate()
  const seen: string[] = []
  const [one, two, three] = [await gate.enter(), await gate.enter(), await gate.enter()]
  const first = gate.alone(async () => void seen.push('first alone'))
  const second = gate.alone(async () => void seen.push('second alone'))
  const late = gate.enter().then(leave => {
    seen.push('late')
    leave()
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(seen).toEqual([])
  three()
  await first
  one()
  await second
  two()
  await late
  expect(seen).toEqual(['first alone', 'second alone', 'late'])
})

test('slots are named with their number, and none at all is refused', () => {
  expect(parseSlots('cpu=2,net=8')).toEqual({ cpu: 2, gpu: 0, net: 8 })
  for (const wrong of ['cpu', 'disk=1', 'cpu=-1', 'cpu=0', ''])
    expect(() => parseSlots(wrong), wrong).toThrow('--slots')
})

test('a video that a machine cannot have waits and its queue goes on; a slot that cannot start gives its job back', async () => {
  const { database, engine, close } = await testCluster()
  const heard: string[] = []
  const runner: JobRunner = {
    ...{ database, engine, worker: 'w', running: new Set(), alone: work => work(), say() {}, log() {} },
    onRefused: queue => heard.push(`${queue} refused`),
    onStorageFault: message => heard.push(message),
  }
  const id = randomUUID()
  await engine.send([{ id, queue: 'q', priority: 1, data: { kind: 'library', video: 'v', config: 'c' } }])
  const attempt = async (run: Parameters<typeof runJob>[1]['run']) => {
    await database.query("update pgboss.job set start_after = now() where name = 'q'")
    const job = await engine.fetch(['q'])
    await runJob(runner, { run, fresh: async () => {}, close: async () => {} }, job!)
  }
  await attempt(async () => ({ kind: 'refused', why: 'no file here', ofVideo: true }))
  expect(heard).toEqual([])
  expect(await engine.fetch(['q'])).toBeUndefined()
  await attempt(() => Promise.reject(new Error('spawn EAGAIN')))
  expect(heard).toEqual(['spawn EAGAIN'])
  await attempt(async () => ({ kind: 'refused', why: 'another version' }))
  expect(heard.at(-1)).toBe('q refused')
  expect((await engine.fetch(['q']))?.id).toBe(id)
  expect((await readAttempts(database, id)).map(({ kind }) => kind)).toEqual(['released', 'released', 'released'])
  await close()
})

test('a worker that drains waits for what follows a request, as the tables of the library', async () => {
  const { database, engine, close } = await testCluster()
  await addNeeds(database, [libraryNeed])
  const data = { kind: 'library', video: 'v', config: 'c' } as const
  await engine.send([{ id: randomUUID(), queue: libraryNeed.queue, priority: 1, data }])
  await database.query("update pgboss.job set start_after = now() + interval '1 s' where name = $1", [
    libraryNeed.queue,
  ])
  const done: string[] = []
  const run = async ({ job }: SlotTask): Promise<TaskEnding> => {
    done.push(job.kind)
    return { kind: 'made' }
  }
  const host = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }
  await superviseWorker({
    ...{
      cluster: { database, engine, heartbeat: 10 },
      own: Config.parse({}),
      host,
      version: '0',
      slots: { cpu: 1, gpu: 0, net: 0 },
      ending: { untilIdle: true, drain: host.signal },
    },
    ...{ output: { say() {} }, others: async () => true },
    openSlot: () => ({ run, fresh: async () => {}, close: async () => {} }),
  })
  expect(done).toEqual(['library'])
  await close()
})

test('cluster drain: what runs is given back, its attempt does not count, and the worker ends', async () => {
  const { database, engine, close } = await testCluster()
  await addNeeds(database, [libraryNeed])
  const id = randomUUID()
  const data = { kind: 'library', video: 'v', config: 'c' } as const
  await engine.send([{ id, queue: libraryNeed.queue, priority: 1, data }])
  const run = async (_task: SlotTask, _progress: unknown, signal: AbortSignal): Promise<TaskEnding> => {
    for (const { id: worker } of await workers(database)) await drainWorker(database, worker)
    await database.notify('drain')
    return new Promise(resolve => whenAborted(signal, () => resolve({ kind: 'stopped' }))) // it may have come already
  }
  const host = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }
  const slots = { cpu: 1, gpu: 0, net: 0 }
  await superviseWorker({
    ...{
      cluster: { database, engine, heartbeat: 10 },
      own: Config.parse({}),
      host,
      version: '0',
      slots,
      ending: { untilIdle: false, drain: host.signal },
    },
    ...{ output: { say() {} }, others: async () => true },
    openSlot: () => ({ run, fresh: async () => {}, close: async () => {} }),
  })
  expect((await readAttempts(database, id)).map(({ kind }) => kind)).toEqual(['released'])
  expect((await engine.fetch([libraryNeed.queue]))?.id).toBe(id)
  await close()
})

test('a subtitle file that changed after it was queued fails with what to do; settings of a newer longtake are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-subtitles-'))
  const [path, cues] = [join(folder, 'talk.mp4'), join(folder, 'talk.srt')]
  const host = { folder, environment: {}, signal: new AbortController().signal, say() {} }
  writeFileSync(path, 'a film')
  writeFileSync(cues, '1\n00:00:01,000 --> 00:00:02,000\nHello.\n')
  const video: Video = {
    ...{ id: 'v00000000000000000000', path, name: 'talk.mp4', bytes: 6, container: 'mp4', start: 0, duration: 60 },
    picture: { index: 0, codec: 'h264', width: 320, height: 180, start: 0, rotation: 0, hdr: false },
    ...{ otherSounds: [], subtitles: [], notes: [], sidecars: await findSidecars(path, 'talk.mp4') },
  }
  const { database, close } = await testCluster()
  const own = Config.parse({})
  const frozen = await freezeIndex(own, host, [])
  const told = await freezeVideo(video, frozen)
  await insertVideo(database, { ...video, probe: told })
  await addConfig(database, 'c', frozen)
  await addConfig(database, 'later', { ...frozen, later: true })
  const [plan = []] = await planFrozen(told, frozen, () => undefined)
  const { stage, key } = plan.find(one => one.stage === 'subtitles') as Keyed
  const run = (config: string, at = path) =>
    runStageTask(
      { kind: 'stage', video: video.id, stage, key, config },
      { attempt: 'a' },
      {
        ...{ sql: database, library: openLibrary(folder), own, locate: async () => at },
        models: frozen => modelsHere(frozen, own.models, host),
        shared: () => Promise.reject(new Error('It is made.')),
      },
      () => {},
      host.signal,
    )
  await expect(run('c')).rejects.toThrow('It is made.')
  writeFileSync(cues, '1\n00:00:01,000 --> 00:00:02,000\nGoodbye.\n')
  const refused = run('c')
  await expect(refused).rejects.toThrow(InputError)
  await expect(refused).rejects.toThrow('The subtitle files beside talk.mp4 are not those that it was queued with.')
  expect(await run('later')).toMatchObject({ kind: 'refused' })
  const fetched = join(openLibrary(folder).videoFolder(video.id), 'source', 'talk.mp4')
  await expect(run('c', fetched)).rejects.toThrow('talk.mp4 was fetched from a bucket or the store')
  await close()
})
