import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadBenchmark } from '../../eval/benchmarks/index.ts'
import { repliesAt } from '../../eval/benchmarks/released/replies-at.ts'
import { writeJsonLines } from '../../eval/data/lines.ts'
import type { SampleLine } from '../../eval/data/sample-line.ts'
import { replyLines } from '../../eval/runner/score-run.ts'
import { recordsOf, samplesOf, scoreReplyLines } from '../support/benchmark.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-interchange-'))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, value: unknown): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

type Answered = Pick<SampleLine, 'id' | 'replies'> & { judge?: Record<string, string | null> }

// Written as the released tools keep it, read back, and scored: as the run's own replies are.
async function roundTrip(name: string, data: string, answered: Answered[], judge?: string) {
  const benchmark = await loadBenchmark(name)
  const { released } = benchmark
  const records = await recordsOf(benchmark, data)
  const ids = new Set(answered.map(({ id }) => id))
  const samples = (await samplesOf(benchmark, data)).map(sample =>
    ids.has(sample.id) ? sample : { ...sample, id: sample.longId ?? sample.id },
  )
  const lines = answered.map(({ judge, ...line }, place) => ({
    ...line,
    place,
    asks: [],
    ...(judge && { judge: { by: 'm', replies: judge, failed: {}, seconds: 1 } }),
  })) as unknown as SampleLine[]
  const replies = replyLines(benchmark, { samples }, lines)
  const run = { records, samples, lines, replies, model: 'org/My-Agent', judge, options: {}, finished: new Date(0) }
  const files = (await released?.write(run)) ?? []
  for (const { path, content } of files) await put(join('out', path), content)
  const scored = async (replies: AsyncIterable<string>, scoring: 'official' | 'strict') =>
    (await scoreReplyLines(benchmark, { records, replies, scoring })).metrics
  const own = () => writeJsonLines(replies)
  const back = () => repliesAt(benchmark, join(root, 'out'), async () => samples)
  return {
    paths: files.map(file => file.path),
    own: { official: await scored(own(), 'official'), strict: await scored(own(), 'strict') },
    back: { official: await scored(back(), 'official'), strict: await scored(back(), 'strict') },
  }
}

