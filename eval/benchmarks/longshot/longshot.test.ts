import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/core/errors.ts'
import { samplesOf } from '../../../tests/support/benchmark.ts'
import { oracle, withOracle } from '../../../tests/support/oracle.ts'
import { writeJsonLines } from '../../data/lines.ts'
import { fillTemplate } from '../../protocols/fill-template.ts'
import { fileModelName } from '../released/released-files.ts'
import longshot from './index.ts'
import { criterionVerdict, isReleasedLongshotPrompt, longshotJudgePrompt, longshotReleasedJudge } from './judge.ts'
import {
  addPoints,
  classifyDuration,
  collectModalities,
  type Points,
  poolOfficial,
  samplePoints,
  sampleTask,
  share,
} from './official.ts'
import { type Dict, ReleasedScorerError } from './python-error.ts'
import { addRun, historyLine, judgeTag, resultPaths, textReport } from './released.ts'
import { scoreLongshot } from './score.ts'
import { scoreFile } from './score-file.ts'
import * as tables from './tables.ts'
import { type IdealTurn, idealTurns, stripThinking, withAnswers } from './turns.ts'

interface Outputs {
  accuracies: Record<string, number>
  counts: Record<string, number>
  modality_scores: Record<string, unknown>
  duration_scores: Record<string, unknown>
  score_json: Dict
  report: string[]
}
type Attempt<Value> = { ok: true; value: Value } | { ok: false; error: string; message: string }

const shares = (groups: Iterable<[string | null, Points]>) =>
  Object.fromEntries(
    [...groups].map(([name, points]) => [name ?? '<None>', { accuracy: share(points), samples: points.count }]),
  )
// Only the tasks: what the released scorer computes first, so it gets further with a sample that the groups choke on.
function poolTasks(samples: readonly unknown[]): Map<string | null, Points> {
  const byTask = new Map<string | null, Points>()
  for (const sample of samples) addPoints(byTask, sampleTask(sample), samplePoints(sample))
  return byTask
}

const head = { model: 'org/My-Model.v1', judge: 'Qwen/Qwen3-14B', scored: '<TIME>' }

function expectOutputs(samples: unknown[], wanted: Outputs): void {
  const pooled = poolOfficial(samples)
  const { accuracies, counts } = wanted
  expect(shares(pooled.byTask)).toEqual(
    Object.fromEntries(
      Object.keys(accuracies).map(task => [task, { accuracy: accuracies[task], samples: counts[task] }]),
    ),
  )
  expect(shares(pooled.byModality)).toEqual(wanted.modality_scores)
  expect(shares(pooled.byDuration)).toEqual(wanted.duration_scores)
  const { model: _, judge_model: __, judge_tag: ___, scored_at: ____, ...file } = wanted.score_json
  expect(scoreFile(pooled)).toEqual(file)
  expect(textReport(head, pooled)).toEqual(wanted.report)
}

