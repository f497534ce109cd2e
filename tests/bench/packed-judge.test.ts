import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { zipOf } from '../support/archives.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { film } from './small-data.ts'

const verdict = (result: number) => `\`\`\`json\n{"result": ${result}}\n\`\`\``
const scripted = (role: string, replies: string[]) => [
  ...[`models.${role}.backend=scripted`, `models.${role}.replies=${JSON.stringify(replies)}`],
  `models.${role}.atEnd=cycle`,
]
const settings = [
  ...['index.tracks.text=false', 'index.tracks.sound=false', 'index.tracks.speech=false'],
  ...scripted('judge', [verdict(2), verdict(1)]),
  ...scripted('vision', ['```json\n{"result": "red"}\n```']),
].flatMap(one => ['--set', one])

let line: CommandLine
let data: string
beforeAll(() => {
  line = commandLine()
  data = join(line.cwd, 'data')
  const videos = join(data, 'cg_videos_720p')
  mkdirSync(videos, { recursive: true })
  const packed = ['red', 'blue'].map(colour => {
    film(join(videos, `${colour}.mp4`), colour, 4)
    return { name: `cg_videos_720p/${colour}.mp4`, content: readFileSync(join(videos, `${colour}.mp4`)) }
  })
  rmSync(videos, { recursive: true })
  writeFileSync(join(data, 'video_chunk_1.zip'), zipOf(packed))
  const record = (qid: number, video_uid: string) => ({
    ...{ qid, video_uid, question: `What colour is the wall ${qid}?`, answer: 'vermilion' },
    ...{ choices: ['vermilion', 'blue'], right_answer: 'A', clue_intervals: [[0, 1]], duration: 4 },
    ...{ domain: 'Art', sub_category: 'Colour' },
  })
  const records = [record(1, 'red'), record(2, 'red'), record(3, 'blue')]
  writeFileSync(join(data, 'cgbench_mini.json'), JSON.stringify(records))
})
const at = (name: string) => join(line.cwd, name)
const shown = (place: string) => {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter(one => one.name.endsWith('.json'))
  const requests = files.map(one => JSON.parse(readFileSync(join(one.parentPath, one.name), 'utf8')).request)
  return requests
    .filter(request => request?.purpose === 'judge')
    .map(request => JSON.stringify(request).includes('"image"'))
}
const run = (out: string, ...more: string[]) =>
  line.run(
    'bench',
    'run',
    'cg-bench',
    '--data',
    data,
    '--out',
    at(out),
    '--task',
    'open',
    '--profile',
    'embedded',
    ...settings,
    ...more,
  )

const judging = (...modes: string[]) => modes.flatMap(mode => ['--judge-mode', mode])

test('the judge of a run sees videos that came in an archive', async () => {
  const ran = await run('seen', ...judging('vision'))
  expect(ran.code, ran.stderr).toBe(0)
  expect(shown(at('seen/calls'))).toEqual(Array(6).fill(true))
})

test('so does a judge of its stored answers, also where nothing is unpacked any more', async () => {
  expect(await run('stored', '--judge', 'words')).toMatchObject({ code: 0 })
  const unpacked = join(line.cwd, 'home', 'benchmarks', 'unpacked')
  const again = (command: string, mode: string) => {
    rmSync(unpacked, { recursive: true, force: true })
    return line.run('bench', command, at('stored'), '--judge', 'model', ...judging(mode), ...settings)
  }
  for (const [command, mode, looks] of [
    ['judges', 'vision', 6],
    ['agree', 'text+vision', 12],
  ] as const) {
    const ran = await again(command, mode)
    expect(ran.code, ran.stderr).toBe(0)
    expect(shown(at('stored/judges'))).toEqual(Array(looks).fill(true))
  }
})

test('so does the judge of a file of replies; videos that are not there are named before it is asked', async () => {
  expect(await run('replied', '--judge', 'words')).toMatchObject({ code: 0 })
  const score = (where: string, ...more: string[]) => {
    const words = ['--replies', at('replied/replies.jsonl'), '--judge', 'model', '--out', at('again.jsonl')]
    return line.run('bench', 'score', 'cg-bench', '--data', where, ...words, ...settings, ...more)
  }
  const steps = () =>
    readFileSync(at('again.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(text => JSON.parse(text).judge)
  const looked = { step_1: verdict(2), step_2: verdict(1) }
  const packed = await score(data)
  expect(packed.code, packed.stderr).toBe(0)
  expect(packed.stderr).not.toContain('could not be judged')
  expect(steps()).toEqual([looked, looked, looked])
  const bare = join(line.cwd, 'bare')
  mkdirSync(bare)
  copyFileSync(join(data, 'cgbench_mini.json'), join(bare, 'cgbench_mini.json'))
  const unseen = await score(bare)
  expect(unseen.stderr).toContain('2 of 2 videos are not there (cg_videos_720p/red.mp4, ...)')
  expect(unseen.stderr).toContain('2 answers could not be judged')
  expect(await score(bare, '--videos', data)).toMatchObject({ code: 0 })
  expect(steps()).toEqual([looked, looked, looked])
})
