import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { model, says } from './sent-requests.ts'

// Questions of two films in a layout that no reader takes.
const films = ['red', 'blue'].map((film, at) => ({
  name_of_film: `${film}.mp4`,
  qa: [0, 1].map(n => ({
    text: `What colour is thing ${n} of ${film}?`,
    sort: 'Local Perception',
    variants: ['crimson', 'azure', 'olive', 'ivory'],
    correct: 'ABCD'[(at + n) % 4],
  })),
}))

let line: CommandLine
const bench = (command: string, ...words: string[]) => line.run('bench', command, 'videoeval-pro', ...words)
const odd = ['--data', 'odd.json', '--map', 'map.json']
const asked = [...model, '--task', 'mcq', '--option', 'frames=0', ...says('A')]
const environment = (out: string) => JSON.parse(readFileSync(join(line.cwd, out, 'environment.json'), 'utf8'))
const json = async (ran: Promise<{ code: number; stdout: string; stderr: string }>) => {
  const { code, stdout, stderr } = await ran
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

beforeAll(async () => {
  line = commandLine({}, { PATH: process.env.PATH })
  writeFileSync(join(line.cwd, 'odd.json'), JSON.stringify({ films }))
  await json(bench('map', '--data', 'odd.json', '--out', 'map.json', '--records', 'plain.jsonl', '--json'))
})

test('a run by a map asks what the converted records ask, and needs the file of the map no more', async () => {
  const plain = await json(bench('run', '--data', 'plain.jsonl', '--out', 'plain', '--json', ...asked))
  const mapped = await json(bench('run', ...odd, '--out', 'mapped', '--json', ...asked))
  expect(mapped.scores).toEqual(plain.scores)
  expect(mapped.samples).toBe(4)
  expect(environment('mapped').dataHash).toBe(environment('plain').dataHash)
  expect(environment('mapped').map).toEqual(JSON.parse(readFileSync(join(line.cwd, 'map.json'), 'utf8')))
  expect(environment('plain').map).toBeUndefined()

  renameSync(join(line.cwd, 'map.json'), join(line.cwd, 'away.json'))
  const lines = readFileSync(join(line.cwd, 'mapped', 'samples.jsonl'), 'utf8')
    .trim()
    .split('\n')
  writeFileSync(join(line.cwd, 'mapped', 'samples.jsonl'), `${lines.slice(0, 3).join('\n')}\n`)
  rmSync(join(line.cwd, 'mapped', 'summary.json'))
  const resumed = await json(bench('run', '--resume', 'mapped', '--json'))
  expect(resumed.scores).toEqual(plain.scores)
  const [report] = (await json(line.run('bench', 'report', 'mapped', '--json'))).reports
  expect(report.scores.strict.n).toBe(4)
  renameSync(join(line.cwd, 'away.json'), join(line.cwd, 'map.json'))

  const other = { ...environment('mapped').map, more: { about: 'sort' } }
  writeFileSync(join(line.cwd, 'other.json'), JSON.stringify(other))
  const changed = await bench('run', '--data', 'odd.json', '--map', 'other.json', '--resume', 'mapped', ...asked)
  expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining('map.more.about')])
})

test('the card of a run by a map has the map beside it, and its command names that', async () => {
  await json(bench('run', ...odd, '--out', 'carded', '--json', ...asked))
  const exported = await line.run('bench', 'export', 'carded', '--out', 'card', '--form', 'card')
  expect(exported.code, exported.stderr).toBe(0)
  const read = (...path: string[]) => readFileSync(join(line.cwd, ...path), 'utf8')
  const { command, data } = JSON.parse(read('card', 'card.json'))
  expect(JSON.parse(read('card', 'map.json'))).toEqual(environment('carded').map)
  expect(data.map).toEqual(environment('carded').map)
  expect(command).toContain('--data odd.json --map map.json ')
})

