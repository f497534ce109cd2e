import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recordsOf, samplesOf, scorerOf } from '../../../tests/support/benchmark.ts'
import { oracle, oraclePath, withOracle } from '../../../tests/support/oracle.ts'
import { writeJsonLines } from '../../data/lines.ts'
import { parseRecord } from '../../data/parse-record.ts'
import type { Scores } from '../../data/sample.ts'
import type { Interval } from '../../metrics/intervals.ts'
import { parseCues } from '../../protocols/cues.ts'
import { toPlain } from '../../python/value.ts'
import { framesOfClues, framesOverall } from './frames.ts'
import cgBench from './index.ts'
import {
  asReleased,
  blindWording,
  cgBenchPrompt,
  ownWording,
  type PromptTask,
  readCgBenchWording,
  releasedSystems,
  resultKey,
  withBareLetter,
} from './prompt.ts'
import { CgBenchRecord } from './record.ts'
import { readCgBenchVerdict, readGrounding, readLetter, readOpen } from './reply.ts'
import { subtitleLines } from './subtitles.ts'

const scoreCgBench = scorerOf(cgBench)

const mini = '../data/cg-bench/cgbench_mini.json'

interface Case {
  id: string
  reply: string | null
}
interface Inputs {
  mcq: (Case & { right_answer: string })[]
  miou: (Case & { clue_intervals: Interval[]; duration: number })[]
  open: Case[]
  judge: Case[]
}
type Outputs = Record<'mcq' | 'miou' | 'open' | 'judge_step1' | 'judge_step2', Record<string, { result: unknown }>>

withOracle('cg-bench/inputs.json', 'cg-bench/outputs_records.json')('one reply at a time, as released', () => {
  const inputs = oracle<Inputs>('cg-bench/inputs.json')
  const { official } = oracle<{ official: Outputs }>('cg-bench/outputs_records.json')
  const results = (outputs: Record<string, { result: unknown }>) =>
    Object.fromEntries(Object.entries(outputs).map(([id, { result }]) => [id, result]))
  const read = <Item extends Case>(cases: Item[], of: (item: Item) => unknown) =>
    Object.fromEntries(cases.map(item => [item.id, of(item)]))

  test('multiple choice', () => {
    expect(read(inputs.mcq, item => readLetter(item.reply, item.right_answer).value)).toEqual(results(official.mcq))
  })

  test('grounding, where a reply that makes the released scorer raise has no result', () => {
    expectClose(
      read(inputs.miou, item => readGrounding(item.reply, item.clue_intervals).value),
      results(official.miou),
    )
    const raised = Object.entries(official.miou).filter(([, output]) => 'error' in output)
    for (const [id] of raised) {
      const item = inputs.miou.find(other => other.id === id)
      expect(readGrounding(item?.reply, item?.clue_intervals ?? []).rule, id).toBe('overlap outside JSON')
    }
    expect(raised.length).toBeGreaterThan(0)
  })

  test('open answers', () => {
    expect(read(inputs.open, item => toPlain(readOpen(item.reply).value))).toEqual(results(official.open))
  })

  test('both steps of the judge', () => {
    for (const step of [1, 2] as const) {
      expect(read(inputs.judge, item => toPlain(readCgBenchVerdict(item.reply, step).value))).toEqual(
        results(official[`judge_step${step}`]),
      )
    }
  })
})

interface Mean {
  total: number
  mean: number
  final: number
}
interface Aggregate {
  official_stat_with_key: Record<'long' | 'clue' | 'miou' | 'rec@iou' | 'acc@iou', Mean> & {
    CRR_paper_formula: number
    all_records_missing_as_zero: Record<'long' | 'clue' | 'miou' | 'rec@iou' | 'acc@iou' | 'CRR', number>
  }
}
interface RecordOutput {
  qid: number
  off_long: number | null
  off_clue: number | null
  off_miou: number | null
}
type RealReplies = Record<'long_acc' | 'clue_acc' | 'miou', string | null> & { qid: number }

