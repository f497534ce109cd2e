import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { film } from '../../bench/small-data.ts'
import { begin, bytesOf, callsIn, openTalks, type Talks, units } from '../../make/engine/talks.ts'
import { commandLine } from '../../support/command-line.ts'
import { type Machine, type Machines, machines } from '../bench/machines.ts'

let talks: Talks
let cluster: Machines
let whole: { bytes: Record<string, string>; calls: number }

beforeAll(async () => {
  talks = await openTalks()
  cluster = await machines(talks.folder, join(talks.folder, 'videos'))
  const alone = makeHere('alone', 'one')
  expect(await alone.ended, alone.said()).toBe(0)
  whole = { bytes: bytesOf(at('one')), calls: callsIn(at('one')) }
})
afterAll(async () => {
  await cluster.close()
  await talks.close()
})
afterEach(async () => {
  talks.server.misbehave()
  for (const one of working.splice(0)) await one.kill()
})

const at = (set: string) => join(talks.folder, 'sets', set) // beside the homes of the machines
const make = (home: string, set: string, ...more: string[]) =>
  cluster.start(home, 'bench', 'make', ...begin(talks), '--out', at(set), ...talks.settings, ...more)
const makeHere = (home: string, set: string, ...more: string[]) =>
  cluster.here(home, 'bench', 'make', ...begin(talks), '--out', at(set), ...talks.settings, ...more)
const goOn = (home: string, set: string, ...more: string[]) =>
  cluster.start(home, 'bench', 'make', '--resume', at(set), ...talks.settings, ...more)
const goOnHere = (home: string, set: string, ...more: string[]) =>
  cluster.here(home, 'bench', 'make', '--resume', at(set), ...talks.settings, ...more)
const working: Machine[] = []
const worker = (name: string) => {
  const started = cluster.start(name, 'worker', '--slots', 'cpu=1,net=1', ...talks.settings)
  working.push(started)
  return started
}
const slowly = () =>
  talks.server.misbehave(...Array.from({ length: 400 }, () => ({ fault: 'slow' as const, seconds: 0.1 })))

// Every call of the making once, and at most those twice that were under way when somebody was killed.
function expectWhole(set: string, before: number, killed: number): void {
  expect(bytesOf(at(set))).toEqual(whole.bytes)
  const asked = talks.asked() - before
  expect(asked).toBeGreaterThanOrEqual(whole.calls)
  expect(asked - whole.calls).toBeLessThanOrEqual(killed)
}

test('by two workers, with one of them and the sender killed, a making is that of one process', async () => {
  const before = talks.asked()
  slowly()
  const first = worker('first')
  const sender = make('sender', 'many', '--queue')
  await cluster.until('a call', () => talks.asked() - before >= 3)
  await first.kill()
  await sender.kill()
  expect(talks.asked() - before).toBeLessThan(whole.calls)
  const [second, third] = [worker('second'), worker('third')]
  const again = goOnHere('sender', 'many', '--queue')
  expect(await again.ended, again.said() + second.said() + third.said()).toBe(0)
  expectWhole('many', before, 1)
  expect(again.said()).toMatch(/a worker has asked about (mill|gate) \(2 of 2 videos\)/)
})

test('a making is taken back from the workers, and one begun alone is given to them', async () => {
  for (const [set, first, then] of [
    ['back', ['--queue'], []],
    ['given', [], ['--queue']],
  ] as const) {
    const before = talks.asked()
    slowly()
    worker(`worker-${set}`)
    const sender = make(`sender-${set}`, set, ...first)
    await cluster.until('some calls', () => talks.asked() - before >= 4)
    await sender.kill()
    const again = goOnHere(`sender-${set}`, set, ...then)
    expect(await again.ended, again.said()).toBe(0)
    expectWhole(set, before, 1)
    expect(await workersAsked(set)).toBeGreaterThan(0)
    await working.pop()?.kill()
  }
})