withOracle('longshot/inputs/judged_samples.json', 'longshot/outputs/v2_scores.json')('36 judged samples', () => {
  const samples = oracle<Dict[]>('longshot/inputs/judged_samples.json')
  const outputs = oracle<Outputs>('longshot/outputs/v2_scores.json')

  test('accuracies, breakdowns, score file and text report', () => expectOutputs(samples, outputs))

  test('each sample alone', () => {
    interface Alone {
      sample_id: string
      alone: Record<string, number>
      task_after_remap: string
      duration_bucket: string
      modality_groups: string[]
    }
    oracle<Alone[]>('longshot/outputs/v2_per_sample.json').forEach((wanted, i) => {
      const sample = samples[i]!
      expect(sample.sample_id).toBe(wanted.sample_id)
      expect(Object.fromEntries([...poolTasks([sample])].map(([task, points]) => [task, share(points)]))).toEqual(
        wanted.alone,
      )
      expect(sampleTask(sample)).toBe(wanted.task_after_remap)
      expect(classifyDuration(sample)).toBe(wanted.duration_bucket)
      expect([...collectModalities(sample)].sort()).toEqual([...wanted.modality_groups].sort())
    })
  })

  test('the command gives the official file', async () => {
    const scores = await scoreLongshot({ records: [], replies: writeJsonLines(samples), scoring: 'official' })
    const file = outputs.score_json as { overall: { accuracy: number } } & Dict
    expect(scores.metrics).toEqual({ overall: file.overall.accuracy })
    expect(scores.n).toBe(samples.length)
    for (const table of ['categories', 'subtasks', 'modality_breakdown', 'duration_breakdown'])
      expect(scores.groups[table]).toEqual(file[table])
    expect(scores.excluded.map(item => item.id).sort()).toEqual([
      'accessibility_support',
      'agentic_task',
      'safety_monitoring',
      'unknown',
    ])
  })

  test('the tree of files that a run leaves', () => {
    const tree = oracle<Record<string, unknown>>('longshot/outputs/v2_output_tree.json')
    const paths = resultPaths('results', head.model, head.judge)
    expect(Object.keys(tree).sort()).toEqual(
      Object.values(paths)
        .filter(path => path !== paths.answers)
        .sort(),
    )
    const { generation } = tree[paths.timing] as { generation: { cumulative: Dict; runs: Dict[] } }
    const { evaluation } = tree[paths.judgeTiming] as { evaluation: { cumulative: Dict; runs: Dict[] } }
    for (const stage of [generation, evaluation]) {
      const runs = stage.runs.map(({ run_timestamp: _, ...run }) => run)
      expect(
        runs.reduce<ReturnType<typeof addRun> | undefined>((sum, run) => addRun(sum, run, '<TIME>'), undefined),
      ).toEqual(stage)
    }
    const history = [
      ...generation.runs.map(run =>
        historyLine('generation', '<TIME>', run.samples_processed as number, run.interrupted as boolean),
      ),
      ...evaluation.runs.map(run =>
        historyLine('evaluation', '<TIME>', run.samples_evaluated as number, run.interrupted as boolean),
      ),
    ]
    const pooled = poolOfficial(samples)
    // The file ends with a line end.
    expect([...textReport({ ...head, tag: 'qwen3_14b', history }, pooled), '']).toEqual(tree[paths.scoreText])
    expect(tree[paths.scoreJson]).toMatchObject(scoreFile(pooled))
  })
})

withOracle('longshot/inputs/edge_cases.json', 'longshot/outputs/v2_edge_cases.json')('edge cases', () => {
  interface Edge {
    note: string
    compute_scores: Attempt<[Record<string, number>, Record<string, number>]>
    breakdowns: Attempt<[Record<string, unknown>, Record<string, unknown>]>
    all: Attempt<Outputs>
  }
  const inputs = oracle<Record<string, { samples: unknown[] }>>('longshot/inputs/edge_cases.json')
  const attempt = <Value>(make: () => Value): Attempt<Value> => {
    try {
      return { ok: true, value: make() }
    } catch (error) {
      if (!(error instanceof ReleasedScorerError)) throw error
      return { ok: false, error: error.kind, message: error.message }
    }
  }
  for (const [name, wanted] of Object.entries(oracle<Record<string, Edge>>('longshot/outputs/v2_edge_cases.json')))
    test(`${name}: ${wanted.note}`, async () => {
      const { samples } = inputs[name]!
      const tasks = attempt(() => {
        const groups = [...poolTasks(samples)].map(([task, points]) => [String(task), points] as const)
        return [
          Object.fromEntries(groups.map(([task, points]) => [task, share(points)])),
          Object.fromEntries(groups.map(([task, { count }]) => [task, count])),
        ]
      })
      expect(tasks).toEqual(wanted.compute_scores)
      const breakdowns = attempt(() => {
        const { byModality, byDuration } = poolOfficial(samples)
        return [shares(byModality), shares(byDuration)]
      })
      expect(breakdowns).toEqual(wanted.breakdowns)
      const command = scoreLongshot({ records: [], replies: writeJsonLines(samples), scoring: 'official' })
      if (wanted.all.ok) {
        expectOutputs(samples, wanted.all.value)
        expect((await command).metrics.overall).toBe(
          (wanted.all.value.score_json.overall as { accuracy: number }).accuracy,
        )
      } else {
        await expect(command).rejects.toThrow(UsageError)
        await expect(command).rejects.toThrow(`${wanted.all.error}: ${wanted.all.message}`)
      }
      // Strict never stops.
      expect(
        (await scoreLongshot({ records: [], replies: writeJsonLines(samples), scoring: 'strict' })).n,
      ).toBeGreaterThanOrEqual(0)
    })
})

