import { UsageError } from '../../src/core/errors.ts'
import { resultKey } from '../benchmarks/cg-bench/prompt.ts'
import { cgBenchRecord } from '../benchmarks/cg-bench/record.ts'
import { type ResultFile, resultFile, withReply } from '../benchmarks/cg-bench/result-file.ts'
import { predictionFiles } from '../benchmarks/infinibench/predictions.ts'
import { infiniBenchRecords } from '../benchmarks/infinibench/record.ts'
import { addRun, judgeTag, modelName, resultPaths } from '../benchmarks/longshot/files.ts'
import { poolOfficial } from '../benchmarks/longshot/official.ts'
import { isDict } from '../benchmarks/longshot/python-error.ts'
import { historyLine, textReport } from '../benchmarks/longshot/report.ts'
import { scoreFile } from '../benchmarks/longshot/score-file.ts'
import { withAnswers } from '../benchmarks/longshot/turns.ts'
import { linesOf } from '../data/lines.ts'
import { readReplies } from '../data/replies.ts'
import { turnOf } from '../runner/rubric.ts'
import { type RunToScore, replyLines } from '../runner/score-run.ts'

export interface ToRelease extends RunToScore {
  model: string // as it shall be named
  judge?: string // undefined: nothing was judged
  options: Record<string, unknown> // the benchmark's own settings
  finished: Date
}

export interface ReleasedFile {
  path: string
  content: string
}

// A run as the released tools of its benchmark would have left it, so that they can go on from there.
export async function releasedFiles(run: ToRelease): Promise<ReleasedFile[]> {
  if (!Object.hasOwn(writers, run.benchmark))
    throw new UsageError(`The released tools of ${run.benchmark} keep no files that could be written.`, {
      hint: `Possible for ${Object.keys(writers).join(', ')}; the replies of every run are in its replies.jsonl.`,
    })
  return writers[run.benchmark](run)
}

const writers: Record<string, (run: ToRelease) => Promise<ReleasedFile[]>> = {
  longshot: longshotTree,
  'cg-bench': cgBenchFiles,
  infinibench: infiniBenchFiles,
}

async function longshotTree(run: ToRelease): Promise<ReleasedFile[]> {
  const { model, judge, samples, lines, finished } = run
  const time = finished.toISOString()
  const paths = resultPaths('.', model, judge)
  const answers = answersByRecord(run)
  const generated = lines.reduce((sum, line) => sum + line.asks.reduce((total, ask) => total + ask.seconds, 0), 0)
  const generation = { total: generated, inference: generated, samples_processed: answers.size, interrupted: false }
  const files: ReleasedFile[] = [
    { path: paths.answers, content: jsonLines([...answers].map(([record, texts]) => withAnswers(record, texts))) },
    { path: paths.timing, content: json({ generation: addRun(undefined, generation, time) }) },
  ]
  if (judge === undefined) return files
  const judged = replyLines(run).map(line => JSON.parse(line) as unknown)
  const pooled = poolOfficial(judged)
  const tag = judgeTag(undefined, judge)
  const seconds = lines.reduce((sum, line) => sum + (line.judge?.seconds ?? 0), 0)
  const history = [
    historyLine('generation', time, samples.length, false),
    historyLine('evaluation', time, judged.length, false),
  ]
  const head = { model: modelName(model), judge, tag, scored: time, history }
  return [
    ...files,
    { path: paths.judged, content: jsonLines(judged) },
    { path: paths.scoreText, content: `${textReport(head, pooled).join('\n')}\n` },
    {
      path: paths.scoreJson,
      content: json({ model: head.model, judge_model: judge, judge_tag: tag, scored_at: time, ...scoreFile(pooled) }),
    },
    {
      path: paths.judgeTiming,
      content: json({
        evaluation: addRun(undefined, { total: seconds, samples_processed: judged.length, interrupted: false }, time),
      }),
    },
  ]
}

function answersByRecord({ samples, lines }: ToRelease): Map<Record<string, unknown>, Map<number, string>> {
  const byId = new Map(lines.map(line => [line.id, line.replies.answer ?? '']))
  const answers = new Map<Record<string, unknown>, Map<number, string>>()
  for (const sample of samples) {
    const record = isDict(sample.record) ? sample.record : {}
    const turns = answers.get(record) ?? new Map<number, string>()
    turns.set(turnOf(sample), byId.get(sample.id) ?? '')
    answers.set(record, turns)
  }
  return answers
}

async function cgBenchFiles({ samples, lines, model, options }: ToRelease): Promise<ReleasedFile[]> {
  const shown = {
    frames: Number(options.frames ?? 128),
    subtitles: options.subtitles !== false,
    subtitleTimes: options.subtitleTimes !== false,
    frameTimes: options.frameTimes !== false,
  }
  const byId = new Map(lines.map(line => [line.id, line]))
  return samples.map(sample => {
    const record = cgBenchRecord(sample.record, sample.id)
    const line = byId.get(sample.id)
    let file: ResultFile = resultFile(record, '1')
    for (const [task, reply] of Object.entries(line?.replies ?? {}))
      file = withReply(
        file,
        resultKey(task, { name: modelName(model), size: 'none' }, shown),
        reply,
        line?.judge?.replies,
      )
    return { path: `${record.qid}.json`, content: json(file) }
  })
}

async function infiniBenchFiles(run: ToRelease): Promise<ReleasedFile[]> {
  const wanted = new Set(run.samples.map(sample => sample.id))
  const records = (await infiniBenchRecords(run.data, run.split)).filter(
    record => wanted.has(record.id) || wanted.has(`${record.skill}:${record.id}`),
  )
  const replies = await readReplies(linesOf(replyLines(run)))
  return [...predictionFiles(records, replies)].map(([skill, rows]) => ({ path: `${skill}.json`, content: json(rows) }))
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function jsonLines(values: readonly unknown[]): string {
  return values.map(value => `${JSON.stringify(value)}\n`).join('')
}