test('replies, checks, lists of videos and studies read by it too', async () => {
  const scored = (...data: string[]) =>
    json(bench('score', ...data, '--replies', 'replies.jsonl', '--scoring', 'strict', '--json'))
  const replies = [0, 1, 2, 3].map(id => JSON.stringify({ id: String(id), replies: { mcq: 'A' } }))
  writeFileSync(join(line.cwd, 'replies.jsonl'), replies.join('\n'))
  expect((await scored(...odd)).metrics).toEqual((await scored('--data', 'plain.jsonl')).metrics)
  const checked = await line.run(
    'bench',
    'check',
    'odd.json',
    '--benchmark',
    'videoeval-pro',
    '--map',
    'map.json',
    '--json',
  )
  expect(JSON.parse(checked.stdout)).toMatchObject({ questions: 4, videos: 2 })
  const videos = await bench('videos', ...odd, '--json')
  expect(JSON.parse(videos.stdout).videos.map(({ questions }: { questions: number }) => questions)).toEqual([2, 2])
  const start = ['ablate', 'videoeval-pro', ...odd, '--base', 'embedded', '--by', 'alone', '--task', 'mcq', '--json']
  const settings = ['models.vision.backend=scripted', 'models.vision.replies=["A"]', 'models.vision.atEnd=cycle']
  const study = [...settings.flatMap(one => ['--base-set', one]), '--base-option', 'frames=0', '--out', 'study']
  const { samples } = await json(line.run(...start, ...study, '--option', 'picture=high'))
  expect(samples).toBe(4)
  rmSync(join(line.cwd, 'study', 'rows', 'option-picture=high'), { recursive: true })
  expect((await json(line.run('ablate', '--resume', 'study', '--json'))).rows).toHaveLength(2)
})

test('what bench map refuses is refused here, in the same words', async () => {
  const refused = async (...words: string[]) => {
    const { code, stderr } = await line.run('bench', ...words)
    expect(code, stderr).toBe(2)
    return stderr
  }
  expect(await refused('run', 'needle', ...odd)).toContain('needle is not read by a map')
  expect(await refused('run', 'allvb', '--data', 'odd.json', '--map', 'nowhere.json')).toContain('There is no file at')
  writeFileSync(join(line.cwd, 'bad.json'), '{"records": 3}')
  expect(await refused('run', 'videoeval-pro', '--data', 'odd.json', '--map', 'bad.json')).toContain('must be a map')
  const written = JSON.parse(readFileSync(join(line.cwd, 'map.json'), 'utf8'))
  writeFileSync(join(line.cwd, 'blind.json'), JSON.stringify({ ...written, question: 'no_such' }))
  for (const command of ['run', 'map'])
    expect(await refused(command, 'videoeval-pro', '--data', 'odd.json', '--map', 'blind.json')).toContain(
      'has nothing at "no_such" (question)',
    )
  expect(await refused('run', 'cg-bench', ...odd)).toContain('not enough for cg-bench')
  expect(await refused('score', 'longshot', '--map', 'map.json', '--replies', 'replies.jsonl')).toContain(
    'needs --data',
  )
})

test('a proposed map that is not enough is kept all the same, and can be corrected by what the refusal says', async () => {
  const map = (...words: string[]) => line.run('bench', 'map', 'allvb', '--data', 'odd.json', ...words)
  const { code, stderr } = await map('--out', 'films.json', '--records', 'films.jsonl')
  expect(code).toBe(2)
  expect(stderr).toContain('odd.json is not enough for allvb: question 0 lacks one of the nine tasks.')
  expect(stderr).toContain('Tasks are VC, SR')
  expect(stderr).toContain('"values": {"task": {"as it stands": "NAME"}}')
  expect(existsSync(join(line.cwd, 'films.jsonl'))).toBe(false)
  const proposed = JSON.parse(readFileSync(join(line.cwd, 'films.json'), 'utf8'))
  const corrected = { ...proposed, task: 'sort', values: { task: { 'Local Perception': 'SR' } } }
  writeFileSync(join(line.cwd, 'films.json'), JSON.stringify(corrected))
  const written = await map('--map', 'films.json', '--records', 'films.jsonl')
  expect(written).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Keep it with --out') })
  expect(readFileSync(join(line.cwd, 'films.jsonl'), 'utf8').trim().split('\n')).toHaveLength(4)
})
