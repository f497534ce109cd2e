import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sent } from '../bench/sent-requests.ts'
import { smallData } from '../bench/small-data.ts'
import { commandLine } from '../support/command-line.ts'

const model = ['--base-set', 'models.vision.backend=scripted', '--base-set', 'models.vision.replies=["A"]']
const sweep = ['--by', 'model', '--task', 'mcq', '--base-option', 'frames=1', '--option', 'frames=0,2']

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
}, 120_000)

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
  expect(agent.stderr).toContain('--option sampling says what a model alone is shown')
  const graph = await line.run(...start, ...sweep, '--graph', 'seek')
  expect(graph.code).toBe(2)
  expect(() => readFileSync(join(out, 'environment.json'))).toThrow()
}, 60_000)