const releasedPart = ({ qid, off_long, off_clue, off_miou }: RecordOutput) => ({ qid, off_long, off_clue, off_miou })

withOracle(
  mini,
  'cg-bench/real3000_replies.json',
  'cg-bench/real3000_record_outputs.json',
)('replies for all of the mini set', () => {
  const replies = oracle<RealReplies[]>('cg-bench/real3000_replies.json')
  const outputs = oracle<RecordOutput[]>('cg-bench/real3000_record_outputs.json')
  const { official_stat_with_key: official } = oracle<Aggregate>('cg-bench/real3000_aggregate_outputs.json')
  const records = oracle<unknown[]>(mini).map(value => CgBenchRecord.parse(value))
  const byQid = new Map(records.map(record => [record.qid, record]))
  const lines = () => writeJsonLines(replies.map(({ qid, ...texts }) => ({ id: qid, replies: texts })))
  const record = (qid: number) => byQid.get(String(qid)) as CgBenchRecord

  test('every record, as released', () => {
    for (const [i, reply] of replies.entries()) {
      const { right_answer, clue_intervals } = record(reply.qid)
      expectClose(
        {
          qid: reply.qid,
          off_long: readLetter(reply.long_acc, right_answer).value,
          off_clue: readLetter(reply.clue_acc, right_answer).value,
          off_miou: readGrounding(reply.miou, clue_intervals).value,
        },
        releasedPart(outputs[i]!),
      )
    }
  })

  test('official metrics are those of the released script', async () => {
    const scores = await scoreCgBench(records, { replies: lines(), scoring: 'official' })
    const { rec_at_iou_0: _, acc_at_iou_0: __, ...released } = scores.metrics
    expectClose(released, {
      long_acc: official.long.mean * 100,
      clue_acc: official.clue.mean * 100,
      miou: official.miou.mean * 100,
      rec_at_iou: official['rec@iou'].final * 100,
      acc_at_iou: official['acc@iou'].final * 100,
      crr: official.CRR_paper_formula * 100,
      oe_acc: null,
    })
    expect(scores.n).toBe(3000)
    const left = (task: string) => 3000 - scores.excluded.filter(({ reason }) => reason.startsWith(`${task}:`)).length
    expect([left('long_acc'), left('clue_acc'), left('miou')]).toEqual([
      official.long.total,
      official.clue.total,
      official.miou.total,
    ])
  })

  test('strict metrics count every record', async () => {
    const scores = await scoreCgBench(records, { replies: lines(), scoring: 'strict' })
    const zero = official.all_records_missing_as_zero
    expectClose(pick(scores, 'long_acc', 'clue_acc', 'crr'), {
      long_acc: zero.long * 100,
      clue_acc: zero.clue * 100,
      crr: zero.CRR * 100,
    })
    // Cleaning the intervals moves IoU a little either way: reversed ones no longer subtract, a sixth no longer counts.
    expect(Math.abs((scores.metrics.miou ?? 0) - zero.miou * 100)).toBeLessThan(0.6)
    expect(Math.abs((scores.metrics.rec_at_iou ?? 0) - zero['rec@iou'] * 100)).toBeLessThan(0.6)
    expect(scores.excluded.length).toBeGreaterThan(0)
  })

  test('groups add up to the whole', async () => {
    const scores = await scoreCgBench(records, { replies: lines(), scoring: 'strict' })
    const { threshold: _, ...ways } = scores.groups
    for (const group of Object.values(ways)) {
      const rows = Object.values(group) as { n: number; long_acc: number }[]
      expect(rows.reduce((sum, row) => sum + row.n, 0)).toBe(3000)
      expect(rows.reduce((sum, row) => sum + row.n * row.long_acc, 0) / 3000).toBeCloseTo(
        scores.metrics.long_acc ?? 0,
        9,
      )
    }
  })

  test('the file on disk gives the same records and samples', async () => {
    const read = await recordsOf(cgBench, oraclePath(mini))
    expect(read).toEqual(records)
    for (const sample of (await samplesOf(cgBench, oraclePath(mini))).slice(0, 50)) {
      expect(sample.question.options?.[sample.choice ?? -1]).toBe(sample.reference)
      expect(sample.clues?.length).toBeGreaterThan(0)
    }
  })
})

