import { describe, expect, test } from 'vitest'
import { recordsOf, samplesOf, scorerOf } from '../../../tests/support/benchmark.ts'
import { oracle, oraclePath, withOracle } from '../../../tests/support/oracle.ts'
import { writeJsonLines } from '../../data/lines.ts'
import { cohensKappa } from '../../metrics/kappa.ts'
import { roundHalfEven } from '../../metrics/rounding.ts'
import { optionAsReleased } from './grade.ts'
import videoEvalPro, { spreadFrames, videoEvalProPrompt } from './index.ts'
import {
  gradeAsReleased,
  isReleasedVideoEvalProPrompt,
  judgePrompt,
  ownJudgePrompt,
  readGrade,
  videoEvalProReleasedJudge,
} from './judge.ts'
import type { VideoEvalProRecord } from './record.ts'

const scoreVideoEvalPro = scorerOf(videoEvalPro)

withOracle('videoeval-pro/option_judge_outputs.json')('the released reading of a choice', () => {
  for (const { id, gt, response, correct } of oracle<{ id: string; gt: string; response: string; correct: boolean }[]>(
    'videoeval-pro/option_judge_outputs.json',
  ))
    test(`${id}: ${JSON.stringify(response)} for ${gt}`, () => expect(optionAsReleased(gt, response)).toBe(correct))
})

withOracle('videoeval-pro/judge_outputs.json', 'videoeval-pro/judge_call.json')(
  'the released reading of a judgment',
  () => {
    interface Judged {
      id: string
      judge_reply: string | null
      value: unknown
      counted_as_correct_by_analyze: boolean
    }
    test('right, wrong and failed, where failed counts as right', () => {
      for (const item of oracle<Judged[]>('videoeval-pro/judge_outputs.json')) {
        const grade = gradeAsReleased(item.judge_reply)
        expect(grade, item.id).toBe(typeof item.value === 'object' ? 'failed' : item.value ? 'right' : 'wrong')
        expect(grade !== 'wrong', item.id).toBe(item.counted_as_correct_by_analyze)
      }
    })

    test('the call and the hash of the released prompt are known', () => {
      const call = oracle<Record<string, unknown>>('videoeval-pro/judge_call.json')
      expect(call).toMatchObject({
        call: {
          model: videoEvalProReleasedJudge.model,
          temperature: videoEvalProReleasedJudge.temperature,
          max_tokens: videoEvalProReleasedJudge.maxTokens,
        },
        prompt_chars: videoEvalProReleasedJudge.characters,
        prompt_sha256: videoEvalProReleasedJudge.sha256,
        ...videoEvalProReleasedJudge.filledWith,
      })
      expect(isReleasedVideoEvalProPrompt(ownJudgePrompt)).toBe(false)
    })
  },
)

withOracle('videoeval-pro/kappa_outputs.json')("Cohen's kappa", () => {
  test('the published values', () => {
    for (const { a, b, kappa } of oracle<{ a: number[]; b: number[]; kappa: number | null }[]>(
      'videoeval-pro/kappa_outputs.json',
    ))
      expect(cohensKappa(a.map(Boolean), b.map(Boolean))).toBe(kappa)
  })
})

withOracle('videoeval-pro/frames_sampling_outputs.json')('frames', () => {
  test('the published indices', () => {
    for (const { total, num, indices } of oracle<{ total: number; num: number; indices: number[] }[]>(
      'videoeval-pro/frames_sampling_outputs.json',
    ))
      expect(spreadFrames(total, num)).toEqual(indices)
  })
})

type Item = VideoEvalProRecord & { textqa_answer: string; mcq_answer: string; _judge_reply: string | null }
interface Outputs {
  official_stats: { textqa_judge_true: number; mcq_judge_true: number; total: number }
  official_printed: string
  strict: { accuracy: number }
  by_type: Record<
    string,
    { n: number; open_strict: number; open_as_official: number; mcq: number; kappa_open_vs_mcq: number | null }
  >
}

