import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SampleLine } from '../../../eval/runner/sample-line.ts'
import { quickIndex, smallData } from '../../bench/small-data.ts'
import { type Machines, machines } from './machines.ts'

let folder: string
let data: string
let cluster: Machines
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longtake-bench-queue-')))
  data = smallData(join(folder, 'data'), { questions: 40 })
  cluster = await machines(folder, data)
}, 60_000)
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const words = ['--profile', 'embedded', ...quickIndex]
const asked = (out: string) => ['bench', 'run', 'videoeval-pro', '--data', data, '--out', join(folder, out), ...words]
const worker = (name: string) => cluster.start(name, 'worker', '--profile', 'embedded', '--slots', 'cpu=1')
const file = (run: string, name: string) => readFileSync(join(folder, run, name), 'utf8')
const answers = async () =>
  Number((await cluster.database.query<{ n: string }>('select count(*) as n from longtake.answer')).rows[0]?.n)

// What of a line depends on when and how fast it was made.
const timeless = (run: string) =>
  file(run, 'samples.jsonl').replaceAll(/"(seconds|finished)":("[^"]*"|[\d.e-]+)/g, '"$1":0')

test('a run by two workers, with one of them and the asker killed, is that of one process', async () => {
  const alone = await cluster.start('alone', ...asked('one')).ended
  expect(alone).toBe(0)
  const first = worker('first')
  const asker = cluster.start('asker', ...asked('many'), '--queue')
  await cluster.until('an answer', async () => (await answers()) >= 3)
  await first.kill()
  await asker.kill()
  const before = await answers()
  expect(before).toBeLessThan(40)
  const [second, third] = [worker('second'), worker('third')]
  const again = cluster.start(
    'asker',
    ...asked('many').filter(word => !['--out', join(folder, 'many')].includes(word)),
    '--queue',
    '--resume',
    join(folder, 'many'),
  )
  expect(await again.ended, again.said() + second.said() + third.said()).toBe(0)
  expect(file('many', 'scores.json')).toBe(file('one', 'scores.json'))
  expect(file('many', 'replies.jsonl')).toBe(file('one', 'replies.jsonl'))
  expect(timeless('many') === timeless('one')).toBe(true)
  const lines: SampleLine[] = file('many', 'samples.jsonl')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toHaveLength(40)
}, 240_000)