withOracle('cg-bench/sampling_outputs.json')('frames', () => {
  interface Sampling {
    global: { max_frame: number; num_segment: number; indices: number[] }[]
    clue: { clue_intervals: Interval[]; fps: number; num_segment: number; indices: number[] }[]
  }
  const sampling = oracle<Sampling>('cg-bench/sampling_outputs.json')

  test('over the whole video', () => {
    for (const item of sampling.global) expect(framesOverall(item.max_frame, item.num_segment)).toEqual(item.indices)
  })

  test('of the clue intervals', () => {
    for (const item of sampling.clue)
      expect(framesOfClues(item.clue_intervals, item.num_segment, item.fps)).toEqual(item.indices)
  })
})

interface Prompts {
  anno: CgBenchRecord & { results: Record<string, { result: string }> }
  srt: string
  fps: number
  prompts: {
    task: string
    sub: boolean
    sub_time: boolean
    frame_time: boolean
    frame_indices: number[]
    user_text: string
    system_sha256: string
  }[]
}

withOracle('cg-bench/prompt_outputs.json', 'cg-bench/subs/demo.srt')('prompts', () => {
  const { anno, srt, fps, prompts } = oracle<Prompts>('cg-bench/prompt_outputs.json')
  const record = CgBenchRecord.parse(Object.assign({ qid: 1, duration: 80 }, anno))
  const step = (task: string) => task.replace('eval_open_', '') as PromptTask
  // The released phrases are a person's own file; here they are taken from what the release printed.
  const first = (pattern: RegExp) => prompts.map(item => pattern.exec(item.user_text)?.[1]).find(Boolean) as string
  const wording = {
    ...ownWording,
    subtitles: first(/^(.*subtitles.*)\n\n/),
    frameTimes: first(/(A total of .*:)\n\n/).replace(/\d+/, '{count}'),
    question: first(/(.*)What colour/),
    truth: first(/(.*'blue')/).replace('blue', '{answer}'),
    prediction: first(/(.*'navy blue')/).replace('navy blue', '{prediction}'),
  }

  test('with the released wording the text is the released text', () => {
    const cues = parseCues(srt)
    for (const item of prompts) {
      const lines = subtitleLines(cues, item.frame_indices, fps, { times: item.sub_time, markup: 'as released' })
      const text = cgBenchPrompt(
        step(item.task),
        record,
        {
          subtitles: item.sub ? lines : undefined,
          frames: item.frame_time ? { indices: item.frame_indices, framesPerSecond: fps } : undefined,
          prediction: anno.results.open_m_s_128_True_True_True!.result,
        },
        wording,
      )
      expect(text).toBe(item.user_text)
    }
  })

  test('our wording keeps the order of the blocks, the subtitle lines, the times and the options', () => {
    for (const item of prompts) {
      const shown = {
        subtitles: item.sub
          ? subtitleLines(parseCues(srt), item.frame_indices, fps, { times: true, markup: 'plain' })
          : undefined,
        frames: item.frame_time ? { indices: item.frame_indices, framesPerSecond: fps } : undefined,
        prediction: 'navy blue',
      }
      const count = (text: string) => text.split('\n\n').length
      expect(count(cgBenchPrompt(step(item.task), record, shown))).toBe(count(item.user_text))
    }
  })

  test('the known hashes are those of the released system texts, and tell ours from them', () => {
    for (const item of prompts) expect(releasedSystems[step(item.task)]).toBe(item.system_sha256)
    expect(asReleased(ownWording)).toEqual([])
  })

  test('the demo file on disk has the same cues', () => {
    expect(parseCues(readFileSync(oraclePath('cg-bench/subs/demo.srt'), 'utf8'))).toEqual(parseCues(srt))
  })

  test('without markup and without times an equal line is shown once', () => {
    const cues = parseCues(srt)
    const frames = Array.from({ length: 80 }, (_, i) => i * 25)
    const plainLines = subtitleLines(cues, frames, fps, { times: false, markup: 'plain' })
    expect(plainLines).toContain('Hello there')
    expect(new Set(plainLines).size).toBe(plainLines.length)
    expect(plainLines.join()).not.toMatch(/[<{]/)
  })
})

describe('scoring', () => {
  const record = (qid: number, more: object = {}) =>
    CgBenchRecord.parse({
      qid,
      video_uid: 'v',
      question: 'What?',
      choices: ['x', 'y', 'z', 'u', 'w'],
      right_answer: 'B',
      clue_intervals: [[10, 20]],
      duration: 100,
      ...more,
    })
  const score = (scoring: 'official' | 'strict', lines: object[], records = [record(1), record(2)]): Promise<Scores> =>
    scoreCgBench(records, { replies: writeJsonLines(lines), scoring })
  const open = (id: number, judge: object, reply: string | null = 'yes') => ({ id, replies: { open: reply }, judge })

  test('an unusable reply leaves the official denominator and counts as wrong in strict', async () => {
    const lines = [
      { id: 1, replies: { long_acc: 'B', miou: '[[12, 18], [14, 19]]' } },
      { id: 2, replies: { long_acc: 'no idea', miou: '```json\n{"result": [[10, 20]]}\n```' } },
    ]
    const official = await score('official', lines)
    expect(official.metrics).toMatchObject({ long_acc: 100, clue_acc: null, miou: 100, acc_at_iou: null, crr: null })
    expect(official.excluded.map(item => item.id)).toEqual(['1', '2'])
    const strict = await score('strict', lines)
    expect(strict.metrics).toMatchObject({ long_acc: 50, clue_acc: null, miou: 85, acc_at_iou: 50 })
    expect(strict.excluded).toEqual([{ id: '2', reason: 'long_acc: no letter A to H in the reply' }])
  })

  test('strict drops reversed and outlying intervals, clips, and keeps five', async () => {
    const json = (intervals: unknown) => `\`\`\`json\n${JSON.stringify({ result: intervals })}\n\`\`\``
    const lines = [
      {
        id: 1,
        replies: {
          miou: json([
            [10, 20],
            [100, 95],
          ]),
        },
      },
      {
        id: 2,
        replies: {
          miou: json([
            [1, 2],
            [3, 4],
            [5, 6],
            [7, 8],
            [8.5, 9],
            [10, 20],
          ]),
        },
      },
    ]
    expect((await score('official', lines)).metrics.miou).toBeGreaterThan(100)
    expect((await score('strict', lines)).metrics.miou).toBe(50)
  })

  test('the second step is asked only for what the first left open', async () => {
    const verdict = (value: unknown) => `\`\`\`json\n{"result": ${JSON.stringify(value)}}\n\`\`\``
    const records = [1, 2, 3, 4, 5].map(qid => record(qid))
    const lines = [
      open(1, { step_1: verdict(1), step_2: verdict(0) }),
      open(2, { step_1: verdict(2), step_2: verdict(1) }),
      open(3, { step_1: verdict('1'), step_2: verdict('1') }),
      open(4, { step_1: verdict(2), step_2: null }),
      open(5, { step_1: verdict(1) }, null),
    ]
    expect((await score('official', lines, records)).metrics.oe_acc).toBeCloseTo((2 / 3) * 100, 9)
    const strict = await score('strict', lines, records)
    expect(strict.metrics.oe_acc).toBeCloseTo((2 / 5) * 100, 9)
    expect(strict.excluded).toEqual([
      { id: '4', reason: 'open: no verdict of step 2' },
      { id: '5', reason: 'open: no reply' },
    ])
  })

  test('a line for an unknown question is listed, not scored', async () => {
    const scores = await score('strict', [{ id: 99, replies: { long_acc: 'B' } }])
    expect(scores.metrics.long_acc).toBe(0)
    expect(scores.excluded[0]).toMatchObject({ id: '99' })
  })

  test('a wrong file says which field is missing and what it holds', () => {
    expect(() => parseRecord(CgBenchRecord, { id: 1, text: 'x' }, 'cg-bench', 'a.json, record 0')).toThrow(
      /a\.json, record 0 is not a record of cg-bench: qid/,
    )
  })

  test('the table that VLMEvalKit builds is read too', () => {
    const row = record(3, { choices: "['a', 'b']", clue_intervals: '[[1, 2.5]]', duration: '60' })
    expect(row).toMatchObject({ choices: ['a', 'b'], clue_intervals: [[1, 2.5]], duration: 60 })
  })

  test('a wording file must hold every text', () => {
    expect(readCgBenchWording(JSON.stringify(ownWording), 'w.json')).toEqual(ownWording)
    expect(() => readCgBenchWording('{}', 'w.json')).toThrow(/w\.json is not a wording/)
    expect(() => readCgBenchWording('no', 'w.json')).toThrow(/not JSON/)
  })

  test('result names are those of the released files', () => {
    const shown = { frames: 128, subtitles: false, subtitleTimes: true, frameTimes: true }
    expect(resultKey('open', { name: 'm', size: 's' }, shown)).toBe('open_m_s_128_False_False_True')
  })
})

function pick(scores: Scores, ...names: string[]): Record<string, number | null> {
  return Object.fromEntries(names.map(name => [name, scores.metrics[name]!]))
}

function expectClose(found: Record<string, unknown>, wanted: Record<string, unknown>): void {
  const round = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, typeof value === 'number' ? Number(value.toFixed(10)) : value]),
    )
  expect(round(found)).toEqual(round(wanted))
}

