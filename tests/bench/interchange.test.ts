import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scoring } from '../../eval/data/sample.ts'
import { repliesIn, scoreReplies } from '../../eval/runner/score-replies.ts'
import { oracle, withOracle } from '../support/oracle.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-logs-'))
})
afterAll(() => rm(root, { recursive: true }))

async function put(name: string, content: unknown): Promise<string> {
  const file = join(root, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const lines = (values: readonly unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')

async function scoreOf(benchmark: string, data: string, file: string, scoring: Scoring = 'official') {
  const replies = repliesIn(benchmark, file, { data })
  return (await scoreReplies({ benchmark, data, replies })).score(scoring)
}

type Kept = Record<string, unknown> & { _judge_reply: string | null; answer: string }
interface Expected {
  official_stats: { textqa_judge_true: number; mcq_judge_true: number; total: number }
  records: { textqa_judge: unknown; mcq_judge: boolean }[]
}

withOracle('videoeval-pro/e2e_items.json', 'videoeval-pro/e2e_outputs.json')('JSON lines of VideoEval-Pro', () => {
  const items = oracle<Kept[]>('videoeval-pro/e2e_items.json')
  const { official_stats: stats, records } = oracle<Expected>('videoeval-pro/e2e_outputs.json')
  const { total } = stats
  const judged = items.map(({ _judge_reply, ...item }, i) => ({ ...item, ...records[i] }))
  const data = () =>
    put(
      'test.json',
      items.map(({ textqa_answer: _, mcq_answer: __, _judge_reply: ___, ...item }) => item),
    )

  test('are scored as the released count does, where a failed judgment is right', async () => {
    const { metrics } = await scoreOf(
      'videoeval-pro',
      await data(),
      await put('a.jsonl', lines([...judged, { stats }])),
    )
    expect(metrics.open).toBeCloseTo((100 * stats.textqa_judge_true) / total)
    expect(metrics.mcq).toBeCloseTo((100 * stats.mcq_judge_true) / total)
  })

  test('in order of completion, resumed and torn, score as the ordered ones; doubles and gaps are listed', async () => {
    const file = await put('ordered.jsonl', lines([...judged, { stats }]))
    const ordered = await scoreOf('videoeval-pro', await data(), file)
    const mixed = judged.map((_, i) => judged[(i * 37 + 5) % total])
    const text = lines([...mixed.slice(0, 20), { stats }, ...mixed.slice(18), { stats }])
    const shuffled = await scoreOf('videoeval-pro', await data(), await put('mixed.jsonl', `${text}{"video": "v1`))
    expect({ ...shuffled, excluded: [] }).toEqual({ ...ordered, excluded: [] })
    const reasons = shuffled.excluded.map(({ reason }) => reason)
    expect(reasons.filter(reason => reason.includes('replaces an earlier line'))).toEqual([
      'line 22 replaces an earlier line with the same id',
      'line 23 replaces an earlier line with the same id',
    ])
    expect(reasons).toContain('the last line is torn and was dropped')
    const lost = await scoreOf('videoeval-pro', await data(), await put('lost.jsonl', lines(mixed.slice(1))))
    expect(lost.excluded.filter(({ reason }) => /no line/.test(reason))).toHaveLength(1)
    const strange = { ...judged[0], question: 'never asked' }
    const more = await scoreOf('videoeval-pro', await data(), await put('more.jsonl', lines([...judged, strange])))
    expect(more.excluded).toContainEqual({ id: 'v0.mp4: never asked', reason: 'no record of the data has this id' })
  })
})

describe('logs of other programs', () => {
  const question = (id: string, text: string, options: string[], answer: string) => ({
    video_id: '001',
    videoID: 'abc',
    duration: 'short',
    domain: 'Knowledge',
    sub_category: 'Law',
    task_type: 'OCR',
    question_id: id,
    question: text,
    options: options.map((option, i) => `${'ABCD'[i]}. ${option}`),
    answer,
  })
  const questions = [
    question('001-1', 'What?', ['one', 'two', 'three', 'four'], 'C'),
    question('001-2', 'Who?', ['Ann', 'Ben', 'Cem', 'Dee'], 'A'),
    question('001-3', 'Who?', ['Ed', 'Flo', 'Gus', 'Hal'], 'B'),
  ]
  const data = () => put('videomme.json', questions)
  const mme = async (file: string, scoring: Scoring = 'strict') => scoreOf('video-mme', await data(), file, scoring)

  test('lines of lmms-eval are read by the question that they hold, and by the raw reply', async () => {
    const sample = (place: number, reply: string) => ({
      doc_id: 7 - place,
      doc: questions[place],
      target: 'x',
      resps: [[reply]],
      filtered_resps: ['A'],
    })
    const log = [sample(2, 'B'), sample(0, 'C. three'), sample(1, 'B'), sample(1, 'A')]
    const scores = await mme(await put('samples.jsonl', lines(log)))
    expect(scores.metrics.accuracy).toBe(100)
    expect(scores.excluded).toEqual([{ id: '001-2', reason: 'line 4 replaces an earlier line with the same id' }])
    const { doc: _, ...bare } = sample(0, 'C')
    await expect(mme(await put('bare.jsonl', lines([bare])))).rejects.toThrow(/has no column "doc.question"/)
    const { resps: __, ...filtered } = sample(0, 'C')
    await expect(mme(await put('filtered.jsonl', lines([filtered])))).rejects.toThrow(/has no column "resps"/)
  })

  const table = (columns: string[], rows: string[][]) => [columns, ...rows].map(row => `${row.join('\t')}\n`).join('')

  test('a table of VLMEvalKit is read by video and question; those with equal words by their options', async () => {
    const columns = ['index', 'video', 'question', 'candidates', 'answer', 'prediction']
    const listOf = (at: number) => `['${questions[at]?.options.join("', '")}']`
    const rows = [
      ['0', 'abc', 'Who?', listOf(2), 'B', 'B'],
      ['1', 'abc', 'Who?', listOf(1), 'A', 'Failed to obtain answer via API.'],
      ['2', 'abc', 'What?', listOf(0), 'C', 'The answer is C.'],
    ]
    const scores = await mme(await put('model.tsv', table(columns, rows)))
    expect(scores.metrics.accuracy).toBeCloseTo(200 / 3)
    expect(scores.excluded).toEqual([{ id: '001-2', reason: expect.stringMatching(/no reply/) }])
    const unasked = ['0', 'other', 'Who?', listOf(2), 'B', 'B']
    const { excluded } = await mme(await put('other.tsv', table(columns, [unasked, ...rows])))
    expect(excluded).toContainEqual({ id: 'Who?', reason: 'no record of the data has this id' })
    await expect(mme(await put('others.tsv', table(columns, [unasked])))).rejects.toThrow(/None of the 1 ids/)
    const rated = table(['index', 'video', 'question', 'score'], [['0', 'abc', 'Who?', '1']])
    await expect(mme(await put('rated.tsv', rated))).rejects.toThrow(/has no column "prediction"/)
    await expect(mme(await put('model.xlsx', 'PK'))).rejects.toThrow(/tables are read as TSV/)
  })

  test('where a benchmark asks several things, each row says which', async () => {
    const record = {
      qid: 5,
      video_uid: 'v',
      question: 'q',
      answer: 'y',
      choices: ['x', 'y'],
      right_answer: 'B',
      clue_intervals: [[10, 20]],
      domain: 'd',
      sub_category: 's',
      duration: 90,
    }
    const file = await put('cgbench_mini.json', [record])
    const columns = ['index', 'qid', 'video_uid', 'question', 'task_mode', 'prediction']
    const row = (place: string, task: string, said: string) => [place, '5', 'v', 'q', task, said]
    const rows = [row('0', 'long_acc', 'B'), row('1', 'clue_acc', 'A'), row('2', 'miou', '[[10, 20]]')]
    const { metrics } = await scoreOf('cg-bench', file, await put('cg.tsv', table(columns, rows)), 'strict')
    expect(metrics).toMatchObject({ long_acc: 100, clue_acc: 0, miou: 100 })
    const silent = table(columns, [row('0', '', 'B')])
    await expect(scoreOf('cg-bench', file, await put('silent.tsv', silent))).rejects.toThrow(/has the task_mode ""/)
    const bare = [columns, ['0', '5', 'v', 'q', '', 'B']].map(cells => cells.filter((_, i) => i !== 4))
    const without = table(bare[0] ?? [], bare.slice(1))
    await expect(scoreOf('cg-bench', file, await put('w.tsv', without))).rejects.toThrow(/no column "task_mode"/)
  })

  test('submissions of lmms-eval for InfiniBench are prediction files', async () => {
    const asked = (id: string) => ({ question_id: id, question: 'q', options: ['a', 'b', 'c'], answer_idx: 1 })
    const folder = await mkdtemp(join(root, 'infinibench-'))
    await writeFile(join(folder, 'scene_transitions.json'), JSON.stringify([asked('0'), asked('1')]))
    const submissions = await mkdtemp(join(root, 'submissions-'))
    const kept = (id: string, pred: string) => ({
      question_id: id,
      skill_name: 'scene_transitions',
      split: 'dev',
      video_path_mp4: 'v.mp4',
      question: 'q',
      pred,
      raw_pred: `${pred} `,
      answer_idx: 1,
      mcq_correct: 0,
    })
    await writeFile(join(submissions, 'scene_transitions.json'), JSON.stringify([kept('1', '1'), kept('0', '2')]))
    await writeFile(join(submissions, 'summarization.json'), '[]')
    expect((await scoreOf('infinibench', folder, submissions)).metrics.accuracy).toBe(50)
  })
})
