import { join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { makeFolder, writeDurably } from '../../src/store/durable.ts'
import { samplesOf } from '../report/reports.ts'
import { readBenchRun, readLines } from '../runner/run-files.ts'
import { releasedFiles } from './write-released.ts'

export interface ExportRun {
  folder: string // of the run
  out: string
  model?: string // how the files name what was run
}

// Writes a run as the released tools of its benchmark keep theirs; the files, below `out`.
export async function exportRun({ folder, out, model }: ExportRun): Promise<string[]> {
  const run = await readBenchRun(folder)
  const samples = await samplesOf(run)
  if (!samples)
    throw new UsageError(`The data of this run are not at ${run.data} any more, or have changed.`, {
      hint: 'The files hold the records of the data: put them back.',
    })
  const lines = await readLines(folder)
  const files = await releasedFiles({
    benchmark: run.benchmark,
    data: run.data,
    split: run.split,
    samples,
    lines,
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
