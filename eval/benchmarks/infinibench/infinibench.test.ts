import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf, samplesOf, scorerOf } from '../../../tests/support/benchmark.ts'
import { oracle, oraclePath, withOracle } from '../../../tests/support/oracle.ts'
import { writeJsonLines } from '../../data/lines.ts'
import { readExactRecords } from '../../data/records.ts'
import { isDict, type PythonDict, toPlain } from '../../python/value.ts'
import { infiniBenchPrompt, predictedIndex } from './frames.ts'
import infiniBench from './index.ts'
import { infiniBenchReleasedJudge, isReleasedSystem, judgeText, ownSystem, readScore } from './judge.ts'
import { infiniBenchRecord } from './record.ts'

const scoreInfiniBench = scorerOf(infiniBench)

async function exact(path: string): Promise<PythonDict> {
  const [value] = await readExactRecords(oraclePath(path))
  if (!isDict(value)) throw new Error('not an object')
  return value
}

// A line that writes its numbers as the prediction file does.
function line(id: string, record: PythonDict): string {
  const parts: string[] = []
  if (record.has('pred')) parts.push(`"replies": {"answer": ${written(record.get('pred') ?? null)}}`)
  if (record.has('judge_reply')) parts.push(`"judge": {"open": ${JSON.stringify(record.get('judge_reply'))}}`)
  return `{"id": ${JSON.stringify(id)}${parts.map(part => `, ${part}`).join('')}}`
}

function written(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value)
  return JSON.stringify(value)
}

withOracle('infinibench/mcq_outputs.json')('choices, one record at a time', () => {
  test('right only where Python prints the same', async () => {
    const cases = (await exact('infinibench/mcq_outputs.json')).get('records') as PythonDict[]
    for (const item of cases) {
      const data = item.get('record') as PythonDict
      const id = item.get('id') as string
      const record = infiniBenchRecord(new Map([...data, ['question_id', id]]), 'scene_transitions', 'test', 0)
      const scores = await scoreInfiniBench([record], {
        replies: writeJsonLines([line(id, data)]),
        scoring: 'official',
      })
      expect(scores.metrics.accuracy, id).toBe(item.get('correct') ? 100 : 0)
      expect(scores.groups.scene_transitions!.missing, id).toBe(Number(item.get('missing')))
    }
  })
})

withOracle('infinibench/judge_outputs.json', 'infinibench/judge_call.json')('the judge', () => {
  interface Judged {
    id: string
    judge_reply: string | string[] | null
    gpt_score: number | null
    justification: string
  }
  const cases = oracle<Judged[]>('infinibench/judge_outputs.json')

  test('what counts as a score', () => {
    for (const item of cases) {
      if (Array.isArray(item.judge_reply)) continue // a connection that fails is asked again
      const judgment = readScore(item.judge_reply)
      expect(judgment.score, item.id).toBe(item.gpt_score)
      if (judgment.score !== null) expect(judgment.justification, item.id).toBe(item.justification)
      else if (/: Invalid/.test(item.justification))
        expect(`Evaluation failed: ${judgment.error}`).toBe(item.justification)
    }
  })

  test('the call and the hash of the released system text are known', () => {
    const call = oracle<{ call: unknown; system_sha256: string; system_chars: number; user_text: string }>(
      'infinibench/judge_call.json',
    )
    expect(call.call).toEqual({
      model: infiniBenchReleasedJudge.model,
      response_format: { type: infiniBenchReleasedJudge.format },
      temperature: infiniBenchReleasedJudge.temperature,
      max_tokens: infiniBenchReleasedJudge.maxTokens,
      timeout: infiniBenchReleasedJudge.timeoutSeconds,
    })
    expect([call.system_sha256, call.system_chars]).toEqual([
      infiniBenchReleasedJudge.systemSha256,
      infiniBenchReleasedJudge.systemCharacters,
    ])
    expect(isReleasedSystem(ownSystem)).toBe(false)
    const fields = (text: string) => [...text.matchAll(/^[A-Z][\w ]+: (\w)$/gm)].map(match => match[1])
    expect(fields(judgeText({ question: 'q', answer: 'a', predicted: 'p' }))).toEqual(fields(call.user_text))
  })
})

withOracle('infinibench/e2e.json')('all skills', () => {
  interface Expected {
    mcq_results: Record<string, { accuracy: number; total_items: number; missing_predictions: number }>
    open_ended_results: Record<
      string,
      Record<'average_score' | 'min_score' | 'max_score' | 'total_items' | 'valid_scores' | 'missing_scores', number>
    >
    summary: { overall_gpt_score: number; overall_accuracy: number; overall_paper_formula_0_100: number }
  }
  const expected = oracle<Expected>('infinibench/e2e.json')
  async function run(scoring: 'official' | 'strict') {
    const inputs = (await exact('infinibench/e2e.json')).get('inputs') as PythonDict
    const rows = [...inputs].flatMap(([skill, list]) =>
      (list as PythonDict[]).map(row => ({ skill: String(skill), row })),
    )
    const records = rows.map(({ skill, row }, i) => infiniBenchRecord(row, skill, 'e2e', i))
    return scoreInfiniBench(records, {
      replies: writeJsonLines(rows.map(({ row }) => line(String(row.get('question_id')), row))),
      scoring,
    })
  }

  test('official', async () => {
    const scores = await run('official')
    for (const [skill, row] of Object.entries(expected.mcq_results))
      expect(scores.groups[skill]).toEqual({
        n: row.total_items,
        accuracy: row.accuracy * 100,
        missing: row.missing_predictions,
      })
    for (const [skill, row] of Object.entries(expected.open_ended_results))
      expect(scores.groups[skill]).toEqual({
        n: row.total_items,
        score: row.average_score,
        lowest: row.min_score,
        highest: row.max_score,
        valid: row.valid_scores,
        missing: row.missing_scores,
      })
    expect(scores.metrics.accuracy).toBeCloseTo(expected.summary.overall_accuracy * 100, 10)
    expect(scores.metrics.score).toBeCloseTo(expected.summary.overall_gpt_score, 10)
    expect(scores.metrics.overall).toBeCloseTo(expected.summary.overall_paper_formula_0_100, 10)
  })

  test('strict: a failed judgment is 0', async () => {
    const scores = await run('strict')
    for (const [skill, row] of Object.entries(expected.open_ended_results))
      expect(scores.groups[skill]!.score).toBeCloseTo((row.average_score * row.valid_scores) / row.total_items, 10)
    expect(scores.metrics.accuracy).toBeCloseTo(expected.summary.overall_accuracy * 100, 10)
    expect(scores.excluded.length).toBeGreaterThan(0)
  })
})

