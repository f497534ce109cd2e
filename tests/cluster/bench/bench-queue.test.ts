import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quickIndex, smallData } from '../../bench/small-data.ts'
import { type Machine, type Machines, machines } from './machines.ts'

const questions = 28 // a run is killed after three answers, long before its end
let folder: string
let data: string
let cluster: Machines
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longtake-bench-queue-')))
  data = smallData(join(folder, 'data'), { questions })
  cluster = await machines(folder, data)
})
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const quick = ['--profile', 'embedded', ...quickIndex]
const asked = (out: string) => ['bench', 'run', 'videoeval-pro', '--data', data, '--out', join(folder, out), ...quick]
const crew: Machine[] = [] // who works for the first two tests
const worker = (name: string) => cluster.start(name, 'worker', '--profile', 'embedded', '--slots', 'cpu=1')
const file = (run: string, name: string) => readFileSync(join(folder, run, name), 'utf8')

interface Finished {
  id: string
  finished: string
}

// What workers have answered of a run, with when they did: nobody else gets the same times.
const answered = async (run: string): Promise<Finished[]> => {
  const { rows } = await cluster.database.query<{ line: Finished }>(
    "select line from longtake.answer where run = $1 and worker <> 'asker'",
    [run],
  )
  return rows.map(({ line: { id, finished } }) => ({ id, finished }))
}
const answers = async () =>
  Number((await cluster.database.query<{ n: string }>('select count(*) as n from longtake.answer')).rows[0]?.n)
const finished = (run: string) =>
  file(run, 'samples.jsonl')
    .trim()
    .split('\n')
    .map((line): Finished => JSON.parse(line))
    .map(line => ({ id: line.id, finished: line.finished }))

// What of a line depends on when and how fast it was made.
const timeless = (run: string) =>
  file(run, 'samples.jsonl')
    .replaceAll(/"(seconds|finished)":("[^"]*"|[\d.e-]+)/g, '"$1":0')
    .trim()
    .split('\n')

function expectSame(run: string, other: string): void {
  expect(file(run, 'scores.json')).toBe(file(other, 'scores.json'))
  expect(file(run, 'replies.jsonl')).toBe(file(other, 'replies.jsonl'))
  const [lines, others] = [timeless(run), timeless(other)]
  for (const [at, line] of lines.entries())
    if (line !== others[at]) expect(JSON.parse(line)).toEqual(JSON.parse(others[at] ?? '{}'))
  expect(lines.join() === others.join()).toBe(true) // to the order of the keys
}

test('a run by two workers, with one of them and the asker killed, is that of one process', async () => {
  const alone = await cluster.here('alone', ...asked('one')).ended
  expect(alone).toBe(0)
  const first = worker('first')
  const asker = cluster.start('asker', ...asked('many'), '--queue')
  await cluster.until('an answer', async () => (await answers()) >= 3)
  await first.kill()
  await asker.kill()
  const before = await answers()
  expect(before).toBeLessThan(questions)
  const [second, third] = [worker('second'), worker('third')]
  crew.push(second, third)
  const again = cluster.here(
    'asker',
    ...asked('many').filter(word => !['--out', join(folder, 'many')].includes(word)),
    '--queue',
    '--resume',
    join(folder, 'many'),
  )
  expect(await again.ended, again.said() + second.said() + third.said()).toBe(0)
  expectSame('many', 'one')
})

test('a run is followed from another machine by its name, and taken back to go on alone', async () => {
  const asker = cluster.start('asker', ...asked('elsewhere'), '--queue')
  await cluster.until('its name', () => /--resume [\w-]+/.test(asker.said()))
  await asker.kill()
  const name = /--resume ([\w-]+)/.exec(asker.said())?.[1] ?? ''
  const words = ['bench', 'run', 'videoeval-pro', '--data', data, ...quick]
  const other = cluster.here('other', ...words, '--queue', '--resume', name)
  expect(await other.ended, other.said()).toBe(0)
  const theirs = await answered(name)
  expect(theirs).toHaveLength(questions)
  const alone = cluster.here('asker', ...words, '--resume', join(folder, 'elsewhere'))
  expect(await alone.ended, alone.said()).toBe(0)
  expect(finished('elsewhere')).toEqual(expect.arrayContaining(theirs))
  expectSame('elsewhere', 'one')
  expectSame(join('other', 'runs', name), 'one')
})

test('a run that its asker has left is taken back: its request ends, and what is not answered is asked here', async () => {
  for (const one of crew) await one.kill()
  const asker = cluster.start('asker', ...asked('left'), '--queue')
  await cluster.until('its name', () => /--resume [\w-]+/.test(asker.said()))
  const name = /--resume ([\w-]+)/.exec(asker.said())?.[1] ?? ''
  const one = worker('one-worker')
  await cluster.until('an answer', async () => (await answered(name)).length > 0)
  await asker.kill()
  await one.kill()
  const theirs = await answered(name)
  expect(theirs.length).toBeLessThan(questions)
  const words = ['bench', 'run', 'videoeval-pro', '--data', data, ...quick]
  const alone = cluster.here('asker', ...words, '--resume', join(folder, 'left'))
  expect(await alone.ended, alone.said()).toBe(0)
  expect(finished('left')).toEqual(expect.arrayContaining(theirs))
  expectSame('left', 'one')
  const state = 'select state from longtake.request where config = $1'
  const { rows } = await cluster.database.query<{ state: string }>(state, [name])
  expect(rows).toEqual([{ state: 'cancelled' }])
})