withOracle('longshot/outputs/v2_unjudged_sample.json', 'longshot/outputs/v2_tables.json')(
  'tables and unjudged samples',
  () => {
    test('the tables are the released ones', () => {
      const wanted = oracle<Dict>('longshot/outputs/v2_tables.json')
      expect(wanted).toEqual({
        TASK_CATEGORIES: tables.taskCategories,
        TASK_REMAP: tables.taskAliases,
        MODALITY_GROUPS: tables.modalityGroups,
        DURATION_BUCKETS: tables.durationBuckets.map(({ name, from, to }) => [
          name,
          from,
          Number.isFinite(to) ? to : null,
        ]),
        DURATION_DISPLAY_NAMES: Object.fromEntries(tables.durationBuckets.map(({ name, title }) => [name, title])),
        TASK_DISPLAY_NAMES: Object.fromEntries(
          Object.values(tables.taskCategories)
            .flat()
            .map(task => [task, tables.longshotTaskTitle(task)]),
        ),
        MODALITY_DISPLAY_NAMES: tables.modalityNames,
      })
    })

    test('a sample that nobody judged stops the released scorer', () => {
      const { scorer } = oracle<{ scorer: { error: string; message: string } }>(
        'longshot/outputs/v2_unjudged_sample.json',
      )
      const unjudged = {
        task: 'summarization',
        conversations: [{ role: 'assistant', criteria: [{ weight: 5, is_penalty: false }] }],
      }
      expect(() => poolOfficial([unjudged])).toThrow(
        expect.objectContaining({ kind: scorer.error, message: scorer.message }),
      )
    })
  },
)

withOracle('longshot/outputs/v2_names.json')('names of models and judges', () => {
  interface Names {
    name?: string
    tag?: string
    normalized?: string
    convert_to_underscored: { value: string }
    eval_tag: { value: string }
    judge_paths: { value: Record<string, string> }
  }
  for (const item of oracle<Names[]>('longshot/outputs/v2_names.json')) {
    const { name, tag } = item
    if (name !== undefined)
      test(name, () => {
        expect(fileModelName(name)).toBe(item.convert_to_underscored.value)
        expect(judgeTag(undefined, name)).toBe(item.eval_tag.value)
        const paths = resultPaths('results', name, 'Qwen/Qwen3-14B')
        expect(paths).toMatchObject({
          judged: item.judge_paths.value.eval_file,
          scoreText: item.judge_paths.value.score_file,
          scoreJson: item.judge_paths.value.score_json_file,
          judgeTiming: item.judge_paths.value.timing_file,
        })
      })
    else test(`tag ${JSON.stringify(tag)}`, () => expect(judgeTag(tag, 'M')).toBe(item.normalized))
  }
})

// The messages of a turn as the released tools send them to an OpenAI-compatible server.
function chatMessages(
  turn: IdealTurn,
  system: string,
  video: { agent: true } | { agent: false; url: string },
): object[] {
  const content = (text: string, first: boolean) =>
    video.agent
      ? text
      : [...(first ? [{ type: 'video_url', video_url: { url: video.url } }] : []), { type: 'text', text }]
  return [
    ...(system ? [{ role: 'system', content: content(system, false) }] : []),
    ...turn.history.map(({ role, text, first }) => ({ role, content: content(text, first && role === 'user') })),
  ]
}