describe('scoring', () => {
  const record = (id: string, skill: string, more: [string, string | bigint][]) =>
    infiniBenchRecord(new Map<string, string | bigint>([['question_id', id], ...more]), skill, 'test', 0)
  const records = [
    record('a', 'scene_transitions', [['answer_idx', 1n]]),
    record('b', 'character_actions', [['answer_idx', 1n]]),
    record('c', 'summarization', [['answer', 'x']]),
    record('d', 'spoiler_questions', [['answer', 'x']]),
  ]
  const score = (scoring: 'official' | 'strict', lines: object[]) =>
    scoreInfiniBench(records, { replies: writeJsonLines(lines), scoring })
  const judged = (id: string, points: number) => ({
    id,
    replies: { answer: 'y' },
    judge: { open: `{"score": ${points}, "justification": ""}` },
  })

  test('a skill without any reply leaves the official mean and is 0 in strict', async () => {
    const lines = [{ id: 'a', replies: { answer: 1 } }, judged('c', 8)]
    expect((await score('official', lines)).metrics).toEqual({ accuracy: 100, score: 8, overall: 90 })
    expect((await score('strict', lines)).metrics).toEqual({ accuracy: 50, score: 4, overall: 45 })
  })

  test('a half that was not run has no metric', async () => {
    for (const scoring of ['official', 'strict'] as const)
      expect((await score(scoring, [{ id: 'a', replies: { answer: 1 } }])).metrics).toMatchObject({
        score: null,
        overall: null,
      })
  })

  test('Python literals that are no JSON are judgments', () => {
    expect(readScore("{'score': True, 'justification': None}")).toEqual({ score: 1, justification: 'None' })
    expect(readScore('{"score": 0x0A, "justification": "a" "b",}')).toEqual({ score: 10, justification: 'ab' })
  })

  test('a reply becomes an option number where it gives one', () => {
    const options = ['red car', 'blue car', 'a bus', "I don't know"]
    const replies: [string | null, number | null][] = [
      ['2', 2],
      ['(1)', 1],
      ['Option 3', 3],
      ['The answer is 0.', 0],
      ['C', 2],
      ['(B) blue car', 1],
      ['It is the blue car.', 1],
      ["I don't know", 3],
      ['7', null],
      ['2.5', null],
      ['none', null],
      [null, null],
    ]
    for (const [reply, index] of replies) expect(predictedIndex(reply, options) ?? null, String(reply)).toBe(index)
  })
})

describe('reading the files of a split', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longtake-infinibench-'))
    for (const split of ['validation', 'train']) {
      await mkdir(join(folder, split, 'skills_json'), { recursive: true })
      await writeFile(
        join(folder, split, 'skills_json', 'scene_transitions.json'),
        JSON.stringify([
          {
            question_id: `${split}1`,
            question: 'Where?',
            options: "[['a', 'b'], \"I don't know\"]",
            answer_idx: 1,
            video_path_mp4: 'x.mp4',
          },
        ]),
      )
      await writeFile(
        join(folder, split, 'skills_json', 'summarization.json'),
        JSON.stringify([{ question_id: `${split}2`, skill_name: 'summarization', question: 'What?', answer: 'it' }]),
      )
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('one split is chosen by name, several are not mixed', async () => {
    const records = await recordsOf(infiniBench, folder, 'validation')
    expect(records.map(record => [record.id, record.skill])).toEqual([
      ['validation1', 'scene_transitions'],
      ['validation2', 'summarization'],
    ])
    await expect(recordsOf(infiniBench, folder)).rejects.toThrow(/2 splits .*train, validation/)
    await expect(recordsOf(infiniBench, folder, 'test')).rejects.toThrow(/no split "test"/)
  })

  test('an option that is a list of events is one option', async () => {
    const [first] = await recordsOf(infiniBench, join(folder, 'train'))
    expect(first!.options).toEqual(['a, b', "I don't know"])
    expect(infiniBenchPrompt(first!)).toContain('Options:\n0. a, b\n1. I don')
    const [sample] = await samplesOf(infiniBench, join(folder, 'train'))
    expect(sample).toMatchObject({ id: 'train1', choice: 1, video: 'x.mp4', groups: { skill: 'scene_transitions' } })
    expect(toPlain(first!.record)).toMatchObject({ answer_idx: 1 })
  })
})
