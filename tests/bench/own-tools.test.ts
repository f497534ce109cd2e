import { describe, expect, test } from 'vitest'
import { CgBenchRecord } from '../../eval/benchmarks/cg-bench/record.ts'
import { releasedResult } from '../../eval/benchmarks/cg-bench/released.ts'
import infiniBench from '../../eval/benchmarks/infinibench/index.ts'
import { infiniBenchRecord } from '../../eval/benchmarks/infinibench/record.ts'
import { infiniBenchReleased, predictionLines } from '../../eval/benchmarks/infinibench/released.ts'
import { judgedSample } from '../../eval/benchmarks/longshot/grade.ts'
import { poolOfficial, share } from '../../eval/benchmarks/longshot/official.ts'
import { writeJsonLines } from '../../eval/data/lines.ts'
import { readReplies } from '../../eval/data/replies.ts'
import type { SampleLine } from '../../eval/data/sample-line.ts'
import { parsePythonJson } from '../../eval/python/json.ts'
import type { PythonValue } from '../../eval/python/value.ts'
import { scorerOf } from '../support/benchmark.ts'

const scoreInfiniBench = scorerOf(infiniBench)

describe('files that the released tools read', () => {
  test('a LongShOT sample with answers and verdicts is scored by the released rules', () => {
    const sample = {
      sample_id: 's',
      task: 'summarization',
      conversations: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a', criteria: [5, 3, 2].map(weight => ({ weight, is_penalty: false })) },
      ],
    }
    const judged = judgedSample(
      sample,
      new Map([[1, { answer: 'mine', verdicts: ['{"criteria_met": true}', 'nope', null] }]]),
    )
    expect(judged.conversations).toMatchObject([
      {},
      {
        candidate_response: 'mine',
        criteria: [
          { criteria_met: true },
          { criteria_met: null, evaluation_error: expect.any(String) },
          { criteria_met: null },
        ],
      },
    ])
    const points = poolOfficial([judged]).byTask.get('summarization')
    expect(points && share(points)).toBe(0.5)
    expect(judgedSample(sample, new Map()).conversations).toMatchObject([{}, { candidate_response: '' }])
  })

  test('an InfiniBench prediction file goes out and comes back with the same score', async () => {
    const rows = ['1', '2.0', 'true', '"1"', 'null'].map((pred, i) =>
      parsePythonJson(`{"question_id": "q${i}", "answer_idx": 1, "pred": ${pred}}`),
    )
    const records = rows.map((row, i) => infiniBenchRecord(row, 'scene_transitions', 'test', i))
    const lines = predictionLines(rows, String)
    const score = async (texts: string[]) =>
      (await scoreInfiniBench(records, { replies: writeJsonLines(texts), scoring: 'official' })).metrics.accuracy
    expect(await score(lines)).toBe(40)
    const replied = [...(await readReplies(writeJsonLines(lines))).byId.values()].map(({ id, replies }) => ({
      id,
      replies,
    }))
    const [file] = await infiniBenchReleased.write({
      records,
      samples: [],
      lines: replied as unknown as SampleLine[],
      replies: lines,
      model: 'm',
      options: {},
      finished: new Date(0),
    })
    const back = JSON.parse(file!.content) as { pred: unknown }[]
    expect(back.map(row => row.pred)).toEqual([1, '2.0', 'True', 1, null])
    expect(await score(predictionLines(rowsOf(back), String))).toBe(40)
  })

  test('an InfiniBench score that a file holds stands in for the judge', async () => {
    const row = parsePythonJson('{"question_id": "q", "answer": "a", "pred": "p", "gpt_score": 7}')
    const record = infiniBenchRecord(row, 'summarization', 'test', 0)
    const scores = await scoreInfiniBench([record], {
      replies: writeJsonLines(predictionLines([row], String)),
      scoring: 'official',
    })
    expect(scores.metrics.score).toBe(7)
  })

  test('a CG-Bench result is saved only where the released tools would save one', () => {
    const record = CgBenchRecord.parse({
      qid: 1,
      video_uid: 'v',
      question: 'q',
      choices: ['x', 'y'],
      right_answer: 'B',
      clue_intervals: [[1, 2]],
      duration: 9,
    })
    expect(releasedResult(record, 'long_acc', 'no idea')).toBeUndefined()
    expect(releasedResult(record, 'long_acc', 'B')).toEqual({ version: 0, result: 1 })
    const judge = { step_1: '```json\n{"result": 2}\n```', step_2: '1' }
    expect(releasedResult(record, 'open', 'blue', judge)).toEqual({
      version: 0,
      result: 'blue',
      step_1: { version: 0, result: 2 },
      step_2: { version: 0, result: 1 },
    })
    expect(releasedResult(record, 'open', 'blue', { step_1: '0' })).toMatchObject({ step_2: { result: 0 } })
  })
})

function rowsOf(file: object[]): PythonValue[] {
  return file.map(row => parsePythonJson(JSON.stringify(row)))
}
