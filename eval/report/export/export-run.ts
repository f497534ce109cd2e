import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, UsageError } from '../../../src/core/errors.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { parseStoredJson } from '../../../src/store/read-file.ts'
import type { Benchmark, ToRelease } from '../../benchmarks/benchmark.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import { fileModelName } from '../../benchmarks/released/released-files.ts'
import { type BenchRun, readBenchRun, readLines } from '../../runner/files/run-files.ts'
import { replyLines } from '../../runner/score-run.ts'
import { loadReport, openRunData } from '../reports.ts'
import { runCard } from './run-card.ts'
import { stableZip } from './zip.ts'

export interface ExportRun {
  folder: string // of the run
  out: string
  form?: 'released' | 'codabench' | 'card'
  model?: string // how the files name what was run
  challenge?: string // a file with the names of a challenge's files
}

interface Written {
  path: string
  content: string | Buffer
}

// Writes a run as the released tools of its benchmark keep theirs, as its challenge takes it, or as a card; the files, below `out`.
export async function exportRun(work: ExportRun): Promise<string[]> {
  const { folder, out, form = 'released', challenge } = work
  if (challenge !== undefined && form !== 'codabench')
    throw new UsageError(`--challenge has no effect with --form ${form}.`, { hint: 'Add --form codabench.' })
  const files = form === 'card' ? await runCard(await loadReport(folder)) : await releasedFiles(work)
  for (const { path, content } of files) {
    const file = join(out, path)
    await ensureFolder(join(file, '..'), 'umask')
    await writeDurably(file, content, 'umask')
  }
  return files.map(({ path }) => path)
}

async function releasedFiles({ folder, form, model, challenge }: ExportRun): Promise<Written[]> {
  const run = await readBenchRun(folder)
  const benchmark = await loadBenchmark(run.benchmark)
  const { released } = benchmark
  if (!released) throw await keepsNoFiles(run.benchmark)
  if (form !== 'codabench') return released.write(await toRelease(folder, run, benchmark, model))
  if (!released.challenge)
    throw new UsageError(`There is no challenge of ${run.benchmark} that longtake writes for.`, {
      hint: 'Leave out --form: the files of the released tools are written.',
    })
  if (challenge === undefined)
    throw new UsageError(`The names of the files that ${released.challenge.site} takes are not public here.`, {
      hint: 'Write them into a file, {"<skill>": {"file": "<name>", "key": "<field>"}}, and name it with --challenge.',
    })
  if (run.limit !== undefined)
    throw new UsageError(`The run asked only the first ${run.limit} questions.`, {
      hint: 'A challenge takes all of them: run without --limit.',
    })
  const text = await readFile(challenge, 'utf8').catch(absentAs(undefined))
  if (text === undefined)
    throw new UsageError(`There is no file at ${challenge}.`, { hint: 'Name one with --challenge.' })
  const whole = await toRelease(folder, run, benchmark, model)
  return [
    {
      path: `${fileModelName(whole.model)}.zip`,
      content: stableZip(released.challenge.write(whole, parseStoredJson(text), challenge)),
    },
  ]
}

async function toRelease(
  folder: string,
  run: BenchRun,
  benchmark: Benchmark,
  model: string | undefined,
): Promise<ToRelease<unknown>> {
  const collected = await openRunData(run)
  if (!collected)
    throw new UsageError(`The data of this run are not at ${run.data} any more, or have changed.`, {
      hint: 'The files hold the records of the data: put them back.',
    })
  const lines = await readLines(folder)
  return {
    records: collected.records,
    samples: collected.samples,
    lines,
    replies: replyLines(benchmark, collected, lines),
    model: model ?? `longtake-${run.profile.name}`,
    judge: lines.some(line => line.judge) ? (run.judgedBy ?? 'unknown') : undefined,
    options: run.options,
    finished: new Date(lines.at(-1)?.finished ?? run.started),
  }
}

async function keepsNoFiles(name: string): Promise<UsageError> {
  const all = await Promise.all(benchmarkNames.map(loadBenchmark))
  const possible = all.filter(benchmark => benchmark.released).map(benchmark => benchmark.name)
  return new UsageError(`The released tools of ${name} keep no files that could be written.`, {
    hint: `Possible for ${possible.join(', ')}; the replies of every run are in its replies.jsonl, and --form card writes its card.`,
  })
}