withOracle('longshot/outputs/v2_turn_tasks.json', 'longshot/outputs/v2_strip_think.json')('asking the turns', () => {
  type Turns = [number, object[], object | null][]
  const outputs = oracle<Record<string, Turns | string>>('longshot/outputs/v2_turn_tasks.json')
  const samples = oracle<Dict[]>('longshot/inputs/judged_samples.json')
  const sample = samples.find(({ sample_id }) => sample_id === outputs.sample_id)

  test('each turn comes after the reference answers of the turns before it', () => {
    for (const [name, wanted] of Object.entries(outputs)) {
      if (typeof wanted === 'string') continue
      const system = name.endsWith('with_system_prompt') ? 'SYSTEM' : ''
      const agent = name.startsWith('video_agent')
      const video = agent
        ? ({ agent } as const)
        : ({ agent: false, url: `file://<DIR>/inputs/${sample?.video_id}.mp4` } as const)
      expect(idealTurns(sample).map(turn => [turn.index, chatMessages(turn, system, video)])).toEqual(
        wanted.map(([index, messages]) => [index, messages]),
      )
    }
  })

  test('thinking is taken out of a reply', () => {
    for (const { in: text, out } of oracle<{ in: string | null; out: string | null }[]>(
      'longshot/outputs/v2_strip_think.json',
    ))
      expect(stripThinking(text), String(text)).toBe(out)
  })
})

withOracle('longshot/outputs/v2_judge.json')('the judge', () => {
  interface Judge {
    request: Dict & { messages: { content: Dict }[] }
    cases: { case: string; replies: string[]; criterion_after: Dict; calls_made: number }[]
  }
  const { request, cases } = oracle<Judge>('longshot/outputs/v2_judge.json')

  test('the call and the hash of the released prompt are known', () => {
    const { messages, ...call } = request
    expect(call).toEqual({
      model: longshotReleasedJudge.model,
      temperature: longshotReleasedJudge.temperature,
      max_tokens: longshotReleasedJudge.maxTokens,
      top_p: longshotReleasedJudge.topP,
      timeout: longshotReleasedJudge.timeoutSeconds,
      extra_body: { response_format: { type: 'json_schema', json_schema: longshotReleasedJudge.schema } },
    })
    expect(messages[0]!.content).toEqual({
      sha256: longshotReleasedJudge.sha256,
      length: longshotReleasedJudge.characters,
      filled_with: longshotReleasedJudge.filledWith,
    })
    expect(isReleasedLongshotPrompt(longshotJudgePrompt)).toBe(false)
  })

  for (const item of cases)
    test(`${item.case}: verdict`, () => {
      const { criteria_met: _, evaluation_error: __, ...criterion } = item.criterion_after
      const last = item.replies[item.calls_made - 1]!
      if (last === 'timeout') return // a call that fails leaves no reply to read
      expect({ ...criterion, ...criterionVerdict(last === 'None' ? null : last) }).toEqual(item.criterion_after)
    })

  test('texts are filled in once, whatever they hold', () => {
    const text = fillTemplate(longshotJudgePrompt, {
      reference: '{candidate} $&',
      candidate: 'mine',
      criterion: 'this',
    })
    expect(text).toContain('{candidate} $&')
    expect(text.split('mine')).toHaveLength(2)
  })
})

