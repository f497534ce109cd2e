import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { h264, mediaFolder, picture, tone } from '../media-fixtures.ts'
import { freshDatabase } from '../support/postgres.ts'

// Real stages: workers that share nothing but the database and a folder make what one process makes.

const media = mediaFolder()
const root = mkdtempSync(join(tmpdir(), 'longtake-queue-'))
const bin = join(import.meta.dirname, '../../bin/longtake.mjs')
const home = (name: string) => join(root, name)
const names = ['one.mp4', 'two.mp4']
const quick = ['--set', 'index.tracks.text=off', '--set', 'index.stills=few'] // reading alone would take half of the time
const own = ['--set', `cluster.roots=${JSON.stringify({ v: join(root, 'videos') })}`, '--set', 'cluster.heartbeat=10']
let database: Database
const environment: NodeJS.ProcessEnv = {}
const run = (machine: string, ...words: string[]) => longtakeHere(words, { home: home(machine), environment })
const workers: ChildProcess[] = []

beforeAll(async () => {
  const address = await freshDatabase()
  Object.assign(environment, { LONGTAKE_CLUSTER: address, LONGTAKE_STORE: home('store') })
  database = await openDatabase(address)
  for (const folder of ['videos', 'store']) mkdirSync(home(folder))
  for (const [at, name] of names.entries())
    renameSync(media.ffmpeg(name, picture(20, '320x180', 15 + at * 5), tone(20), h264), join(root, 'videos', name))
  const made = await run('asker', 'cluster', 'init')
  expect(made.err).toBe('')
  expect(made.code).toBe(0)
})
afterAll(async () => {
  for (const one of workers) one.kill('SIGKILL')
  await database?.close()
  media.remove()
  rmSync(root, { recursive: true, force: true })
})

function startWorker(name: string, ...more: string[]): ChildProcess & { said(): string } {
  const words = [bin, 'worker', '--slots', 'cpu=1', '--json', ...quick, ...own, ...more]
  const env = { ...process.env, ...environment, LONGTAKE_HOME: home(name), LONGTAKE_CONFIG: undefined }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      said += piece
    })
  workers.push(child)
  return Object.assign(child, { said: () => said })
}

const files = names.map(name => join(root, 'videos', name))
const ask = (...words: string[]) => run('asker', ...words, ...quick, ...own)

interface Made {
  stage: string
  state: string
}

// Who has no cluster.
const onOneMachine = (...words: string[]) => longtakeHere([...words, ...quick], { home: home('alone') })

// Every file of every finished stage, by its hash; but for the records of when it was made.
function stageFiles(homes: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const one of homes) {
    const library = join(one, 'library')
    for (const entry of readdirSync(library, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !path.includes('/stages/') || entry.name === 'meta.json' || path.includes('/.tmp-'))
        continue
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
      const name = relative(library, path)
      expect(found[name] ?? hash, `${name} differs between two homes`).toBe(hash)
      found[name] = hash
    }
  }
  return found
}

async function until(what: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(100))
    if (await what()) return
  throw new Error('It has not come to that.')
}

async function one<Row extends object>(text: string): Promise<Row> {
  const { rows } = await database.query<Row>(text)
  return rows[0] as Row
}

