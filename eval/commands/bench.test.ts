import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { film } from '../../tests/bench/small-data.ts'
import { commandLine } from '../../tests/support/command-line.ts'
import { oracle, oraclePath, withOracle } from '../../tests/support/oracle.ts'
import { benchmarkNames as known } from '../benchmarks/index.ts'

describe('bench list and bench show', () => {
  test('name every benchmark, and say what to fetch and under which licence', async () => {
    const line = commandLine()
    const { benchmarks } = JSON.parse((await line.run('bench', 'list', '--json')).stdout)
    expect(benchmarks.map((one: { name: string }) => one.name)).toEqual(known)
    for (const name of known) {
      const { code, stdout } = await line.run('bench', 'show', name)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Licence {2}\S/m)
      expect(stdout).toMatch(/^What to fetch\n\S/m)
    }
  })
})

withOracle('../data/cg-bench/cgbench_mini.json', 'cg-bench/real3000_replies.json')(
  'bench score of 3,000 replies',
  () => {
    test('prints one object that equals the released scorer, from the file or its folder', async () => {
      const line = commandLine()
      const replies = oracle<{ qid: number; long_acc: string }[]>('cg-bench/real3000_replies.json')
      const file = join(line.cwd, 'replies.jsonl')
      writeFileSync(
        file,
        replies.map(({ qid, ...texts }) => `${JSON.stringify({ id: qid, replies: texts })}\n`).join(''),
      )
      const data = oraclePath('../data/cg-bench/cgbench_mini.json')
      const score = async (path: string, scoring: string) =>
        JSON.parse(
          (
            await line.run(
              'bench',
              'score',
              'cg-bench',
              '--data',
              path,
              '--replies',
              file,
              '--scoring',
              scoring,
              '--json',
            )
          ).stdout,
        )
      const official = await score(data, 'official')
      expect(Object.keys(official)).toEqual([
        'schemaVersion',
        'benchmark',
        'scoring',
        'n',
        'metrics',
        'groups',
        'excluded',
        'unjudged',
        'notes',
      ])
      expect(official).toMatchObject({ benchmark: 'cg-bench', scoring: 'official', n: 3000 })
      expect(official.metrics.long_acc).toBeCloseTo(51.98494182067077, 10)
      expect(official.metrics.crr).toBeCloseTo(79.34113103689992, 10)
      const strict = await score(join(data, '..'), 'strict')
      expect(strict.metrics.long_acc).toBeCloseTo(50.63333333333333, 10)
    })
  },
)

describe('bench score', () => {
  test('needs replies, and needs data for all but longshot', async () => {
    const line = commandLine()
    expect((await line.run('bench', 'score', 'allvb', '--data', '.')).stderr).toContain('--replies is missing')
    const { code, stderr } = await line.run('bench', 'score', 'allvb', '--replies', 'x.jsonl')
    expect(code).toBe(2)
    expect(stderr).toContain('--data is missing')
  })
})

describe('bench score beside published numbers', () => {
  // Three configurations of LongShOTBench in one folder, as the hub's library lays them out.
  function threeSplits(line: ReturnType<typeof commandLine>) {
    const splits = { postvalid_v2: 3, postvalid_v1: 2, postvalid_tools_v1: 1 }
    for (const [split, count] of Object.entries(splits)) {
      mkdirSync(join(line.cwd, 'data', split), { recursive: true })
      const samples = Array.from({ length: count }, (_, i) => judgedSample(`${split}-${i}`))
      writeFileSync(
        join(line.cwd, 'data', split, 'test.jsonl'),
        samples.map(one => `${JSON.stringify(one)}\n`).join(''),
      )
    }
    writeFileSync(join(line.cwd, 'eval.jsonl'), `${JSON.stringify(judgedSample('postvalid_v2-0'))}\n`)
    return ['bench', 'score', 'longshot', '--data', 'data', '--replies', 'eval.jsonl']
  }

  test('the split says which records count, and without it several are refused', async () => {
    const line = commandLine()
    const command = threeSplits(line)
    for (const [split, n] of [['postvalid_v2', 3]] as const) {
      const { stdout } = await line.run(...command, '--split', split, '--json')
      const coverage = {
        samples: 3,
        there: 1,
        tasks: { overall: { strict: expect.closeTo(100 / 3), available: 100, high: 100 } },
      }
      expect(JSON.parse(stdout)).toMatchObject({ scoring: 'strict', n, coverage })
    }
    const other = await line.run(...command, '--split', 'postvalid_v1')
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(/None of the 1 ids[\s\S]*postvalid_v2-0[\s\S]*postvalid_v1-0, postvalid_v1-1/)
    const refused = await line.run(...command)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/3 splits of longshot: postvalid_tools_v1, postvalid_v1, postvalid_v2/)
    expect((await line.run(...command, '--split', 'nonsense')).code).toBe(2)
  })

  test('shows the groups and the table of the paper, in lines that fit a terminal', async () => {
    const line = commandLine()
    const command = threeSplits(line)
    writeFileSync(join(line.cwd, 'eval.jsonl'), `${JSON.stringify(judgedSample('postvalid_v1-0'))}\n`)
    const { stdout, code } = await line.run(...command, '--split', 'postvalid_v1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^overall +1 of 2 +50\.0 +100\.0 +50\.0 to 100\.0$/m)
    expect(stdout).toMatch(/^By subtasks, official\nsubtasks +samples +accuracy\nentity_recognition +1 of 2 +100\.00$/m)
    expect(stdout).toMatch(
      /^Beside LongShOT paper, Table 3 \(longshot:3\)\n +eval\.jsonl \(1 of 2\) \*a +Gemini-2\.5-Flash/m,
    )
    expect(stdout).toContain('*a  1 of 2 answered: overall within 50.0 to 100.0; 2 records; how many the published')
    expect(stdout).toMatch(/^\*a .* Not comparable\.$/m)
    expect(stdout).toMatch(/^Entity Recognition +100\.00 +43\.62/m)
    const table = stdout.slice(stdout.indexOf('Beside LongShOT paper, Table 3'))
    for (const row of table.split('\n').filter(row => /^[^*\s].* {2}[\d-]/.test(row)))
      expect(row.length).toBeLessThanOrEqual(120)
  })
})

