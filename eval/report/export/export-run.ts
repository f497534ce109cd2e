import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { absentAs, UsageError } from '../../../src/core/errors.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { parseStoredJson } from '../../../src/store/read-file.ts'
import type { Benchmark, ReleasedFile, ToRelease } from '../../benchmarks/benchmark.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import { fileModelName } from '../../benchmarks/released/released-files.ts'
import { type BenchRun, readBenchRun, readLines } from '../../runner/files/run-files.ts'
import { replyLines } from '../../runner/score-run.ts'
import { loadReport, openRunData } from '../reports.ts'
import type { RunReport } from '../run-report.ts'
import { judgedByWords } from '../titles.ts'
import { inspectLog } from './inspect-log.ts'
import { runCard } from './run-card.ts'

export interface ExportRun {
  folder: string // of the run
  out: string
  form?: 'released' | 'codabench' | 'card' | 'inspect' | 'hub'
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
  const write = ofReport[form]
  const files = write ? await write(await loadReport(folder), work) : await releasedFiles(work)
  for (const { path, content } of files) {
    const file = join(out, path)
    await ensureFolder(join(file, '..'), 'umask')
    await writeDurably(file, content, 'umask')
  }
  return files.map(({ path }) => path)
}

// The forms that say of any benchmark what its report says.
const ofReport: Partial<Record<string, (report: RunReport, work: ExportRun) => Promise<Written[]>>> = {
  card: report => runCard(report),
  inspect: async (report, { model }) => [inspectLog(report, model)],
  hub: async report => [await hubResults(report)],
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

// A zip of these files that is the same to the byte whenever and wherever it is written: in the order of their names, stored, since what
// deflate writes hangs on the version of zlib, and dated as early as a zip can say.
function stableZip(files: readonly ReleasedFile[]): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(content)
    const about = aboutFile(name, bytes)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE((unix << 8) | version, 4)
    about.copy(entry, 6)
    entry.writeUInt32LE(fileMode * 0x10000, 38)
    entry.writeUInt32LE(offset, 42)
    const head = Buffer.concat([signature, about])
    parts.push(head, name, bytes)
    list.push(entry, name)
    offset += head.length + name.length + bytes.length
  }
  const lists = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(lists.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, lists, end])
}

const signature = Buffer.from([0x50, 0x4b, 3, 4])
const version = 20
const unix = 3
const fileMode = 0o100644
const utf8Names = 0x800
const firstDay = 0x21 // 1980-01-01

// What a zip says of a file both before it and in the list at its end.
function aboutFile(name: Buffer, content: Buffer): Buffer {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(version, 0)
  about.writeUInt16LE(utf8Names, 2)
  about.writeUInt16LE(firstDay, 8)
  about.writeUInt32LE(crc32(content), 10)
  about.writeUInt32LE(content.length, 14)
  about.writeUInt32LE(content.length, 18)
  about.writeUInt16LE(name.length, 22)
  return about
}

// Official scores of a whole run as the hub keeps them in a model's repository: .eval_results/<benchmark>.yaml.
async function hubResults({ run, scores, lines, counts, departures, judgedMetrics }: RunReport): Promise<ReleasedFile> {
  const { guide } = (await loadBenchmark(run.benchmark)).about
  if (!guide)
    throw new UsageError(`longtake does not know where the data set of ${run.benchmark} is on the hub.`, {
      hint: 'Only scores of a data set on the hub have a place there; --form card says everything else.',
    })
  if (!scores || counts.done < counts.samples || counts.failed > 0 || counts.unjudged > 0 || run.limit !== undefined)
    throw new UsageError('Only a whole run has a score for a leaderboard.', {
      hint: `${counts.done - counts.failed} of ${counts.samples} questions were answered, ${counts.unjudged} are not judged: go on by --resume, without --limit.`,
    })
  const metrics = Object.entries(scores.official.metrics).flatMap(([metric, value]) =>
    value === null || (judgedByWords(run) && judgedMetrics.includes(metric)) ? [] : [{ metric, value }],
  )
  const notes = [
    run.by === 'alone' ? 'model alone' : run.by === 'longtake' ? 'longtake agent' : run.by,
    ...departures,
  ].join('; ')
  const entries = metrics.flatMap(({ metric, value }) => [
    '- dataset:',
    `    id: ${JSON.stringify(guide.dataset)}`,
    `    task_id: ${JSON.stringify(metric)} # replace it by that of the eval.yaml of the data set`,
    ...(run.fetched ? [`    revision: ${JSON.stringify(run.fetched.commit)}`] : []),
    `  value: ${value}`,
    `  date: ${JSON.stringify((lines.at(-1)?.finished ?? run.started).slice(0, 10))}`,
    `  notes: ${JSON.stringify(notes)}`,
  ])
  return { path: `.eval_results/${run.benchmark}.yaml`, content: `${entries.join('\n')}\n` }
}
