import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { isObject, jsonLines, prettyJson } from '../../../src/core/json.ts'
import { fileLines } from '../../data/lines.ts'
import { formatFixed } from '../../metrics/rounding.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { fileModelName } from '../released/released-files.ts'
import { type Points, type Pooled, poolOfficial, share } from './official.ts'
import { turnNumber } from './rubric.ts'
import { type CategoryMean, categoryMeans, scoreFile } from './score-file.ts'
import { durationBuckets, longshotTaskTitle, modalityNames, taskCategories } from './tables.ts'
import { withAnswers } from './turns.ts'

// The tree that the released tools leave below their output folder.
export const longshotReleased: ReleasedFiles<unknown> = {
  async *read(path) {
    yield* fileLines((await stat(path)).isDirectory() ? await judgedFile(path) : path)
  },
  write,
}

async function judgedFile(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const judged = names.filter(name => name.endsWith('_eval.jsonl')).sort()
  const [file, ...others] = judged
  if (file !== undefined && others.length === 0) return join(folder, file)
  throw new UsageError(`Below ${folder} there are ${judged.length} judged files (*_eval.jsonl).`, {
    hint: judged.length === 0 ? 'Judge the answers first.' : `Name one of them: ${judged.slice(0, 4).join(', ')}.`,
  })
}

async function write(run: ToRelease<unknown>): Promise<ReleasedFile[]> {
  const { model, judge, samples, lines, finished } = run
  const time = finished.toISOString()
  const paths = resultPaths('.', model, judge)
  const answers = answersByRecord(run)
  const generated = lines.reduce((sum, line) => sum + line.asks.reduce((total, ask) => total + ask.seconds, 0), 0)
  const generation = { total: generated, inference: generated, samples_processed: answers.size, interrupted: false }
  const files: ReleasedFile[] = [
    { path: paths.answers, content: jsonLines([...answers].map(([record, texts]) => withAnswers(record, texts))) },
    { path: paths.timing, content: prettyJson({ generation: addRun(undefined, generation, time) }) },
  ]
  if (judge === undefined) return files
  const judged = run.replies.map(line => JSON.parse(line) as unknown)
  const pooled = poolOfficial(judged)
  const tag = judgeTag(undefined, judge)
  const seconds = lines.reduce((sum, line) => sum + (line.judge?.seconds ?? 0), 0)
  const history = [
    historyLine('generation', time, samples.length, false),
    historyLine('evaluation', time, judged.length, false),
  ]
  const head = { model: fileModelName(model), judge, tag, scored: time, history }
  return [
    ...files,
    { path: paths.judged, content: jsonLines(judged) },
    { path: paths.scoreText, content: `${textReport(head, pooled).join('\n')}\n` },
    {
      path: paths.scoreJson,
      content: prettyJson({
        model: head.model,
        judge_model: judge,
        judge_tag: tag,
        scored_at: time,
        ...scoreFile(pooled),
      }),
    },
    {
      path: paths.judgeTiming,
      content: prettyJson({
        evaluation: addRun(undefined, { total: seconds, samples_processed: judged.length, interrupted: false }, time),
      }),
    },
  ]
}

function answersByRecord({ samples, lines }: ToRelease<unknown>): Map<Record<string, unknown>, Map<number, string>> {
  const byId = new Map(lines.map(line => [line.id, line.replies.answer ?? '']))
  const answers = new Map<Record<string, unknown>, Map<number, string>>()
  for (const sample of samples) {
    const record = isObject(sample.record) ? sample.record : {}
    const turns = answers.get(record) ?? new Map<number, string>()
    turns.set(turnNumber(sample), byId.get(sample.id) ?? '')
    answers.set(record, turns)
  }
  return answers
}

// Where the released tools keep a model's results, below their output folder.
interface ResultPaths {
  answers: string
  timing: string
  judged: string
  scoreText: string
  scoreJson: string
  judgeTiming: string
}

export function resultPaths(output: string, model: string, judge: string | undefined, tag?: string): ResultPaths {
  const name = fileModelName(model)
  const stem = `${output}/${name}/${name}`
  const judged = `${output}/${name}/judges/${judgeTag(tag, judge)}/${name}`
  return {
    answers: `${stem}.jsonl`,
    timing: `${stem}_timing.json`,
    judged: `${judged}_eval.jsonl`,
    scoreText: `${judged}_score.txt`,
    scoreJson: `${judged}_score.json`,
    judgeTiming: `${judged}_timing.json`,
  }
}

