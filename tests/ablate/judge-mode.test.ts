import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { film, smallData } from '../bench/small-data.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'

const base = (...settings: string[]) => settings.flatMap(setting => ['--base-set', setting])
const scripted = (role: string, replies: string[]) =>
  base(
    `models.${role}.backend=scripted`,
    `models.${role}.replies=${JSON.stringify(replies)}`,
    `models.${role}.atEnd=cycle`,
  )
const right = '```json\n{"result": 1}\n```'
const answer = '```json\n{"result": "red"}\n```'

let line: CommandLine
let data: string
const ablate = (out: string, ...more: string[]) =>
  line.run(
    ...['ablate', 'cg-bench', '--data', data, '--base', 'embedded', '--by', 'alone', '--task', 'open', '--out', out],
    ...['--json', '--base-option', 'frames=2', ...scripted('vision', [answer]), ...more],
  )

beforeAll(() => {
  line = commandLine({}, { PATH: process.env.PATH })
  data = join(line.cwd, 'cg')
  mkdirSync(join(data, 'cg_videos_720p'), { recursive: true })
  film(join(data, 'cg_videos_720p', 'red.mp4'), 'red', 2)
  const record = (qid: number) => ({
    ...{ qid, video_uid: 'red', question: `What colour is thing ${qid}?`, answer: 'vermilion' },
    ...{ choices: ['vermilion', 'blue'], right_answer: 'A', clue_intervals: [[0, 1]], duration: 2 },
    ...{ domain: 'Art', sub_category: 'Colour' },
  })
  writeFileSync(join(data, 'cgbench_mini.json'), JSON.stringify([record(1), record(2)]))
})

// What each request of a row was for, and whether the judge's held the truth and pictures.
function requests(study: string, row: string): string[] {
  const folder = join(line.cwd, study, 'rows', row, 'calls')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.name.endsWith('.json'))
  const texts = files.map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
  return texts.flatMap(text => {
    const { request } = JSON.parse(text)
    const said = JSON.stringify(request)
    if (request?.purpose !== 'judge') return request ? ['asked'] : []
    return [
      `${said.includes('vermilion') ? 'truth' : 'no truth'}, ${said.includes('"image"') ? 'pictures' : 'no pictures'}`,
    ]
  })
}

test('what the judge sees is a row: it judges the answers of the base, and the model is not asked again', async () => {
  const judging = ['--base-judge-mode', 'text', '--judge-mode', 'vision,text+vision', ...scripted('judge', [right])]
  const ran = await ablate('study', ...judging)
  expect(ran.code, ran.stderr).toBe(0)
  const { rows } = JSON.parse(ran.stdout)
  expect(rows.map(({ name, scores }: { name: string; scores: object }) => [name, scores])).toEqual(
    ['base', 'judge-mode vision', 'judge-mode text+vision'].map(name => [name, { open: 100 }]),
  )
  expect(requests('study', 'base').sort()).toEqual(['asked', 'asked', ...Array(2).fill('truth, no pictures')])
  expect(requests('study', 'judge-mode-vision')).toEqual(Array(2).fill('no truth, pictures'))
  expect(requests('study', 'judge-mode-text+vision')).toEqual(Array(2).fill('truth, pictures'))
  const again = await line.run('ablate', '--resume', join(line.cwd, 'study'), '--json')
  expect(again.code, again.stderr).toBe(0)
  const other = await line.run('ablate', '--resume', join(line.cwd, 'study'), '--base-judge-mode', 'vision')
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('judgeMode: "text", now "vision"')])
})

test('a file names them as the flags do, also beside other changes', async () => {
  const rows = [{ name: 'one frame, seen', option: { frames: 1 }, judgeMode: 'vision' }]
  writeFileSync(
    join(line.cwd, 'ablation.json'),
    JSON.stringify({ base: { judgeMode: 'text' }, judgeMode: ['text+vision'], rows }),
  )
  const ran = await ablate('filed', '--matrix', 'ablation.json', ...scripted('judge', [right]))
  expect(ran.code, ran.stderr).toBe(0)
  expect(requests('filed', 'base')).toContain('truth, no pictures')
  expect(requests('filed', 'judge-mode-text+vision')).toEqual(Array(2).fill('truth, pictures'))
  expect(requests('filed', 'one-frame-seen').sort()).toEqual(['asked', 'asked', ...Array(2).fill('no truth, pictures')])
})

test('a mode that a judge cannot take ends the study before the base is asked', async () => {
  const deaf = ['backend=openai', 'model=m', 'url=http://127.0.0.1:9/v1', 'accepts=["text"]']
  const blind = await ablate('deaf', '--judge-mode', 'vision', ...base(...deaf.map(one => `models.judge.${one}`)))
  expect([blind.code, blind.stderr]).toEqual([2, expect.stringContaining('takes no images')])
  const word = await ablate('word', '--judge-mode', 'sight', ...scripted('judge', [right]))
  expect([word.code, word.stderr]).toEqual([2, expect.stringContaining('"sight"')])
  const other = smallData(join(line.cwd, 'other'), { questions: 1 })
  const none = await line.run(
    ...['ablate', 'videoeval-pro', '--data', other, '--base', 'embedded', '--by', 'alone', '--judge-mode', 'text'],
    ...[...scripted('vision', ['A']), ...scripted('judge', ['A'])],
  )
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('The judge of videoeval-pro has no mode "text"'),
  ])
  for (const out of ['deaf', 'word']) expect(existsSync(join(line.cwd, out))).toBe(false)
})