describe('strict scoring', () => {
  const criterion = (weight: number, met: unknown, is_penalty = weight < 0) => ({
    name: 'c',
    weight,
    is_penalty,
    criteria_met: met,
  })
  const sample = (id: string, criteria: object[], more: Dict = {}) => ({
    sample_id: id,
    task: 'summarization',
    duration: 60,
    conversations: [
      { role: 'user', content: 'q', modalities: ['audio'] },
      { role: 'assistant', content: 'a', candidate_response: 'said', criteria },
    ],
    ...more,
  })
  const strict = (lines: object[], dataset: object[] = []) =>
    scoreLongshot({ records: dataset, replies: writeJsonLines(lines), scoring: 'strict' })

  test('a violated penalty subtracts its weight', async () => {
    const lines = [sample('s', [criterion(5, true), criterion(5, true), criterion(-5, false)])]
    expect((await strict(lines)).metrics.overall).toBe(50)
    expect(
      (await scoreLongshot({ records: [], replies: writeJsonLines(lines), scoring: 'official' })).metrics.overall,
    ).toBe(100)
  })

  test('what was not judged, or judged "false" in quotes, is not met and is listed', async () => {
    const scores = await strict([sample('s', [criterion(5, true), criterion(3, null), criterion(2, 'false')])])
    expect(scores.metrics.overall).toBe(50)
    expect(scores.excluded).toEqual([
      { id: 's', reason: 'turn 1: c was not judged' },
      { id: 's', reason: 'turn 1: c was not judged' },
    ])
  })

  test('a sample without a line counts with nothing, one that occurs twice counts once', async () => {
    const data = [
      sample('s', [criterion(5, undefined)]),
      sample('t', [criterion(5, undefined), criterion(-5, undefined)]),
    ]
    const scores = await strict([sample('s', [criterion(5, false)]), sample('s', [criterion(5, true)])], data)
    expect(scores).toMatchObject({ n: 2, metrics: { overall: 50 } })
    expect(scores.excluded.map(item => item.id)).toEqual(['s', 't'])
  })

  test('a task outside the categories is a category of its own, and the tag audio is audio', async () => {
    const scores = await strict([
      sample('s', [criterion(5, true)]),
      sample('t', [criterion(5, false)], { task: 'agentic_task', duration: null }),
    ])
    expect(scores.metrics.overall).toBe(50)
    expect(scores.groups.categories).toMatchObject({ 'Other Tasks': { accuracy: 0, samples: 1 } })
    expect(scores.groups.modality_breakdown).toEqual({ audio: { accuracy: 50, samples: 2 } })
    expect(Object.keys(scores.groups.duration_breakdown!).sort()).toEqual(['short', 'unknown'])
  })

  test('an empty answer earns nothing, whatever the judge made of it', async () => {
    const empty = sample('s', [criterion(5, true), criterion(-5, false)])
    empty.conversations[1]!.candidate_response = ' '
    expect((await strict([empty])).metrics.overall).toBe(0)
  })

  test('a line that is no sample stops official scoring and not strict', async () => {
    await expect(scoreLongshot({ records: [], replies: writeJsonLines(['[1]']), scoring: 'official' })).rejects.toThrow(
      /AttributeError/,
    )
    expect((await strict(['[1]' as never, sample('s', [criterion(5, true)])])).n).toBe(2)
  })

  test('a torn last line is dropped', async () => {
    const replies = writeJsonLines([sample('s', [criterion(5, true)]), '{"sample_id": "t'])
    expect(await scoreLongshot({ records: [], replies, scoring: 'official' })).toMatchObject({
      n: 1,
      excluded: [{ id: 'line 2' }],
    })
  })
})

describe('samples', () => {
  test('every turn is a question with the turns before it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-longshot-'))
    const conversation = {
      sample_id: 'x',
      video_id: 'v',
      task: 'commonsense_reasoning',
      duration: 2000,
      conversations: [
        { role: 'user', content: 'Q1', criteria: null },
        { role: 'assistant', content: 'A1', criteria: [] },
        { role: 'user', content: 'Q2' },
        { role: 'assistant', content: 'A2', criteria: [] },
      ],
    }
    await writeFile(join(folder, 'test.jsonl'), JSON.stringify(conversation))
    const samples = await samplesOf(longshot, folder)
    expect(samples).toMatchObject([
      { id: 'x__t1', video: 'v.mp4', question: { text: 'Q1' }, reference: 'A1', turns: [] },
      {
        id: 'x__t3',
        question: { text: 'Q2' },
        reference: 'A2',
        turns: [{ question: { text: 'Q1' }, reference: 'A1', id: 'x__t1' }],
      },
    ])
    expect(samples[0]!.groups).toMatchObject({
      task: 'causal_reasoning',
      category: 'Reasoning Tasks',
      duration: 'medium',
    })
    const answered = withAnswers(conversation, new Map([[3, 'mine']]))
    expect(idealTurns(answered)[1]!.history.at(1)?.text).toBe('A1')
    expect((answered.conversations as Dict[])[3]!.candidate_response).toBe('mine')
    await rm(folder, { recursive: true })
  })
})
