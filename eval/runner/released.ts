import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { makeFolder, writeDurably } from '../../src/store/durable.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { benchmarkNames, loadBenchmark } from '../benchmarks/index.ts'
import { fileLines } from '../data/lines.ts'
import { dataOf } from '../report/reports.ts'
import { readBenchRun, readLines } from './run-files.ts'
import { replyLines } from './score-run.ts'

// The lines of a replies file, whether it is one of ours or what the released tools of the benchmark leave behind.
export async function* repliesAt({ released }: Pick<Benchmark, 'released'>, path: string): AsyncIterable<string> {
  const kind = await stat(path).catch(() => undefined)
  const isList = kind?.isFile() && extname(path).toLowerCase() === '.json' && !(await isLines(path))
  yield* released && (kind?.isDirectory() || isList) ? released.read(path) : fileLines(path)
}

// Whether the file holds JSON lines of ours, whatever it is called.
async function isLines(path: string): Promise<boolean> {
  for await (const line of fileLines(path)) {
    if (line.trim() === '') continue
    try {
      const value = JSON.parse(line)
      return typeof value === 'object' && value !== null && 'id' in value
    } catch {
      return false
    }
  }
  return true
}

export interface ExportRun {
  folder: string // of the run
  out: string
  model?: string // how the files name what was run
}

// Writes a run as the released tools of its benchmark keep theirs; the files, below `out`.
export async function exportRun({ folder, out, model }: ExportRun): Promise<string[]> {
  const run = await readBenchRun(folder)
  const benchmark = await loadBenchmark(run.benchmark)
  const collected = await dataOf(run)
  if (!collected)
    throw new UsageError(`The data of this run are not at ${run.data} any more, or have changed.`, {
      hint: 'The files hold the records of the data: put them back.',
    })
  const lines = await readLines(folder)
  if (!benchmark.released) throw await keepsNoFiles(run.benchmark)
  const files = await benchmark.released.write({
    records: collected.records,
    samples: collected.samples,
    lines,
    replies: replyLines(benchmark, collected, lines),
    model: model ?? `longtake-${run.profile.name}`,
    judge: lines.some(line => line.judge) ? (run.judgedBy ?? 'unknown') : undefined,
    options: run.options,
    finished: new Date(lines.at(-1)?.finished ?? run.started),
  })
  for (const { path, content } of files) {
    const file = join(out, path)
    await makeFolder(join(file, '..'), 'umask')
    await writeDurably(file, content, 'umask')
  }
  return files.map(({ path }) => path)
}

async function keepsNoFiles(name: string): Promise<UsageError> {
  const all = await Promise.all(benchmarkNames.map(loadBenchmark))
  const possible = all.filter(benchmark => benchmark.released).map(benchmark => benchmark.name)
  return new UsageError(`The released tools of ${name} keep no files that could be written.`, {
    hint: `Possible for ${possible.join(', ')}; the replies of every run are in its replies.jsonl.`,
  })
}