describe('tau', () => {
  const record = (qid: number) => ({
    qid: String(qid),
    video_uid: 'v',
    question: 'q',
    answer: 'a',
    choices: ['a', 'b'],
    right_answer: 'A',
    clue_intervals: [[10, 20] as [number, number]],
    duration: 100,
    domain: 'd',
    sub_category: 's',
  })
  const lineOf = (qid: number, letter: string, spans: number[][]) =>
    JSON.stringify({
      id: String(qid),
      replies: { long_acc: JSON.stringify({ result: letter }), miou: JSON.stringify({ result: spans }) },
    })

  test('any overlap counts at 0, and none does not; the other metrics stay', async () => {
    // IoU 0, about 1e-9, 0.5, and 0.5 with a wrong choice
    const lines = [
      lineOf(0, 'A', [[30, 40]]),
      lineOf(1, 'A', [[19.99999999, 30]]),
      lineOf(2, 'A', [[10, 15]]),
      lineOf(3, 'B', [[10, 15]]),
    ]
    for (const scoring of ['strict', 'official'] as const) {
      const { metrics, groups } = await scorerOf(cgBench)([0, 1, 2, 3].map(record) as never, {
        replies: writeJsonLines(lines),
        scoring,
      })
      expect(metrics).toMatchObject({ rec_at_iou_0: 75, acc_at_iou_0: 50, rec_at_iou: 50, acc_at_iou: 25 })
      expect(Object.keys(groups.threshold ?? {})).toEqual([
        'IoU > 0',
        ...[0.1, 0.2, 0.3, 0.4, 0.5].map(iou => `IoU >= ${iou}`),
      ])
      expect(groups.threshold?.['IoU > 0']).toEqual({ n: 4, rec_at_iou: 75, acc_at_iou: 50 })
      expect(groups.threshold?.['IoU >= 0.1']).toEqual({ n: 4, rec_at_iou: 50, acc_at_iou: 25 })
    }
  })
})

test('a choice can be asked for as its letter alone, which both scorings read', () => {
  for (const wording of [ownWording, blindWording(true)]) {
    const { system } = withBareLetter(wording)
    for (const text of [system.long_acc, system.clue_acc]) {
      expect(text).toMatch(/Reply with the capital letter of your option alone\.\n\n$/)
      expect(text).not.toContain('json')
    }
    expect([system.miou, system.open]).toEqual([wording.system.miou, wording.system.open])
  }
  expect(readLetter('B', 'B')).toEqual({ value: 1, rule: 'letters' })
})