describe('a run that is written as the released tools keep theirs, and read back, scores the same', () => {
  test('CG-Bench: a file per question', async () => {
    const record = (qid: number) => ({
      qid,
      video_uid: 'v',
      question: 'q',
      answer: 'y',
      choices: ['x', 'y', 'z'],
      right_answer: 'B',
      clue_intervals: [[10, 20]],
      domain: 'd',
      sub_category: 's',
      duration: 90,
    })
    const data = await put('cgbench_mini.json', [1, 2, 3, 4].map(record))
    const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify({ result: value })}\n\`\`\``
    const { own, back, paths } = await roundTrip('cg-bench', data, [
      {
        id: '1',
        replies: { long_acc: fenced('B'), clue_acc: 'B', miou: fenced([[12, 25]]), open: fenced('y') },
        judge: { step_1: '1' },
      },
      {
        id: '2',
        replies: { long_acc: 'no idea', clue_acc: fenced('A'), miou: '10 20', open: 'blue' },
        judge: { step_1: fenced(2), step_2: fenced(1) },
      },
      { id: '3', replies: { long_acc: fenced('C'), clue_acc: null, miou: null, open: null } },
      {
        id: '4',
        replies: { long_acc: 'B', clue_acc: 'B', miou: fenced([]), open: 'red' },
        judge: { step_1: fenced(2), step_2: fenced(0) },
      },
    ])
    expect(paths).toEqual(['1.json', '2.json', '3.json', '4.json'])
    expect(JSON.parse(await readFile(join(root, 'out', '1.json'), 'utf8')).qid).toBe(1)
    expect(back).toEqual(own)
    expect(own.official.long_acc).toBeCloseTo(200 / 3)
  })

  test('InfiniBench: a prediction file per skill', async () => {
    const choice = (id: string) => ({ question_id: id, question: 'q', options: ['a', 'b', 'c'], answer_idx: 1 })
    const open = (id: string) => ({ question_id: id, question: 'q', answer: 'right' })
    await put('data/scene_transitions.json', [choice('0'), choice('1'), choice('2')])
    await put('data/summarization.json', [open('0'), open('1'), open('2')])
    const judged = (score: number) => ({ open: `{"score": ${score}, "justification": "it's so"}` })
    const { own, back, paths } = await roundTrip('infinibench', join(root, 'data'), [
      { id: 'scene_transitions:0', replies: { answer: '1' } },
      { id: 'scene_transitions:1', replies: { answer: 'B' } },
      { id: 'scene_transitions:2', replies: { answer: null } },
      { id: 'summarization:0', replies: { answer: 'x' }, judge: judged(7) },
      { id: 'summarization:1', replies: { answer: 'y' }, judge: judged(2) },
      { id: 'summarization:2', replies: { answer: 'z' }, judge: { open: 'no JSON' } },
    ])
    expect(paths).toEqual(['scene_transitions.json', 'summarization.json'])
    expect(back).toEqual(own)
    expect(own.official.score).toBe(4.5)
  })

  test('VideoEval-Pro: JSON lines, where a failed judgment is an object and the last line counts', async () => {
    const record = (i: number) => ({
      video: 'v.mp4',
      question: `q${i}?`,
      options: ['A. x', 'B. y'],
      answer: 'B',
      answer_text: 'y',
      source: 's',
      qa_type: 'Local Perception',
      qa_subtype: 'Other',
    })
    const data = await put('test.jsonl', [0, 1, 2, 3].map(i => `${JSON.stringify(record(i))}\n`).join(''))
    const { own, back, paths } = await roundTrip(
      'videoeval-pro',
      data,
      [
        { id: '0', replies: { open: 'y', mcq: 'B' }, judge: { open: 'A' } },
        { id: '1', replies: { open: 'x', mcq: 'ERROR' }, judge: { open: 'C' } },
        { id: '2', replies: { open: 'z', mcq: null }, judge: { open: null } },
      ],
      'gpt-4o',
    )
    expect(paths).toEqual(['My_Agent.jsonl'])
    expect(back).toEqual(own)
    expect(own.official.open).toBeCloseTo(200 / 3)
    expect(own.strict.open).toBe(25)
    const written = (await readFile(join(root, 'out', 'My_Agent.jsonl'), 'utf8')).trim().split('\n')
    expect(written.map(line => JSON.parse(line)).map(line => line.textqa_judge ?? line.stats)).toEqual([
      true,
      false,
      { correct: false, reason: 'Failed after multiple retries' },
      { textqa_judge_true: 2, mcq_judge_true: 1, total: 3 },
    ])
  })

  test('LongShOTBench: the tree of answers, verdicts and scores', async () => {
    const criteria = [5, 3].map((weight, i) => ({ name: `c${i}`, description: 'd', weight, is_penalty: false }))
    const sample = {
      sample_id: 's1',
      video_id: 'v',
      task: 'summarization',
      duration: 100,
      conversations: [
        { role: 'user', content: 'q', modalities: ['speech'] },
        { role: 'assistant', content: 'a', criteria },
      ],
    }
    const data = await put('test.jsonl', `${JSON.stringify(sample)}\n`)
    const met = (value: boolean) => `{"criteria_met": ${value}}`
    const { own, back, paths } = await roundTrip(
      'longshot',
      data,
      [
        {
          id: 's1__t1',
          replies: { answer: 'mine' },
          judge: { criterion_0: met(true), criterion_1: met(false) },
        },
      ],
      'Qwen/Qwen3-14B',
    )
    expect(paths).toEqual([
      './My_Agent/My_Agent.jsonl',
      './My_Agent/My_Agent_timing.json',
      './My_Agent/judges/qwen3_14b/My_Agent_eval.jsonl',
      './My_Agent/judges/qwen3_14b/My_Agent_score.txt',
      './My_Agent/judges/qwen3_14b/My_Agent_score.json',
      './My_Agent/judges/qwen3_14b/My_Agent_timing.json',
    ])
    expect(back).toEqual(own)
    expect(own.official.overall).toBe(62.5)
  })
})

const noSamples = async () => []

test('a folder that holds nothing of the kind says what is expected', async () => {
  await put('empty/readme.txt', 'x')
  const read = async (benchmark: string) => {
    for await (const _ of repliesAt(await loadBenchmark(benchmark), join(root, 'empty'), noSamples)) return
  }
  await expect(read('cg-bench')).rejects.toThrow(/holds no JSON file/)
  await expect(read('longshot')).rejects.toThrow(/0 judged files/)
})

test('results of two models in one CG-Bench file are two runs', async () => {
  await put('out/1.json', { qid: 1, results: { long_acc_a: { result: 1 }, long_acc_b: { result: 0 } } })
  const read = async () => {
    for await (const _ of repliesAt(await loadBenchmark('cg-bench'), join(root, 'out'), noSamples));
  }
  await expect(read()).rejects.toThrow(/several results for long_acc/)
})