export function judgeTag(tag: string | undefined, judge: string | undefined): string {
  const raw = tag || (judge ? fileModelName(judge) : 'default')
  return (
    raw
      .replace(/[^a-zA-Z0-9]+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '')
      .toLowerCase() || 'default'
  )
}

interface Timing {
  cumulative: Record<string, number>
  runs: Record<string, unknown>[]
}

// Adds a run: its numbers are summed, a true counts 1, words are only kept with the run.
export function addRun(timing: Timing | undefined, run: Record<string, unknown>, time: string): Timing {
  const cumulative = { ...timing?.cumulative }
  for (const [name, value] of Object.entries(run))
    if (typeof value === 'number' || typeof value === 'boolean')
      cumulative[name] = (cumulative[name] ?? 0) + Number(value)
  return { cumulative, runs: [...(timing?.runs ?? []), { ...run, run_timestamp: time }] }
}

interface ReportHead {
  model: string
  judge?: string
  tag?: string
  scored: string // time, as it is to be written
  history?: string[] // one line per run, see historyLine
}

const double = '='.repeat(64)
const single = '-'.repeat(64)

// The released {model}_score.txt, line by line. Its overall is the mean of the unrounded categories, so it can differ from
// the JSON file's in the last digit.
export function textReport(head: ReportHead, pooled: Pooled): string[] {
  const lines = [double, '  LongShOT Bench Evaluation Results', double, '', `  Model:  ${head.model}`]
  if (head.judge) lines.push(`  Judge:  ${head.judge}`)
  if (head.tag) lines.push(`  Tag:    ${head.tag}`)
  lines.push(`  Scored: ${head.scored}`)
  if (head.history && head.history.length > 0) lines.push('', '  Run History:', ...head.history)
  lines.push('')
  if (pooled.byTask.size === 0) return [...lines, '  No evaluation results found.']
  const means = categoryMeans(pooled.byTask, taskCategories)
  const overall = overallLine(means)
  lines.push(...title('TABLE 1: Subtask Results', 'Task', 32))
  for (const category of Object.keys(taskCategories)) {
    lines.push(`  ${category}`, single)
    const row = means.find(item => item.category === category)
    for (const { task, points } of row?.tasks ?? [])
      lines.push(`    ${cells(longshotTaskTitle(task), 30, points.count, share(points))}`)
    if (row) lines.push(`    ${cells('Avg.', 30, row.samples, row.mean)}`)
    lines.push('')
  }
  if (overall) lines.push(double, overall, double)
  lines.push('', ...title('TABLE 2: Category Summary', 'Category', 34))
  for (const row of means) lines.push(`  ${cells(row.category, 34, row.samples, row.mean)}`)
  if (overall) lines.push(single, overall, double)
  const modalities = named(Object.entries(modalityNames), pooled.byModality)
  if (pooled.byModality.size > 0)
    lines.push(
      '',
      ...title('TABLE 3: Modality Breakdown', 'Modality', 34),
      ...modalities,
      double,
      '  Note: Samples may appear in multiple modalities.',
    )
  const durations = named(
    durationBuckets.map(({ name, title }) => [name, title]),
    pooled.byDuration,
  )
  if (pooled.byDuration.size > 0)
    lines.push('', ...title('TABLE 4: Video Duration Breakdown', 'Duration', 34), ...durations, double)
  return lines
}

// A line of the run history.
export function historyLine(
  stage: 'generation' | 'evaluation',
  time: string,
  samples: number,
  interrupted: boolean,
): string {
  return `  ${stage.padEnd(12)} ${time}  (${samples} samples, ${interrupted ? 'interrupted' : 'completed'})`
}

function overallLine(means: readonly CategoryMean[]): string | undefined {
  return means.length === 0 ? undefined : `  ${cells('OVERALL', 34, ...whole(means))}`
}

function whole(means: readonly CategoryMean[]): [count: number, value: number] {
  const count = means.reduce((sum, { samples }) => sum + samples, 0)
  return [count, means.reduce((sum, { mean }) => sum + mean, 0) / means.length]
}

function named(names: [key: string, title: string][], groups: ReadonlyMap<string, Points>): string[] {
  return names.flatMap(([key, title]) => {
    const points = groups.get(key)
    return points ? [`  ${cells(title, 34, points.count, share(points))}`] : []
  })
}

function title(name: string, column: string, width: number): string[] {
  return [double, `  ${name}`, double, `  ${column.padEnd(width)} ${'N'.padStart(5)}  Accuracy`, single]
}

function cells(name: string, width: number, count: number, value: number): string {
  return `${name.padEnd(width)} ${String(count).padStart(5)}  ${formatFixed(value * 100, 2).padStart(7)}%`
}