test('the money ends it whoever spends it, and more money finishes it', async () => {
  const price = ['--set', 'prices={"openai":{"input":100000,"output":0}}'] // a call costs 1
  const before = talks.asked()
  const working = worker('poor')
  const poor = makeHere('poor-sender', 'money', '--queue', ...price, '--set', 'budget.money=7')
  expect(await poor.ended, poor.said() + working.said()).toBe(6)
  expect(poor.said()).toContain('The making has spent 7.00, and budget.money is 7.')
  expect(talks.asked() - before).toBe(7)
  const again = goOnHere('poor-sender', 'money', '--queue', ...price, '--set', 'budget.money=7')
  expect(await again.ended, again.said()).toBe(6)
  expect(talks.asked() - before).toBe(7)
  const rich = goOnHere('poor-sender', 'money', '--queue', '--json', ...price, '--set', 'budget.money=1000')
  expect(await rich.ended, rich.said()).toBe(0)
  expectWhole('money', before, 0)
})

test('stopped by Ctrl-C it says how to go on; cancelled, it ends', async () => {
  const sender = make('stopped', 'stopped', '--queue')
  await cluster.until('its name', () => sender.said().includes('Its name in the cluster is'))
  await cluster.until('its jobs', async () => (await jobs()) > 0)
  sender.process.kill('SIGINT')
  expect(await sender.ended).toBe(130)
  expect(sender.said()).toContain(`longtake bench make --resume ${at('stopped')} --queue`)
  const again = goOn('stopped', 'stopped', '--queue')
  await cluster.until('its name', () => again.said().includes('Its name in the cluster is'))
  const cancel = cluster.here('other', 'cluster', 'cancel', await openRequest('stopped'))
  expect(await cancel.ended, cancel.said()).toBe(0)
  expect(await again.ended, again.said()).toBe(130)
  expect(again.said()).toContain('was cancelled')
})

test('what a server refuses ends the making with its words, and the same command tries again', async () => {
  worker('refused')
  talks.server.misbehave(...Array.from({ length: 4 }, () => ({ fault: 'status' as const, status: 401 })))
  const sender = makeHere('refused-sender', 'refused', '--queue')
  expect(await sender.ended, sender.said()).toBe(4)
  expect(sender.said()).toContain('longtake cluster failures')
  talks.server.misbehave()
  const before = talks.asked()
  const again = goOnHere('refused-sender', 'refused', '--queue')
  expect(await again.ended, again.said()).toBe(0)
  expectWhole('refused', before, 0)
})

test('a dry run says what it would take, asks nothing and writes nothing', async () => {
  const before = talks.asked()
  const dry = makeHere('dry', 'dry', '--queue', '--dry-run')
  expect(await dry.ended, dry.said()).toBe(0)
  expect(dry.said()).toContain(`questions: ${units} calls of make.author`)
  expect([talks.asked(), existsSync(at('dry'))]).toEqual([before, false])
})

test('a worker without the models leaves the making alone, and says why', async () => {
  const sender = make('waiting', 'waiting', '--queue')
  await cluster.until('its name', () => sender.said().includes('Its name in the cluster is'))
  const other = cluster.start('without', 'worker', '--profile', 'embedded', '--slots', 'cpu=1,net=1')
  working.push(other)
  await cluster.until('its reason', () => other.said().includes('make.author: it is not openai in the settings here'))
  await sender.kill()
  const cancel = cluster.here('other', 'cluster', 'cancel', await openRequest('waiting')) // no later worker is to ask for it
  expect(await cancel.ended, cancel.said()).toBe(0)
})

test('a worker looks at the video where it has it, and the making is that of one process', async () => {
  const glance = JSON.stringify({ backend: 'openai', model: 'blind', url: `${talks.server.url}/v1` })
  const looks = ['--set', `make.glance=${glance}`]
  const alone = makeHere('alone', 'seen-alone', ...looks)
  expect(await alone.ended, alone.said()).toBe(0)
  const before = talks.asked()
  working.push(cluster.start('seeing', 'worker', '--slots', 'cpu=1,net=1', ...talks.settings, ...looks))
  const queued = makeHere('sender', 'seen', '--queue', ...looks)
  expect(await queued.ended, queued.said()).toBe(0)
  expect(queued.said()).toContain('glance: a worker has asked about')
  expect(bytesOf(at('seen'))).toEqual(bytesOf(at('seen-alone')))
  expect(talks.asked() - before).toBe(callsIn(at('seen-alone')))
})

