import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sent } from '../bench/sent-requests.ts'
import { smallData } from '../bench/small-data.ts'
import { commandLine } from '../support/command-line.ts'

const model = ['--base-set', 'models.vision.backend=scripted', '--base-set', 'models.vision.replies=["A"]']
const sweep = ['--by', 'alone', '--task', 'mcq', '--base-option', 'frames=1', '--option', 'frames=0,2']

test('options of a model alone are rows, and numbers a sweep; a study that goes on ends as one that was not stopped', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = smallData(line.cwd, { questions: 2 })
  const out = join(line.cwd, 'study')
  const start = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--json', ...model]
  const ran = await line.run(...start, '--base-set', 'models.vision.atEnd=cycle', ...sweep, '--out', out)
  expect(ran.code, ran.stderr).toBe(0)
  const whole = JSON.parse(ran.stdout)
  expect(whole.rows.map((row: { name: string }) => row.name)).toEqual(['base', 'option frames=0', 'option frames=2'])
  const pictures = (row: string) => sent(join(out, 'rows', row)).map(call => call.pictures)
  expect([pictures('base'), pictures('option-frames=0'), pictures('option-frames=2')]).toEqual([
    [1, 1],
    [0, 0],
    [2, 2],
  ])
  expect(whole.sweeps).toEqual([
    {
      ...{ setting: 'frames', task: 'mcq' },
      points: [0, 2].map(value => ({ value, score: 100, row: `option frames=${value}` })),
    },
  ])
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('mcq by frames')

  rmSync(join(out, 'rows', 'option-frames=2'), { recursive: true })
  const again = await line.run('ablate', '--resume', out, '--json')
  expect(again.code, again.stderr).toBe(0)
  const plain = (rows: { scores: object; differences: object[]; flips: object[]; samples: number }[]) =>
    rows.map(({ scores, differences, flips, samples }) => ({ scores, differences, flips, samples }))
  expect(plain(JSON.parse(again.stdout).rows)).toEqual(plain(whole.rows))
  expect(pictures('option-frames=2')).toEqual([2, 2])
})

test('a study goes on only as it began: who is asked, options, tasks, judge and the files that they name', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = smallData(line.cwd, { questions: 1 })
  const titles = join(line.cwd, 'titles.json')
  const write = (title: string) => writeFileSync(titles, JSON.stringify({ red: { title } }))
  write('One')
  const out = join(line.cwd, 'study')
  const start = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', ...model, ...sweep, '--out', out]
  const ran = await line.run(...start, '--base-option', 'metadata=also', '--base-option', 'titles=titles.json')
  expect(ran.code, ran.stderr).toBe(0)
  rmSync(join(out, 'rows', 'option-frames=2'), { recursive: true })
  const options = ['frames=1', 'metadata=also', `titles=${titles}`].flatMap(one => ['--base-option', one])
  const others: [string[], string][] = [
    [['--judge', 'off'], 'judge: "auto", now "off"'],
    [['--task', 'open'], 'tasks: "mcq", now "open"'],
    [[...options.slice(2), '--base-option', 'frames=3'], 'options.frames: 1, now 3'],
    [[...options, '--base-option', 'picture=high'], 'options.picture: not set, now "high"'],
  ]
  for (const [words, said] of others) {
    const { code, stderr } = await line.run('ablate', '--resume', out, ...words)
    expect([code, stderr], said).toEqual([2, expect.stringContaining(said)])
  }
  write('Two')
  const { code, stderr } = await line.run('ablate', '--resume', out)
  expect([code, stderr]).toEqual([2, expect.stringMatching(/This is another study .*files\.base\.about/)])
  write('One')
  const again = await line.run('ablate', '--resume', out, ...options, '--base-option', 'picture=low')
  expect(again.code, again.stderr).toBe(0)
})

test('rows with other judge prompts are judged each by its own; a model alone plans no index', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = smallData(line.cwd, { questions: 1 })
  for (const name of ['a', 'b']) writeFileSync(join(line.cwd, name), `${name}: {question} {target} {predicted_answer}`)
  const out = join(line.cwd, 'study')
  const judge = ['--base-set', 'models.judge.backend=scripted', '--base-set', 'models.judge.replies=["CORRECT"]']
  const start = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', ...model, ...judge, '--by', 'alone']
  const rows = [
    '--task',
    'open',
    '--base-option',
    'frames=0',
    '--option',
    'judgePrompt=a,b',
    '--option',
    'picture=high',
  ]
  const plan = await line.run(...start, ...rows, '--dry-run', '--json')
  const planned: { stages: { make: object } }[] = JSON.parse(plan.stdout).plan.rows
  expect(planned.map(({ stages }) => stages.make)).toEqual([{}, {}, {}, {}])
  const ran = await line.run(...start, ...rows, '--out', out)
  expect(ran.code, ran.stderr).toBe(0)
  const asked = (row: string) => sent(join(out, 'rows', row)).map(({ texts }) => texts.join())
  expect(asked('option-judgeprompt=a')).toContainEqual(expect.stringMatching(/^a: What/))
  expect(asked('option-judgeprompt=b')).toContainEqual(expect.stringMatching(/^b: What/))
  // The same reply under the same prompt is judged once.
  expect([asked('base').length, asked('option-picture=high').length]).toEqual([2, 1])
})

test('a row that cannot be asked ends the study before the base is', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = smallData(line.cwd, { questions: 1 })
  const out = join(line.cwd, 'study')
  const start = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--out', out, ...model]
  const bare = start.slice(0, -model.length)
  const missing = await line.run(...bare, ...sweep, '--swap', 'vision=onnx:no-such-model')
  expect(missing.code, missing.stderr).toBe(4)
  const wrong = await line.run(...start, ...sweep, '--option', 'frame=2')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('frames')
  const agent = await line.run(...start, '--option', 'sampling=keyframes')
  expect(agent.code).toBe(2)
  expect(agent.stderr).toContain('--option sampling sets what a model without the agent is shown')
  const unseen = await line.run(...start, '--option', 'frames=0')
  expect([unseen.code, unseen.stderr]).toEqual([
    2,
    expect.stringContaining('--option frames=0 sets what a model without'),
  ])
  const graph = await line.run(...start, ...sweep, '--graph', 'seek')
  expect(graph.code).toBe(2)
  expect(() => readFileSync(join(out, 'environment.json'))).toThrow()
})
