import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRunRow } from '../../../apps/cluster/bench/answers.ts'
import { runRequestId } from '../../../apps/cluster/bench/run-request.ts'
import { cancelRequest } from '../../../apps/cluster/jobs/cancel-request.ts'
import { jobId } from '../../../apps/cluster/jobs/plan-video.ts'
import { QueuedMaking } from '../../../apps/cluster/make/frozen-making.ts'
import {
  findCall,
  giveCall,
  moneyLimit,
  moneyOn,
  readMadeCalls,
  saveCall,
} from '../../../apps/cluster/make/made-calls.ts'
import { keyOfStep, makeWorkers, makingTakenBack } from '../../../apps/cluster/make/make-workers.ts'
import type { Cluster } from '../../../apps/cluster/open-cluster.ts'
import { openStore } from '../../../apps/cluster/store/open-store.ts'
import type { OpenedMaking, SentMaking, SentStep } from '../../../eval/make/machine/workers.ts'
import { sentAs } from '../../../eval/runner/files/sent-as.ts'
import { resolveConfig } from '../../../src/config/resolve.ts'
import { createRuntime, type LocalRuntime } from '../../../src/runtime/runtime.ts'
import { type TestCluster, testCluster } from '../../support/cluster-database.ts'

let folder: string
let cluster: TestCluster
let runtime: LocalRuntime
const { signal } = new AbortController()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-made-calls-'))
  for (const set of ['changed', 'back', 'given', 'cancelled']) mkdirSync(join(folder, set, 'made'), { recursive: true })
  cluster = await testCluster()
  runtime = await opened('budget.money=5')
})
afterAll(async () => {
  await runtime.close()
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(...set: string[]): Promise<LocalRuntime> {
  const flags = { set: ['profile=embedded', ...set] }
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false, flags })
  return createRuntime({ config, home: join(folder, 'home'), environment: {} })
}

const sent: SentMaking = {
  ...{ recipe: 'cg-bench', version: '1', seed: 1, settings: {}, exclude: [] },
  prompts: { questions: { ask: 'Ask.' }, other: { ask: 'Say.' } },
}
const step = { name: 'questions' } as SentStep
const reply = { text: '', calls: [], stop: 'end' as const, usage: { inputTokens: 10, outputTokens: 0 }, model: 'm' }
const price = { input: 100_000, output: 0 } // a call costs 1

const making = (set: string, more: Partial<OpenedMaking> = {}): OpenedMaking => ({
  ...{ sent, folder: join(folder, set), runtime, videos: new Map(), calls: [], ...more },
})

async function opening(): Promise<Cluster> {
  return { ...cluster, store: await openStore(join(folder, 'store'), {}), settings: runtime.settings.cluster }
}

const workersOf = async () => makeWorkers({ cluster: await opening(), signal, say() {}, watch() {} })

test('a step is another one with other prompts of its own, another version or seed, and the same with those of others', () => {
  const key = keyOfStep(sent, step)
  const own = { ...sent, prompts: { ...sent.prompts, questions: { ask: 'Ask this.' } } }
  const others = { ...sent, prompts: { ...sent.prompts, other: { ask: 'Say this.' } } }
  expect(keyOfStep(others, step)).toBe(key)
  const changed = [own, { ...sent, seed: 2 }, { ...sent, version: '2' }, { ...sent, settings: { perVideo: 2 } }]
  expect(new Set([key, ...changed.map(one => keyOfStep(one, step))]).size).toBe(5)
})

test('a making that has changed ends the steps that were sent before; with more money alone they go on', async () => {
  const { database, engine } = cluster
  await (await workersOf()).open(making('changed'))
  const run = (await sentAs(join(folder, 'changed', 'made'))) ?? ''
  const { queue } = QueuedMaking.parse((await readRunRow(database, run))?.environment)
  const data = { kind: 'make', run, step: 's' } as const
  const id = jobId(data)
  await engine.send([{ id, queue, data, priority: 1 }])
  expect(await moneyLimit(database, run)).toBe(5)
  const richer = await opened('budget.money=9')
  await (await workersOf()).open(making('changed', { runtime: richer }))
  await richer.close()
  expect(await moneyLimit(database, run)).toBe(9)
  expect(await engine.underWay([id])).toEqual(new Set([id]))
  await (await workersOf()).open(making('changed', { sent: { ...sent, seed: 2 } }))
  expect(await engine.underWay([id])).toEqual(new Set())
})

test('taken back, what the workers and this machine have spent is the money of one making', async () => {
  const { database } = cluster
  await (await workersOf()).open(making('back'))
  const run = (await sentAs(join(folder, 'back', 'made'))) ?? ''
  await saveCall(database, run, keyOfStep(sent, step), 'theirs', { reply, seconds: 1, money: 3 })
  const calls = ['theirs', 'ours'].map(name => ({ name, reply, seconds: 1, price }))
  const back = makingTakenBack({ cluster: await opening() }, run)
  await back.open(making('back', { calls }))
  const theirs = { key: 'theirs', answered: { reply, seconds: 1 } }
  expect(await back.ask([step])).toEqual({ calls: [theirs], isAll: false, spent: 4 })
})

test('a making that is cancelled while its steps are stored stays cancelled, and ends', async () => {
  const { database, engine } = cluster
  const world = await opening()
  let run = ''
  const put = async () => void (await cancelRequest(database, engine, runRequestId(run)))
  const workers = makeWorkers({
    cluster: { ...world, store: { put } as unknown as Cluster['store'] },
    signal: AbortSignal.timeout(10_000),
    say() {},
    watch() {},
  })
  await workers.open(making('cancelled'))
  run = (await sentAs(join(folder, 'cancelled', 'made'))) ?? ''
  await expect(workers.ask([step])).rejects.toThrow('was cancelled')
})

test('what the sender gave is among the calls of each step that needed it, in its place, and is paid once', async () => {
  const { database } = cluster
  await (await workersOf()).open(making('given'))
  const run = (await sentAs(join(folder, 'given', 'made'))) ?? ''
  await giveCall(database, run, 'same', { reply: { ...reply, text: 'one' }, seconds: 1, money: 2 })
  for (const name of ['first', 'second']) expect((await findCall(database, run, name, 'same'))?.reply.text).toBe('one')
  await saveCall(database, run, 'first', 'same-2', { reply: { ...reply, text: 'two' }, seconds: 1, money: 2 })
  const calls = await readMadeCalls(database, run, ['first', 'second'])
  expect(calls.map(({ key, answered }) => [key, answered.reply.text])).toEqual([
    ['same', 'one'],
    ['same', 'two'],
    ['same', 'one'],
  ])
  expect(await moneyOn(database, run)).toBe(4)
})
