import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { says } from './sent-requests.ts'
import { film, smallData } from './small-data.ts'

const program = { PATH: process.env.PATH }
const served = ['--profile', 'embedded', '--set', 'models.vision.backend=scripted']
const asked = [...served, ...says('A', 'B', 'A', 'A', 'C', 'A')]

let author: CommandLine
let card: ReturnType<typeof JSON.parse>

beforeAll(async () => {
  author = commandLine({}, program)
  smallData(author.cwd)
  const run = await author.run(
    ...['bench', 'run', 'videoeval-pro', '--data', '.', '--task', 'mcq', '--by', 'model', '--option', 'frames=2'],
    ...[...asked, '--out', 'run'],
  )
  expect(run.code, run.stderr).toBe(0)
  const exported = await author.run('bench', 'export', 'run', '--out', 'card', '--form', 'card')
  expect(exported.code, exported.stderr).toBe(0)
  card = JSON.parse(readFileSync(join(author.cwd, 'card', 'card.json'), 'utf8'))
}, 60_000)

// Another machine: another home and folder, where nothing has the name that it had.
function reader(change: object = {}): CommandLine {
  const line = commandLine({}, program)
  const films = join(line.cwd, 'films', 'of mine')
  mkdirSync(films, { recursive: true })
  cpSync(join(author.cwd, 'videos_filtered', 'red.mp4'), join(films, '1.mp4'))
  cpSync(join(author.cwd, 'videos_filtered', 'blue.mp4'), join(films, '2.mkv'))
  mkdirSync(join(line.cwd, 'data'))
  cpSync(join(author.cwd, 'test.jsonl'), join(line.cwd, 'data', 'questions-v2.jsonl'))
  writeFileSync(join(line.cwd, 'data', 'other.jsonl'), '{"video":"x.mp4"}\n')
  writeFileSync(join(line.cwd, 'card.json'), JSON.stringify({ ...card, ...change }))
  return line
}

const reproduce = ['bench', 'reproduce', 'card.json', '--data', 'data', '--videos', 'films']

test('a run is repeated elsewhere from its card, with data and videos under other names', async () => {
  const line = reader()
  const dry = await line.run(...reproduce, ...asked, '--dry-run')
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('Nothing differs from the card.')])
  const byFolder = await line.run('bench', 'reproduce', '.', ...reproduce.slice(3), ...asked, '--dry-run')
  expect([byFolder.code, byFolder.stdout]).toEqual([0, dry.stdout])
  expect(JSON.stringify(card)).not.toContain(author.cwd)
  const again = await line.run(...reproduce, ...asked, '--out', 'again', '--json')
  expect(again.code, again.stderr).toBe(0)
  const { tasks, metrics, isSentAlike } = JSON.parse(again.stdout)
  expect(tasks).toEqual([
    expect.objectContaining({ task: 'mcq', n: 6, isWithin: true, here: card.scores.strict[0].mean }),
  ])
  const figure = card.scores.metrics.official.mcq
  expect(metrics).toContainEqual({ metric: 'mcq', card: figure, here: figure })
  expect(isSentAlike).toBe(true)
  // The printed command is one that runs beside the card and the data.
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${card.reproduce}`], { encoding: 'utf8' }).split('\n')
  const typed = words.slice(1, -1).map((word, at) => (words[at] === '--data' ? 'data' : word))
  const printed = await line.run(...typed, '--videos', 'films', '--dry-run')
  expect([printed.code, printed.stdout]).toEqual([0, expect.stringContaining('Nothing differs from the card.')])
})

test('what differs is named and stops the run before anything is asked; what lies outside the interval is said', async () => {
  const line = reader()
  film(join(line.cwd, 'films', 'of mine', '1.mp4'), 'green', 2)
  renameSync(join(line.cwd, 'films', 'of mine', '1.mp4'), join(line.cwd, 'films', 'red.mp4'))
  const other = [...served, ...says('D')]
  const refused = await line.run(...reproduce, ...other, '--out', 'again')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/videos that are other copies +videos_filtered\/red\.mp4/)
  expect(refused.stderr).toMatch(/setting +models\.vision\.replies: .*now \["D"\][\s\S]*2 differences[\s\S]*--anyway/)
  expect(existsSync(join(line.cwd, 'again'))).toBe(false)
  const anyway = await line.run(...reproduce, ...other, '--out', 'again', '--anyway')
  expect([anyway.code, anyway.stdout]).toEqual([
    6,
    expect.stringMatching(/mcq +6 +66\.67.* 0\.00 +OUTSIDE[\s\S]*not all the same/),
  ])
  const shorter = join(line.cwd, 'data', 'questions-v2.jsonl')
  writeFileSync(shorter, readFileSync(shorter, 'utf8').replace('thing 3', 'thing three'))
  const lost = await line.run(...reproduce, ...asked)
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/The 6 questions of the card are not at/)])
})

test("a stranger's card starts nothing, opens no path and sends nothing to its servers", async () => {
  const prompt = '/etc/passwd'
  const line = reader({
    options: { ...card.options, prompt },
    settings: {
      ...card.settings,
      'models.vision.backend': 'openai',
      'models.vision.url': 'http://127.0.0.1:9/v1',
      'models.planner.module': '/tmp/evil.mjs',
      'tools.files': ['/tmp/evil.mjs'],
      'tools.servers.x.command': 'touch pwned',
      'permissions.code': true,
      'budget.tokens': 1e9,
    },
    data: { ...card.data, videos: { ...card.data.videos, '../../etc/passwd': 'v0' } },
  })
  const seen = await line.run(...reproduce, ...asked, '--dry-run', '--json')
  expect(seen.code, seen.stderr).toBe(0)
  const { differences } = JSON.parse(seen.stdout)
  const details = differences.map(({ detail }: { detail: string }) => detail.replace(/:.*/, '')).sort()
  const sent = ['models.vision.backend', 'permissions.code', 'tools.files', 'tools.servers.x.command']
  expect(details).toEqual(expect.arrayContaining([...sent, 'budget.tokens', 'models.planner.module']))
  const bare = await line.run(...reproduce, '--dry-run', '--profile', 'embedded')
  expect(bare.stderr + bare.stdout).not.toContain('passwd')
  for (const [wrong, says] of [
    [{ format: 1 }, /card\.json is not the card of a run: format/],
    [{ benchmark: '../needle' }, /no benchmark|Unknown benchmark/],
    [{ data: { ...card.data, files: Array(1001).fill(card.data.files[0]) } }, /data\.files/],
    [{ change: { kind: 'x' } }, /row of an ablation/],
  ] as const) {
    const refused = await reader(wrong).run(...reproduce, ...asked, '--dry-run')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(says)])
  }
})