withOracle('videoeval-pro/e2e_items.json', 'videoeval-pro/e2e_outputs.json')('a whole results file', () => {
  const items = oracle<Item[]>('videoeval-pro/e2e_items.json')
  const outputs = oracle<Outputs>('videoeval-pro/e2e_outputs.json')
  const lines = () =>
    writeJsonLines(
      items.map((item, id) => ({
        id,
        replies: { open: item.textqa_answer, mcq: item.mcq_answer },
        judge: { open: item._judge_reply },
      })),
    )

  test('official totals and types', async () => {
    const scores = await scoreVideoEvalPro(items, { replies: lines(), scoring: 'official' })
    const { textqa_judge_true, mcq_judge_true, total } = outputs.official_stats
    expect(scores.n).toBe(total)
    expect(scores.metrics.open).toBeCloseTo((textqa_judge_true / total) * 100, 10)
    expect(scores.metrics.mcq).toBeCloseTo((mcq_judge_true / total) * 100, 10)
    const printed = [scores.metrics.open, scores.metrics.mcq].map(value => roundHalfEven((value ?? 0) / 100, 3))
    expect(outputs.official_printed).toContain(`\n${printed.join('\n')}\n`)
    for (const [type, row] of Object.entries(outputs.by_type)) {
      expect(scores.groups[type]!.n).toBe(row.n)
      expect(scores.groups[type]!.open).toBeCloseTo(row.open_as_official * 100, 10)
      expect(scores.groups[type]!.mcq).toBeCloseTo(row.mcq * 100, 10)
    }
  })

  test('strict: a failed judgment is wrong', async () => {
    const scores = await scoreVideoEvalPro(items, { replies: lines(), scoring: 'strict' })
    expect(scores.metrics.open).toBeCloseTo(outputs.strict.accuracy * 100, 10)
    for (const [type, row] of Object.entries(outputs.by_type))
      expect(scores.groups[type]!.open).toBeCloseTo(row.open_strict * 100, 10)
  })

  test('kappa by type', async () => {
    const scores = await scoreVideoEvalPro(items, { replies: lines(), scoring: 'official' })
    for (const [type, row] of Object.entries(outputs.by_type))
      expect(scores.groups[type]!.kappa).toBeCloseTo(row.kappa_open_vs_mcq ?? 0, 10)
  })
})

describe('scoring', () => {
  const record = (answer: string): VideoEvalProRecord => ({
    video: 'v.mp4',
    question: 'What colour?',
    options: ['A. red', 'B. blue', 'C. pink', 'D. teal'],
    answer,
    answer_text: 'blue',
    qa_type: 'Local Perception',
  })
  const score = (scoring: 'official' | 'strict', lines: object[]) =>
    scoreVideoEvalPro([record('B'), record('C')], { replies: writeJsonLines(lines), scoring })

  test('strict reads a choice that the released rule misreads, and does not take a word for one', async () => {
    const lines = [
      { id: 0, replies: { mcq: 'The correct answer is B' } },
      { id: 1, replies: { mcq: 'cannot say' } },
    ]
    expect((await score('official', lines)).metrics).toEqual({ open: null, mcq: 50, gap: null })
    const strict = await score('strict', lines)
    expect(strict.metrics).toEqual({ open: null, mcq: 50, gap: null })
    expect(strict.excluded).toEqual([{ id: '1', reason: 'mcq: no choice (none)' }])
  })

  test('a question without a line counts only in strict', async () => {
    const lines = [{ id: 0, replies: { open: 'blue', mcq: 'B' }, judge: { open: 'A' } }]
    expect(await score('official', lines)).toMatchObject({ n: 2, metrics: { open: 100, mcq: 100 } })
    const strict = await score('strict', lines)
    expect(strict).toMatchObject({ n: 2, metrics: { open: 50, mcq: 50 } })
    expect(strict.excluded.map(item => item.reason)).toEqual(['open: no reply', 'mcq: no reply'])
  })

  test('a grade in quotes, brackets or words is a grade; two are none', () => {
    for (const reply of ['A', 'a', '"A"', '(A)', '**A**', 'A.', 'A: CORRECT', 'CORRECT', 'Grade: A', 'Answer: A'])
      expect(readGrade(reply), reply).toBe('A')
    for (const reply of ['B', 'INCORRECT', 'B: INCORRECT', 'It is incorrect.'])
      expect(readGrade(reply), reply).toBe('B')
    for (const reply of ['C', 'NOT_ATTEMPTED', 'NOT ATTEMPTED', 'C: NOT_ATTEMPTED'])
      expect(readGrade(reply), reply).toBe('C')
    for (const reply of ['', null, undefined, 'Ambiguous', 'A or B', 'correct or incorrect', 'A: INCORRECT', 'Α'])
      expect(readGrade(reply), String(reply)).toBeUndefined()
  })

  test('the judge prompt is filled in once, whatever the texts hold', () => {
    const prompt = judgePrompt({ question: 'a {target} b?', target: '$& {predicted}', predicted: 'x' })
    expect(prompt).toContain('Question: a {target} b?\nTarget: $& {predicted}\nAnswer: x')
  })

  test('the requests have the released structure', () => {
    expect(videoEvalProPrompt('open', record('B'))).toMatch(/^What colour\? \S/)
    expect(videoEvalProPrompt('mcq', record('B')).split('\n').slice(1)).toEqual([
      'What colour?',
      'A. red B. blue C. pink D. teal',
    ])
  })
})

withOracle('videoeval-pro/e2e_items.json')('samples', () => {
  test('options lose their letters and the right one is known', async () => {
    const path = oraclePath('videoeval-pro/e2e_items.json')
    const [first] = await recordsOf(videoEvalPro, path)
    const [sample] = await samplesOf(videoEvalPro, path)
    expect(sample).toMatchObject({ id: '0', reference: first!.answer_text, groups: { qa_type: first!.qa_type } })
    expect(sample!.question.options?.[sample!.choice ?? -1]).toBe(`opt${first!.answer}`)
  })
})
