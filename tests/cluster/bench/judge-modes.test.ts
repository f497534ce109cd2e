import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pullCalls } from '../../../apps/cluster/bench/calls-pack.ts'
import { openStore } from '../../../apps/cluster/store/open-store.ts'
import { sentAs } from '../../../eval/runner/files/sent-as.ts'
import { film } from '../../bench/small-data.ts'
import { zipOf } from '../../support/archives.ts'
import { type Machines, machines } from './machines.ts'

let folder: string
let data: string
let cluster: Machines

const verdict = (result: number) => `\`\`\`json\n{"result": ${result}}\n\`\`\``
const scripted = (role: string, replies: string[]) => [
  ...[`models.${role}.backend=scripted`, `models.${role}.replies=${JSON.stringify(replies)}`],
  `models.${role}.atEnd=cycle`,
]
const settings = [
  ...['index.tracks.text=false', 'index.tracks.sound=false'],
  ...scripted('judge', [verdict(2), verdict(1)]),
  ...scripted('vision', ['```json\n{"result": "red"}\n```']),
]
const set = (flag: string) => settings.flatMap(setting => [flag, setting])

// The data name subtitles of one of two videos.
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longtake-judge-modes-')))
  data = join(folder, 'data')
  for (const name of ['cg_videos_720p', 'cg_subtitles']) mkdirSync(join(data, name), { recursive: true })
  for (const colour of ['red', 'blue']) film(join(data, 'cg_videos_720p', `${colour}.mp4`), colour, 2)
  const record = (qid: number, video_uid: string) => ({
    ...{ qid, video_uid, question: `What colour is the wall ${qid}?`, answer: 'vermilion' },
    ...{ choices: ['vermilion', 'blue'], right_answer: 'A', clue_intervals: [[0, 1]], duration: 2 },
    ...{ domain: 'Art', sub_category: 'Colour' },
  })
  const records = [record(1, 'red'), record(2, 'red'), record(3, 'blue')]
  writeFileSync(join(data, 'cgbench_mini.json'), JSON.stringify(records))
  const cue = '1\n00:00:00,000 --> 00:00:02,000\nThe wall is made of brick.\n'
  writeFileSync(join(data, 'cg_subtitles', 'red.srt'), cue)
  cluster = await machines(folder, data)
  cluster.start('worker', 'worker', '--profile', 'embedded', '--slots', 'cpu=1', ...set('--set'))
})
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const file = (run: string, name: string) => readFileSync(join(at(run), name), 'utf8')
const timeless = (run: string) =>
  file(run, 'samples.jsonl').replaceAll(/"(seconds|finished)":("[^"]*"|[\d.e-]+)/g, '"$1":0')

// What the judge was asked: by workers, in the store.
async function judgeRequests(run: string): Promise<string[]> {
  const calls = join(at(run), 'calls')
  const sent = await sentAs(at(run))
  // A worker stores the calls of a shard after its last answer.
  const underWay = `select 1 from pgboss.job where data ->> 'run' = $1 and state < 'completed'`
  const isIdle = async () => (await cluster.database.query(underWay, [sent])).rows.length === 0
  if (sent !== undefined) await cluster.until('the end of the shards', isIdle)
  if (sent !== undefined) await pullCalls(await openStore(at('store'), {}), sent, calls)
  const files = readdirSync(calls, { recursive: true, withFileTypes: true }).filter(one => one.name.endsWith('.json'))
  const requests = files.map(one => JSON.parse(readFileSync(join(one.parentPath, one.name), 'utf8')).request)
  const ofJudge = requests.filter(request => request?.purpose === 'judge')
  return ofJudge.map(request => JSON.stringify(request)).sort()
}

async function ended(home: string, ...words: string[]): Promise<void> {
  const machine = cluster.here(home, ...words)
  expect(await machine.ended, machine.said()).toBe(0)
}

let tries = 0 // a second one needs folders of its own

test.each([
  { by: 'longtake', mode: 'heuristic', looks: 3 },
  { by: 'longtake', mode: 'vision', looks: 6 }, // the first verdict of two is none
  { by: 'alone', mode: 'text', looks: 0 },
  { by: 'alone', mode: 'text+vision', looks: 6 },
])('asked by $by, a judge of mode $mode sees at a worker what it sees alone', async ({ by, mode, looks }) => {
  const name = `${by}-${mode}-${++tries}`
  const [one, many] = [`${name}-one`, `${name}-many`]
  const words = ['bench', 'run', 'cg-bench', '--data', data, '--task', 'open', '--profile', 'embedded', ...set('--set')]
  words.push('--by', by, '--judge-mode', mode, ...(by === 'alone' ? ['--option', 'frames=2'] : []))
  await ended('alone', ...words, '--out', at(one))
  await ended('sender', ...words, '--out', at(many), '--queue')
  for (const written of ['scores.json', 'replies.jsonl']) expect(file(many, written)).toBe(file(one, written))
  expect(timeless(many)).toBe(timeless(one))
  const requests = await judgeRequests(many)
  expect(requests).toEqual(await judgeRequests(one))
  expect(requests.filter(request => request.includes('"image"'))).toHaveLength(looks)
})

test('what the judge sees is a row of a study by workers as it is of one alone', async () => {
  const words = ['ablate', 'cg-bench', '--data', data, '--task', 'open', '--base', 'embedded', ...set('--base-set')]
  words.push('--by', 'alone', '--base-option', 'frames=2', '--base-judge-mode', 'text')
  words.push('--judge-mode', 'vision,heuristic')
  await ended('alone', ...words, '--out', at('study-one'))
  await ended('sender', ...words, '--out', at('study-many'), '--queue')
  for (const row of ['base', 'judge-mode-vision', 'judge-mode-heuristic']) {
    const [one, many] = [join('study-one', 'rows', row), join('study-many', 'rows', row)]
    for (const name of ['scores.json', 'replies.jsonl']) expect(file(many, name)).toBe(file(one, name))
    expect(timeless(many)).toBe(timeless(one))
    const requests = await judgeRequests(many)
    expect(requests).toEqual(await judgeRequests(one))
    expect(requests).not.toEqual([])
  }
})

test('videos out of an archive lie where no worker sees them: refused, with what to do', async () => {
  const packed = at('packed')
  mkdirSync(packed)
  const video = { name: 'cg_videos_720p/red.mp4', content: readFileSync(join(data, 'cg_videos_720p', 'red.mp4')) }
  writeFileSync(join(packed, 'video_chunk_1.zip'), zipOf([video]))
  const [record] = JSON.parse(readFileSync(join(data, 'cgbench_mini.json'), 'utf8'))
  writeFileSync(join(packed, 'cgbench_mini.json'), JSON.stringify([record]))
  const words = ['bench', 'run', 'cg-bench', '--data', packed, '--task', 'open', '--profile', 'embedded']
  const sender = cluster.here('unpacks', ...words, ...set('--set'), '--out', at('refused'), '--queue')
  expect(await sender.ended, sender.said()).toBe(2)
  expect(sender.said()).toContain('red.mp4 came out of an archive and lies only on this machine.')
})
