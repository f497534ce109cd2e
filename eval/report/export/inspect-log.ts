import { prettyJson } from '../../../src/core/json.ts'
import type { ReleasedFile } from '../../benchmarks/benchmark.ts'
import type { Grade, SampleLine } from '../../data/sample-line.ts'
import { optionLines } from '../../metrics/choice/options.ts'
import { mean } from '../../metrics/statistics/clusters.ts'
import type { RunReport } from '../run-report.ts'

// A run as a log of Inspect (JSON, version 2), which its viewer and read_eval_log read. A score that a judge still owes is left out.
export function inspectLog(report: RunReport, modelName?: string): ReleasedFile {
  const { run, lines, tasks, finished, counts } = report
  const task = [run.benchmark, run.split].filter(Boolean).join('-')
  const model = modelName ?? `longtake/${run.models[run.by === 'alone' ? 'vision' : 'planner'] ?? run.profile.name}`
  const id = run.settingsHash.slice(0, 16)
  const completed = lines.at(-1)?.finished ?? run.started
  const scorers = tasks.flatMap(({ task }) => scorings.map(scoring => ({ task, ...scoring })))
  const log = {
    version: 2,
    status: finished ? 'success' : 'cancelled',
    eval: {
      eval_id: id,
      run_id: id,
      created: run.started,
      task,
      task_id: task,
      task_version: 0,
      model,
      dataset: { name: run.benchmark, samples: run.samples, sample_ids: lines.map(line => line.id), shuffled: false },
      config: { epochs: 1, ...(run.limit !== undefined && { limit: run.limit }) },
      packages: { longtake: run.version },
      metadata: { questionsHash: run.dataHash, settingsHash: run.settingsHash, options: run.options, by: run.by },
    },
    plan: { name: 'plan', steps: [], config: {} },
    results: {
      total_samples: run.samples,
      completed_samples: counts.done - counts.failed,
      scores: scorers.map(({ task, suffix, grade }) => {
        const values = lines.flatMap(line => gradeValue(line.grades[task], grade) ?? [])
        const name = `${task}${suffix}`
        return {
          name,
          scorer: name,
          params: {},
          scored_samples: values.length,
          unscored_samples: lines.length - values.length,
          metrics: values.length > 0 ? { mean: { name: 'mean', value: mean(values), params: {} } } : {},
        }
      }),
    },
    stats: {
      started_at: run.started,
      completed_at: completed,
      model_usage: { [model]: sumTokens(lines) },
    },
    samples: lines.map(line => describeSample(line, model, scorers)),
  }
  const name = `${run.started.replace(/[:.]/g, '-')}_${task}_${id}.json`
  return { path: name, content: prettyJson(log) }
}

const scorings = [
  { suffix: '', grade: (grade: Grade) => grade.score },
  { suffix: ' (official)', grade: (grade: Grade) => (grade.official ?? grade).score },
]

type Scorer = { task: string } & (typeof scorings)[number]

function gradeValue(grade: Grade | undefined, of: Scorer['grade']): number | undefined {
  return (grade && of(grade)) ?? undefined
}

function describeSample(line: SampleLine, model: string, scorers: readonly Scorer[]) {
  const { id, question, replies, grades, asks, error } = line
  const text = Object.values(replies).find(reply => typeof reply === 'string') ?? ''
  const scores = scorers.flatMap(({ task, suffix, grade }) => {
    const value = gradeValue(grades[task], grade)
    if (value === undefined) return []
    const { rule, reason, value: read } = grades[task] ?? {}
    const answer = replies[task] ?? undefined
    return [[`${task}${suffix}`, { value, answer, explanation: reason ?? rule, metadata: { read: read ?? null } }]]
  })
  const input = question.options ? `${question.text}\n${optionLines(question.options)}` : question.text
  const message = { role: 'assistant', content: text, source: 'generate', model }
  return {
    id,
    epoch: 1,
    input,
    ...(question.options && { choices: question.options }),
    target: line.reference ?? '',
    messages: [{ role: 'user', content: input, source: 'input' }, message],
    output: { model, choices: [{ message, stop_reason: 'stop' }], completion: text },
    scores: Object.fromEntries(scores),
    metadata: {
      video: line.video,
      groups: line.groups,
      evidence: asks.flatMap(ask => ask.evidence.filter(row => row.cited)),
    },
    store: {},
    events: [],
    attachments: {},
    model_usage: { [model]: sumTokens([line]) },
    total_time: line.seconds,
    ...(error !== undefined && { error: { message: error, traceback: '', traceback_ansi: '' } }),
  }
}

function sumTokens(lines: readonly SampleLine[]) {
  const asks = lines.flatMap(line => line.asks)
  const input = asks.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
  const output = asks.reduce((sum, { usage }) => sum + usage.outputTokens, 0)
  return { input_tokens: input, output_tokens: output, total_tokens: input + output }
}
