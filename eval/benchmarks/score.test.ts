import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oracle, oraclePath, withOracle } from '../../tests/support/oracle.ts'
import { fileLines } from '../data/lines.ts'
import type { Scoring } from '../data/sample.ts'
import { type ScoreRequest, scoreReplies as score } from '../runner/score-replies.ts'
import { benchmarkNames, checkBenchmark, loadBenchmark } from './index.ts'

const scoreReplies = async ({ replies, scoring, ...request }: FileRequest) =>
  (await score({ ...request, replies: fileLines(replies) })).score(scoring)
type FileRequest = Omit<ScoreRequest, 'replies'> & { replies: string; scoring: Scoring }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-score-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(
    path,
    Array.isArray(content) && name.endsWith('.jsonl')
      ? content.map(line => JSON.stringify(line)).join('\n')
      : JSON.stringify(content),
  )
  return path
}

describe('the list of benchmarks', () => {
  test('each loads under its name and says what a person must know', async () => {
    for (const name of benchmarkNames) {
      const benchmark = await loadBenchmark(name)
      expect(benchmark.name).toBe(name)
      expect(benchmark.about.summary).not.toBe('')
      expect(benchmark.about.licence).not.toBe('')
      expect(benchmark.about.download.length).toBeGreaterThan(0)
      expect(benchmark.about.home).toMatch(/^https:/)
      expect(benchmark.tasks.length).toBeGreaterThan(0)
      expect(benchmark.about.groupedBy.length).toBeGreaterThan(0)
      expect(benchmark.settings.safeParse({}).success).toBe(true)
    }
  })

  test('an unknown name suggests the near one', async () => {
    await expect(loadBenchmark('cgbench')).rejects.toMatchObject({ exitCode: 2, hint: /Did you mean "cg-bench"/ })
  })
})

test('a benchmark that lacks the judge its tasks name, or is listed under another name, does not load', async () => {
  const { judge, ...unjudged } = await loadBenchmark('videoeval-pro')
  expect(judge).toBeDefined()
  expect(() => checkBenchmark(unjudged, 'videoeval-pro')).toThrow('its tasks name judge\'s steps for "open"')
  expect(() => checkBenchmark({ ...unjudged, tasks: [], judge }, 'videoeval-pro')).toThrow('its judge judges "open"')
  expect(() => checkBenchmark({ ...unjudged, judge }, 'videoeval')).toThrow('is listed as "videoeval"')
})

describe('scoring files', () => {
  const question = { question: 'Where?', options: ['a', 'b', 'c', 'd', 'e'], answer: 'C', task: 'SR', video: 'm' }

  test('an object of the agreed form comes out', async () => {
    const data = await file('allvb.json', [
      { ...question, id: 'q1' },
      { ...question, id: 'q2', task: 'VC' },
    ])
    const replies = await file('allvb.jsonl', [
      { id: 'q1', replies: { answer: 'Best Answer: C' }, judge: {} },
      { id: 'q2', replies: { answer: null } },
    ])
    const scores = await scoreReplies({ benchmark: 'allvb', data, replies, scoring: 'strict' })
    expect(scores).toEqual({
      benchmark: 'allvb',
      scoring: 'strict',
      n: 2,
      metrics: { average: 50 },
      groups: { VC: { n: 1, accuracy: 0 }, SR: { n: 1, accuracy: 100 } },
      excluded: [{ id: 'q2', reason: 'no reply' }],
      unjudged: [],
      notes: [],
    })
  })

  test('what is missing is said', async () => {
    const replies = await file('none.jsonl', [])
    await expect(scoreReplies({ benchmark: 'allvb', replies, scoring: 'strict' })).rejects.toThrow(
      /is scored against its annotations/,
    )
    const data = await file('one.json', [{ ...question, id: 'q1' }])
    await expect(
      scoreReplies({ benchmark: 'allvb', data, replies: join(folder, 'gone'), scoring: 'strict' }),
    ).rejects.toThrow(/no file at/)
  })
})

withOracle('longshot/inputs/judged_samples.json', 'longshot/outputs/v2_scores.json')('a judged longshot file', () => {
  test('scores without data', async () => {
    const replies = await file('M_eval.jsonl', oracle<unknown[]>('longshot/inputs/judged_samples.json'))
    const scores = await scoreReplies({ benchmark: 'longshot', replies, scoring: 'official' })
    const { score_json } = oracle<{ score_json: { overall: { accuracy: number } } }>('longshot/outputs/v2_scores.json')
    expect(scores.metrics.overall).toBe(score_json.overall.accuracy)
    expect(Object.entries(scores.groups).map(([way, rows]) => [way, Object.keys(rows).length])).toEqual([
      ['categories', 4],
      ['subtasks', 16],
      ['modality_breakdown', 3],
      ['duration_breakdown', 3],
      ['minutes', 3], // the paper's own cuts, which the released file does not have
    ])
  })
})

withOracle('../data/cg-bench/cgbench_mini.json', 'cg-bench/real3000_replies.json')(
  'the CG-Bench folder as it is distributed',
  () => {
    test('is found by its known file name', async () => {
      const rows = oracle<{ qid: number }[]>('cg-bench/real3000_replies.json')
      const replies = await file(
        'cg.jsonl',
        rows.map(({ qid, ...texts }) => ({ id: qid, replies: texts })),
      )
      const scores = await scoreReplies({
        benchmark: 'cg-bench',
        data: oraclePath('../data/cg-bench'),
        replies,
        scoring: 'official',
      })
      expect(scores.n).toBe(3000)
      expect(scores.metrics.long_acc).toBeCloseTo(51.985, 3)
    })
  },
)