test('an indexing that is cancelled is told as that, and one that fails names the video', async () => {
  const { database } = cluster
  const fresh = join(talks.folder, 'videos', 'fresh')
  mkdirSync(fresh)
  const path = join(fresh, 'fresh.mp4')
  film(path, 'teal', 2)
  const begun = (set: string) =>
    cluster.start(
      'sender',
      'bench',
      'make',
      'cg-bench',
      '--from',
      fresh,
      '--out',
      at(set),
      '--queue',
      ...talks.settings,
    )
  const request = async () => {
    const { rows } = await database.query<{ id: string }>(
      "select id from longtake.request where kind = 'index' and state = 'open'",
    )
    return rows[0]?.id
  }
  const cancelled = begun('cancelled')
  await cluster.until('the request', async () => (await request()) !== undefined)
  const cancel = cluster.here('other', 'cluster', 'cancel', (await request()) ?? '')
  expect(await cancel.ended, cancel.said()).toBe(0)
  expect(await cancelled.ended, cancelled.said()).toBe(130)
  expect(cancelled.said()).toMatch(/The indexing of the videos \(request [\w-]+\) was cancelled/)
  const failed = begun('failed')
  await cluster.until('the request', async () => (await request()) !== undefined)
  const id = await request()
  await database.query("update longtake.want set state = 'failed', note = 'It is torn.' where request = $1", [id])
  await database.query("update longtake.request set state = 'partial', ended = now() where id = $1", [id])
  expect(await failed.ended, failed.said()).toBe(4)
  expect(failed.said()).toContain(`${path}: It is torn.`)
})

test('two videos of the same content are refused: a cluster would take one for the other', async () => {
  const twins = join(talks.folder, 'videos', 'twins')
  mkdirSync(twins)
  for (const name of ['a', 'b']) copyFileSync(join(talks.folder, 'videos', 'mill.mp4'), join(twins, `${name}.mp4`))
  const words = ['bench', 'make', 'cg-bench', '--from', twins, '--out', at('twins'), '--queue']
  const { ended, said } = cluster.here('sender', ...words, ...talks.settings)
  expect(await ended).toBe(2)
  expect(said()).toContain('b.mp4 has the same content as')
})

test('without a cluster it says what to set; what is rendered is not queued', async () => {
  const none = commandLine()
  const videos = join(talks.folder, 'videos')
  const alone = await none.run('bench', 'make', 'cg-bench', '--from', videos, '--out', at('none'), '--queue')
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('LONGTAKE_STORE')])
  const rendered = await none.run('bench', 'make', 'needle', '--out', at('none'), '--queue')
  expect([rendered.code, rendered.stderr]).toEqual([2, expect.stringContaining('so --queue has no use')])
})

async function workersAsked(set: string): Promise<number> {
  const { rows } = await cluster.database.query<{ n: string }>(
    `select count(*) as n from longtake.part own where run like $1 and sample <> 'sender' and not exists
       (select 1 from longtake.part where run = own.run and sample = 'sender' and ask = own.ask)`,
    [`${set}-%`],
  )
  return Number(rows[0]?.n)
}

async function jobs(): Promise<number> {
  const { rows } = await cluster.database.query<{ n: string }>(
    `select count(*) as n from pgboss.job where state < 'completed' and data ->> 'kind' = 'make'`,
  )
  return Number(rows[0]?.n)
}

async function openRequest(set: string): Promise<string> {
  const { rows } = await cluster.database.query<{ id: string }>(
    `select id from longtake.request where kind = 'bench' and state = 'open' and config like $1`,
    [`${set}-%`],
  )
  return rows[0]?.id ?? ''
}
