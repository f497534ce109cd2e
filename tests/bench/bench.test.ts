import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SampleLine } from '../../eval/data/sample-line.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { linesIn } from '../support/line-file.ts'
import { quickIndex, smallData } from './small-data.ts'

const words = ['--profile', 'embedded', ...quickIndex]
const linesOf = (folder: string) => linesIn<SampleLine>(join(folder, 'samples.jsonl'))

describe('a data folder with missing, wrong and broken videos', () => {
  let line: CommandLine
  let data: string
  beforeAll(() => {
    line = commandLine()
    data = smallData(join(line.cwd, 'data'), { faults: true, questions: 12 })
  })

  test('is told video by video before anything is asked, and nothing is written', async () => {
    const { code, stdout } = await line.run(
      'bench',
      'run',
      'videoeval-pro',
      '--data',
      data,
      '--dry-run',
      '--json',
      ...words,
    )
    expect(code).toBe(6)
    const { preflight, forecast } = JSON.parse(stdout)
    const states = Object.fromEntries(
      preflight.videos.map((video: { video: string; state: string }) => [video.video.split('/').at(-1), video.state]),
    )
    expect(states).toEqual({
      'red.mp4': 'ready',
      'blue.mp4': 'ready',
      'missing.mp4': 'missing',
      'text.mp4': 'broken',
      'cut.mp4': 'broken',
      'long.mp4': 'doubtful',
    })
    expect(preflight).toMatchObject({ samples: 12, askable: 6 })
    expect(preflight.videos[5].faults).toEqual(['It lasts 0:20; the data say 1:00:00.'])
    expect(forecast).toMatchObject({ videos: 3, questions: 12 })
    expect(forecast.stages.map((stage: { stage: string }) => stage.stage)).toContain('decode')
    expect(await readdir(join(line.cwd, 'home')).catch(() => [])).not.toContain('runs')
    const table = await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--dry-run', ...words)
    expect(table.stdout).toMatch(/missing\.mp4 +missing +2 +- +videos_filtered\/missing\.mp4 is nowhere below/)
  })

  test('is run all the same: what cannot be asked counts as wrong and is said', async () => {
    const out = join(line.cwd, 'run')
    const ran = await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, ...words)
    expect(ran.code, ran.stderr).toBe(6)
    expect(ran.stdout).toContain('6 questions could not be asked; they count as wrong.')
    const lines = linesOf(out)
    expect(lines).toHaveLength(12)
    expect(lines.filter(one => one.error).map(one => one.video.split('/').at(-1))).toEqual([
      'missing.mp4',
      'text.mp4',
      'cut.mp4',
      'missing.mp4',
      'text.mp4',
      'cut.mp4',
    ])
    expect(lines[0]).toMatchObject({ judge: { by: 'words' }, asks: [{ name: 'open' }, { name: 'mcq' }] })
    const report = await line.run('bench', 'report', out, '--json')
    expect(JSON.parse(report.stdout).reports[0]).toMatchObject({
      counts: { done: 12, failed: 6 },
      tasks: [
        { task: 'open', n: 12 },
        { task: 'mcq', n: 12, chance: 25 },
      ],
    })
    const again = await line.run(
      'bench',
      'score',
      'videoeval-pro',
      '--data',
      data,
      '--replies',
      join(out, 'replies.jsonl'),
      '--json',
    )
    const { scores } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'))
    expect(JSON.parse(again.stdout).metrics).toEqual(scores.strict)
  })

  test('of which not one video can be read ends the run before it begins', async () => {
    const nowhere = join(line.cwd, 'data', 'test.jsonl')
    const empty = await line.run(
      'bench',
      'run',
      'videoeval-pro',
      '--data',
      nowhere,
      '--videos',
      join(line.cwd, 'home'),
      ...words,
    )
    expect(empty.code).toBe(2)
    expect(empty.stderr).toContain('Not one of the videos can be read.')
  })
})

