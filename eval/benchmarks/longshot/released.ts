import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { jsonLines } from '../../../src/core/json.ts'
import { fileLines } from '../../data/lines.ts'
import type { ReleasedFile, ReleasedFiles, ToRelease } from '../benchmark.ts'
import { fileModelName, jsonText } from '../released/released-files.ts'
import { poolOfficial } from './official.ts'
import { isPlainDict } from './python-error.ts'
import { historyLine, textReport } from './report.ts'
import { turnNumber } from './rubric.ts'
import { scoreFile } from './score-file.ts'
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
    { path: paths.timing, content: jsonText({ generation: addRun(undefined, generation, time) }) },
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
      content: jsonText({
        model: head.model,
        judge_model: judge,
        judge_tag: tag,
        scored_at: time,
        ...scoreFile(pooled),
      }),
    },
    {
      path: paths.judgeTiming,
      content: jsonText({
        evaluation: addRun(undefined, { total: seconds, samples_processed: judged.length, interrupted: false }, time),
      }),
    },
  ]
}

function answersByRecord({ samples, lines }: ToRelease<unknown>): Map<Record<string, unknown>, Map<number, string>> {
  const byId = new Map(lines.map(line => [line.id, line.replies.answer ?? '']))
  const answers = new Map<Record<string, unknown>, Map<number, string>>()
  for (const sample of samples) {
    const record = isPlainDict(sample.record) ? sample.record : {}
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
