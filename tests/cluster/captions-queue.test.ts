import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { colouredShots, manyColours, settingWords, shotColours, startCaptionServer } from '../support/caption-server.ts'
import { type Machine, type Machines, machines } from './bench/machines.ts'

// Captions that workers make: they are those of one process, and a kill costs what was under way.

const answered = 4 // before the server says no more

let media: MediaFolder
let folder: string
let cluster: Machines
let server: Awaited<ReturnType<typeof startCaptionServer>>
beforeAll(async () => {
  media = mediaFolder()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longtake-captions-queue-')))
  mkdirSync(join(folder, 'videos'))
  cluster = await machines(folder, join(folder, 'videos'))
  server = await startCaptionServer()
})
afterAll(async () => {
  await cluster?.close()
  await server?.close()
  media?.remove()
  rmSync(folder, { recursive: true, force: true })
})

// A video below the root of the cluster, whose colours begin with the nth.
function videoOf(name: string, nth: number, all: readonly (typeof shotColours)[number][] = shotColours): string {
  const colours = [...all.slice(nth), ...all.slice(0, nth)]
  const path = join(folder, 'videos', `${name}.mp4`)
  renameSync(colouredShots(media, `${name}.mp4`, colours), path)
  return path
}

const captioned = (vision: object) =>
  settingWords({
    profile: 'embedded',
    'models.vision': vision,
    'index.tracks': { text: false, sound: false, speech: false },
    'index.captions.mode': 'shots',
  })
const overHttp = () => captioned({ ...server.vision, limits: { concurrency: 2 } })

const worker = (name: string, settings: string[]) =>
  cluster.start(name, 'worker', '--slots', 'cpu=1,net=1', ...settings)

// The captions that this machine has made or pulled, of all of its videos.
function captionsAt(machine: string): string[] {
  const library = join(folder, machine, 'library')
  const files = readdirSync(library, { recursive: true, encoding: 'utf8' })
  return files
    .filter(name => /stages\/captions\/[^/.]+\/evidence\.jsonl$/.test(name))
    .sort()
    .flatMap(name => readFileSync(join(library, name), 'utf8').trim().split('\n'))
}

async function expectDone(machine: string, ...words: string[]): Promise<string> {
  const command = cluster.here(machine, ...words)
  expect(await command.ended, command.said()).toBe(0)
  return command.said()
}

async function drained(workers: readonly Machine[]): Promise<void> {
  for (const one of workers) one.process.kill('SIGTERM')
  for (const one of workers) expect(await one.ended).toBe(0)
}

// A worker, killed when some clips of the video have been answered and two more asked for.
async function killedAt(file: string, name: string) {
  server.speakAgain()
  server.fallSilentAfter(answered)
  const first = worker(name, overHttp())
  const asker = cluster.here('asker', 'index', '--queue', file, ...overHttp())
  await cluster.until('a silent server', () => server.asked.length === answered + 2)
  await first.kill()
  const before = server.speakAgain()
  expect(new Set(before).size).toBe(answered + 2)
  return { before, asker, first }
}

test('captions of workers are those of one process, and are found on a machine that made none', async () => {
  const files = [videoOf('one', 0), videoOf('two', 1)]
  const workers = [worker('first', overHttp()), worker('second', overHttp())]
  await expectDone('asker', 'index', '--queue', ...files, ...overHttp())
  await expectDone('alone', 'index', ...files, ...overHttp())
  const wanted = captionsAt('alone')
  expect(wanted).toHaveLength(2 * shotColours.length)
  expect(new Set(wanted).size).toBe(wanted.length)
  expect([...new Set([...captionsAt('first'), ...captionsAt('second')])].sort()).toEqual([...wanted].sort())
  const found = await expectDone('reader', 'search', files[0]!, 'red coat', '--json', ...overHttp())
  expect(wanted.some(row => found.includes(JSON.stringify(JSON.parse(row).text)))).toBe(true)
  await drained(workers)
})

test('a worker that is killed while it captions and starts again goes on clip by clip: no answer is paid for twice', async () => {
  const { before, asker, first } = await killedAt(videoOf('three', 2, manyColours), 'third')
  const again = worker('third', overHttp())
  expect(await asker.ended, first.said() + again.said()).toBe(0)
  const { asked } = server
  for (const clip of before.slice(0, answered)) expect(asked).not.toContain(clip)
  expect(asked).toHaveLength(manyColours.length - answered)
  expect(captionsAt('third')).toHaveLength(manyColours.length)
  await drained([again])
})

test('another machine has nothing of what the killed one was told, and asks for every clip', async () => {
  const { before, asker, first } = await killedAt(videoOf('four', 3, manyColours), 'fourth')
  const other = worker('fifth', overHttp())
  expect(await asker.ended, first.said() + other.said()).toBe(0)
  expect(new Set(server.asked).size).toBe(manyColours.length)
  expect(server.asked).toEqual(expect.arrayContaining(before))
  await drained([other])
})