describe('a run with a judge model', () => {
  let line: CommandLine
  let data: string
  beforeAll(() => {
    line = commandLine()
    data = smallData(join(line.cwd, 'data'))
  })

  const judged = (replies: unknown[]) => [
    ...['--set', 'models.judge.backend=scripted', '--set', `models.judge.replies=${JSON.stringify(replies)}`],
    ...['--set', 'models.judge.atEnd=cycle'],
  ]

  test('fault 26: whose judge fails now and then is finished by a resume that asks nobody but the judge', async () => {
    const out = join(line.cwd, 'flaky')
    const flaky = judged(['A', 'B', { text: '', error: 'the judge is busy' }])
    const first = await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, ...words, ...flaky)
    expect(first.code, first.stderr).toBe(6)
    expect(first.stdout).toContain('2 answers could not be judged; --resume judges them again.')
    const before = linesOf(out)
    expect(before.filter(one => one.grades.open!.score === null).map(one => one.id)).toEqual(['4', '5'])
    const second = await line.run('bench', 'run', 'videoeval-pro', '--resume', out)
    expect(second.code, second.stderr).toBe(0)
    expect(second.stderr).toMatch(/^To do: 0 questions about \d videos? of [\d:]+, 2 judgments or more\.$/m)
    const after = linesOf(out)
    expect(after.every(one => one.grades.open!.score !== null)).toBe(true)
    expect(after.map(one => one.asks)).toEqual(before.map(one => one.asks))
  })

  test('is not gone on with under other settings', async () => {
    const out = join(line.cwd, 'first')
    await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, '--limit', '2', ...words)
    const other = await line.run('bench', 'run', 'videoeval-pro', '--resume', out, ...words, '--set', 'budget.steps=3')
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('budget.steps: 12, now 3')
    const twice = await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, ...words)
    expect(twice.stderr).toContain('There is a run in')
  })

  test('can have a second judge beside the first', async () => {
    const out = join(line.cwd, 'words')
    await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, '--judge', 'words', ...words)
    const second = await line.run('bench', 'agree', out, '--judge', 'model', '--limit', '4', '--json', ...judged(['A']))
    const { agreements } = JSON.parse(second.stdout)
    expect(agreements).toMatchObject([
      { scale: 'grade', raters: [{ name: 'words' }, { name: 'chat/scripted', accuracy: { n: 4, value: 100 } }] },
    ])
    expect(agreements[0].pairs).toMatchObject([{ a: 'words', b: 'chat/scripted', kappa: { n: 4 } }])
    const again = await line.run('bench', 'agree', out, '--judge', 'model', '--limit', '4', '--json', ...judged([]))
    expect(JSON.parse(again.stdout).agreements, 'nothing is asked twice').toEqual(agreements)
    expect((await line.run('bench', 'compare', out, out)).stdout).toMatch(/^open \(words\) +6 /m)
    const comparison = await line.run('bench', 'compare', out, out, '--json')
    expect(JSON.parse(comparison.stdout)).toMatchObject({
      benchmark: 'videoeval-pro',
      tasks: [{ task: 'open', n: 6, mcNemar: { onlyA: 0, onlyB: 0, p: 1 } }, { task: 'mcq' }],
      byWords: ['open'],
    })
  })
})

describe('a model asked without the agent', () => {
  test('sees the frames of the protocol, and its replies are scored like any other', async () => {
    const line = commandLine()
    const data = smallData(join(line.cwd, 'data'), { questions: 4 })
    const out = join(line.cwd, 'direct')
    const vision = [
      ...['--set', 'models.vision.backend=scripted', '--set', 'models.vision.replies=["red", "A"]'],
      ...['--set', 'models.vision.atEnd=cycle', '--option', 'frames=3', '--by', 'alone'],
    ]
    const ran = await line.run('bench', 'run', 'videoeval-pro', '--data', data, '--out', out, ...words, ...vision)
    expect(ran.code, ran.stderr).toBe(0)
    const lines = linesOf(out)
    expect(lines[0]!.replies).toEqual({ open: 'red', mcq: 'A' })
    expect(lines[0]!.asks[0]).toMatchObject({ name: 'open', usage: { calls: 1, frames: 3 }, evidence: [] })
    expect(JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')).scores.strict).toEqual({
      open: 100,
      mcq: 100,
      gap: 0,
    })
    const { stdout } = await line.run('bench', 'report', out)
    expect(stdout).toContain('Only models.vision was asked, with 3 frames; not the agent.')
    expect(await readdir(join(line.cwd, 'home', 'library'))).toHaveLength(2)
  })
})
