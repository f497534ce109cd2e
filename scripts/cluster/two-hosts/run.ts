import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/cluster/data/database.ts'
import type { Database } from '../../../src/cluster/data/sql.ts'
import { openStore } from '../../../src/cluster/store/open-store.ts'
import { unpackStage } from '../../../src/cluster/store/pack/unpack.ts'
import { seeded } from '../../../tests/servers/pieces.ts'
import { killAllWith, orphansWith } from '../../kills/processes.ts'
import { countAttempts } from '../prove/counts.ts'
import { filesOf } from '../prove/files-of.ts'
import { makeVideos } from '../prove/make-videos.ts'
import { compare, isProved } from '../prove/verdict.ts'
import { type HostName, makeNetwork, type Network } from './network.ts'
import { type Services, startServices } from './services.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'longtake.mjs')
const folder = mkdtempSync(join(tmpdir(), 'longtake-hosts-'))
chmodSync(folder, 0o755)
const path = (...names: string[]) => join(folder, ...names)
for (const name of ['tmp', 'alone', 'home-one', 'home-two', 'home-asker', 'collected']) mkdirSync(path(name))
const settings = {
  LONGTAKE_PROFILE: 'embedded',
  LONGTAKE_CLUSTER__ROOTS: JSON.stringify({ videos: path('videos') }),
  LONGTAKE_CLUSTER__HEARTBEAT: '10',
}
const began = performance.now()
const say = (line: string) =>
  console.error(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${line}`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort()
    void killAllWith(path('tmp'))
  })

const network = makeNetwork()
let services: Services | undefined
let isGood = false
try {
  services = await startServices(network, path('services'))
  isGood = await prove(network, services.environment)
} finally {
  await killAllWith(path('tmp'))
  services?.stop()
  network.remove()
  if (values.keep && !isGood) console.error(`Kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)

async function prove(network: Network, services: Record<string, string>): Promise<boolean> {
  const [count, seconds, seed] = [values.videos, values.seconds, values.seed].map(Number) as [number, number, number]
  const videos = await makeVideos(path('videos'), { count, seconds, random: seeded(seed), signal: stop.signal })
  say('one process alone')
  const alone = await longtake('asker', ['index', ...videos], { LONGTAKE_HOME: path('alone') }).ended
  if (alone.code !== 0) throw new Error(`The process alone ended with ${alone.code}:\n${alone.said}`)
  const expected = await filesOf(path('alone'))

  say(`${expected.size} files; now two hosts`)
  const init = await longtake('one', ['cluster', 'init'], services).ended
  if (init.code !== 0) throw new Error(`cluster init ended with ${init.code}:\n${init.said}`)
  const workers = (['one', 'two'] as const).map(host => longtake(host, ['worker', '--slots', 'cpu=1'], services))
  const over = new AbortController()
  const faults = disturb(network, over.signal)
  let asked = 0
  for (let code: number | null = null; code !== 0 && code !== 2 && asked < 20 && !stop.signal.aborted; ) {
    asked++
    const ended = await longtake('asker', ['index', '--queue', ...videos], services).ended
    code = ended.code
    if (code !== 0) say(`the asking command ended with ${code}: ${ended.said.trim().split('\n').slice(-2).join(' | ')}`)
  }
  over.abort()
  const done = await faults
  for (const { child } of workers) child.kill('SIGTERM')
  const codes = await Promise.all(workers.map(({ ended }) => ended))
  const problems = codes.flatMap(({ code, said }, at) =>
    code === 0 ? [] : [`worker ${at + 1} ended with ${code}:\n${said}`],
  )
  const orphans = await orphansWith(path('tmp'), 10)
  if (orphans.length > 0) problems.push(`${orphans.length} processes lived on.`)

  const database = await openDatabase(services.LONGTAKE_CLUSTER ?? '')
  const { jobs, attempts, doubled, left } = await countAttempts(database)
  await collect(database, services)
  await database.close()
  const verdict = compare(expected, await filesOf(path('collected')), doubled)
  console.log(`${jobs} jobs, ${attempts} attempts, ${attempts - jobs} reruns, asked ${asked} times; ${done.join(', ')}`)
  for (const line of [...problems, ...left.map(what => `left at the end: ${what}`), ...verdict.differing])
    console.log(line)
  const { identical, files, lost } = verdict
  console.log(`two hosts: ${identical} of ${files} files identical, lost ${lost}, doubled ${verdict.doubled}`)
  return isProved(verdict) && problems.length + left.length === 0
}

// What happens to links, over and over until the work is done; each longer than the time after which a worker counts as dead.
async function disturb(network: Network, signal: AbortSignal): Promise<string[]> {
  const done: string[] = []
  const wait = (seconds: number) => sleep(seconds * 1000, undefined, { signal }).catch(() => {})
  const cut = async (host: HostName, seconds: number) => {
    if (signal.aborted) return
    say(`the link of ${host} is cut for ${seconds} s`)
    network.link(host, 'down')
    await wait(seconds)
    network.link(host, 'up')
    done.push(`${host} cut for ${seconds} s`)
  }
  const slow = async (host: HostName, seconds: number) => {
    if (signal.aborted) return
    say(`the link of ${host} is slow for ${seconds} s (${network.slow(host)})`)
    await wait(seconds)
    network.fast(host)
    done.push(`${host} slow for ${seconds} s`)
  }
  await wait(8)
  while (!signal.aborted) {
    await cut('one', 30)
    await wait(3)
    await slow('two', 30)
    await wait(3)
    await cut('data', 15)
    await wait(8)
  }
  return done
}

function longtake(host: 'asker' | 'one' | 'two', words: string[], more: Record<string, string>) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LONGTAKE_')))
  const common = { ...settings, LONGTAKE_SERVERS: 'off', TMPDIR: path('tmp'), CI: 'true' }
  const env = { ...own, ...common, LONGTAKE_HOME: path(`home-${host}`), ...more }
  const child = network.spawn(host === 'asker' ? 'two' : host, [process.execPath, bin, ...words], {
    ...{ env, cwd: path('tmp'), detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      said = (said + piece).slice(-20_000)
    })
  const ended = new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => resolve({ code, said }))
  })
  return { child, ended }
}

// Unpacks what rows name, and nothing else.
async function collect(database: Database, services: Record<string, string>): Promise<void> {
  const store = await openStore(services.LONGTAKE_STORE ?? '', services)
  const { rows } = await database.query<{
    video: string
    stage: string
    key: string
    object: string
    bytes: number
    sha256: string
  }>(
    `select video, stage, key, object, bytes::float8 as bytes, sha256 from longtake.artifact where key not like '%-without-%'`,
  )
  for (const { video, stage, key, object, bytes, sha256 } of rows) {
    const into = {
      folder: path('collected', 'library', video),
      stage: { video, stage, key },
      expected: { bytes, sha256 },
    }
    await unpackStage(await store.get(object), into)
  }
}