describe('longtake index --queue', () => {
  test('a path below no root is refused with the two ways out, before anything is asked for', async () => {
    const { code, err } = await run('asker', 'index', '--queue', ...files, ...quick)
    expect(code).toBe(2)
    expect(err).toMatch(/lies below none of the roots/)
    expect(err).toMatch(/cluster\.roots.*--upload/s)
    expect(await one('select count(*) as n from longtake.request')).toEqual({ n: 0 })
  })

  test('two workers, one of them killed -9 at its work, make the files that one process makes', async () => {
    const first = startWorker('first')
    const asking = ask('index', '--queue', ...files, '--json')
    const begun = join(home('first'), 'library')
    const isAtWork = () => readdirSync(begun, { recursive: true }).some(name => String(name).includes('.tmp-'))
    await until(() => existsSync(begun) && isAtWork())
    startWorker('second')
    first.kill('SIGKILL')
    const { code, out, err } = await asking
    expect(err).not.toMatch(/error/)
    expect(code).toBe(0)
    const { videos } = JSON.parse(out)
    expect(videos.map((video: { duration: number }) => Math.round(video.duration))).toEqual([20, 20])
    const alone = await onOneMachine('index', ...files, '--json')
    expect(alone.code).toBe(0)
    const strip = ({ stages, coverage, notes }: { stages: Made[]; coverage: object; notes: string[] }) => ({
      ...{ coverage, notes },
      stages: stages
        .filter(({ state }) => state !== 'skipped')
        .map(stage => ({ ...stage, started: 0, seconds: 0 }))
        .sort((a, b) => (a.stage < b.stage ? -1 : 1)),
    })
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(videos.sort(byId).map(strip)).toEqual(JSON.parse(alone.out).videos.sort(byId).map(strip))
    const made = stageFiles([home('first'), home('second'), home('asker')])
    expect(made).toEqual(stageFiles([home('alone')]))
    expect(await one('select count(*) as n from longtake.attempt where ended is null')).toEqual({ n: 0 })
    const { n } = await one<{ n: number }>('select count(*) as n from longtake.artifact')
    expect(n).toBe(new Set(Object.keys(made).map(name => name.split('/').slice(0, 4).join('/'))).size)
  })

  test('what is done is not made again, and who asks later has it at once', async () => {
    const before = await one('select count(*) as n from longtake.attempt')
    const { code, out } = await ask('index', '--queue', ...files)
    expect(code).toBe(0)
    expect(out.match(/was indexed already/g)).toHaveLength(2)
    expect(await one('select count(*) as n from longtake.attempt')).toEqual(before)
  })

  test('show on a machine that made nothing pulls what it needs, and makes nothing', async () => {
    const shown = await run('reader', 'show', files[0]!, '--json', ...quick)
    expect(shown.err).not.toMatch(/Indexing/)
    expect(shown.code).toBe(0)
    const alone = await onOneMachine('show', files[0]!, '--json')
    expect(JSON.parse(shown.out)).toEqual(JSON.parse(alone.out))
  })

  test('--upload sends a file that lies below no root, and what its subtitle file says with it', async () => {
    const apart = join(root, 'apart')
    mkdirSync(apart)
    const file = join(apart, 'three.mp4')
    renameSync(media.ffmpeg('three.mp4', picture(12, '320x180', 20), tone(12), h264), file)
    writeFileSync(join(apart, 'three.srt'), '1\n00:00:02,000 --> 00:00:05,000\nThe ferry leaves at noon.\n')
    const { code, err } = await ask('index', '--queue', '--upload', file)
    expect(err).not.toMatch(/error/)
    expect(code).toBe(0)
    const { id } = await one<{ id: string }>("select id from longtake.video where name = 'three.mp4'")
    const found = await run('reader', 'search', id, 'ferry', '--json', ...quick)
    expect(found.err).not.toMatch(/error/)
    expect(found.out).toContain('The ferry leaves at noon.')
  })

  test('a result that is damaged in the store is named, and made again by the same command', async () => {
    const damaged = await one<{ object: string }>(
      `select object from longtake.artifact join longtake.video on video.id = video
       where stage = 'speech' and name = 'one.mp4'`,
    )
    writeFileSync(join(home('store'), damaged.object), 'damaged')
    const late = () => run('late', 'index', '--queue', files[0]!, ...quick, ...own)
    const first = await late()
    expect(first.err).toMatch(/is damaged.*made again/s)
    expect(first.err).not.toMatch(/fault of longtake/)
    expect(first.err).toMatch(/The result of stage "speech" of one\.mp4 was lost while it was read/)
    expect(first.code).toBe(4)
    expect((await late()).code).toBe(0)
    const left = "select count(*) as n from pgboss.job where state in ('created', 'retry', 'active')"
    await until(async () => (await one<{ n: number }>(left)).n === 0) // the tables of the library follow
  })

  test('SIGTERM: a worker gives back what it does, and ends', async () => {
    const worker = workers.at(-1) as ChildProcess
    const ended = new Promise(resolve => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await one(`select state from longtake.worker where id like '%-${worker.pid}-%'`)).toEqual({ state: 'gone' })
  })
})