test('bench report prints a table of a paper without a run, and lists what there is', async () => {
  const line = commandLine()
  const listed = JSON.parse((await line.run('bench', 'report', '--tables', '--json')).stdout)
  expect(listed.tables).toContainEqual(expect.objectContaining({ id: 'cg-bench:mini', models: 22, split: 'mini' }))
  for (const { id } of listed.tables) {
    const { code, stdout } = await line.run('bench', 'report', '--table', id)
    expect(code, id).toBe(0)
    for (const row of stdout.split('\n').filter(row => / {2,}[\d-]/.test(row)))
      expect(row.length).toBeLessThanOrEqual(120)
  }
  const files = await line.run('bench', 'report', '--table', 'allvb:2', '--csv', 'a.csv', '--tex', 'a.tex', '--json')
  expect(JSON.parse(files.stdout).files).toMatchObject({ csv: expect.any(String), tex: expect.any(String) })
  expect((await line.run('bench', 'report', '--table', 'allvb:9')).code).toBe(2)
  expect((await line.run('bench', 'report')).code).toBe(2)
  const figure = await line.run('bench', 'report', '--svg', 'a.svg')
  expect([figure.code, figure.stderr]).toEqual([2, expect.stringContaining('--svg is of a figure')])
  const page = await line.run('bench', 'report', '--table', 'allvb:2', '--html', 'a.html')
  expect([page.code, page.stderr]).toEqual([2, expect.stringContaining('--html is the page of a run')])
})

test('a video that cannot be read is listed, and the others are locked and verified', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  mkdirSync(join(line.cwd, 'videos_filtered'))
  film(join(line.cwd, 'videos_filtered', 'a.mp4'), 'red', 1)
  writeFileSync(join(line.cwd, 'videos_filtered', 'b.mp4'), 'this is no video')
  const question = (video: string) => ({
    video,
    question: 'Which?',
    options: ['A. red', 'B. blue'],
    answer: 'A',
    answer_text: 'red',
    qa_type: 'x',
  })
  writeFileSync(
    join(line.cwd, 'test.jsonl'),
    ['a.mp4', 'b.mp4'].map(video => `${JSON.stringify(question(video))}\n`).join(''),
  )
  const videos = (...words: string[]) => line.run('bench', 'videos', 'videoeval-pro', '--data', '.', ...words)
  const locked = await videos('--lock', 'copies.json')
  expect([locked.code, locked.stdout]).toEqual([6, expect.stringMatching(/b\.mp4 +broken[\s\S]*1 of 2 videos are in/)])
  writeFileSync(join(line.cwd, 'videos_filtered', 'a.mp4'), 'no more')
  const verified = await videos('--verify', 'copies.json', '--json')
  expect(verified.code).toBe(6)
  expect(JSON.parse(verified.stdout).videos.map((one: { state: string }) => one.state)).toEqual(['broken', 'unknown'])
  const both = await videos('--lock', 'copies.json', '--format', 'txt')
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--format')])
})

function judgedSample(id: string) {
  const criterion = { name: 'fact', description: 'Says it', category: 'high_priority', weight: 5, is_penalty: false }
  return {
    sample_id: id,
    video_id: 'v',
    task: 'entity_recognition',
    duration: 600,
    conversations: [
      { role: 'user', content: 'Who?', modalities: ['visual'] },
      {
        role: 'assistant',
        content: 'Ann.',
        candidate_response: 'Ann.',
        criteria: [{ ...criterion, criteria_met: true }],
      },
    ],
  }
}
