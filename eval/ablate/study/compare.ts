import { basename, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { type BenchRun, readBenchRun } from '../../runner/files/run-files.ts'
import { settingsThatDiffer } from '../../runner/files/run-folder.ts'
import { type ReadStudy, readRowFiles } from '../result/read-result.ts'
import type { RowRecord } from '../result/records.ts'
import { studyResult } from '../result/result.ts'

// Two runs as a study of one row beside its base.
export async function compareFolders(a: string, b: string, seed: number): Promise<ReadStudy> {
  const [base, other] = [await readBenchRun(a), await readBenchRun(b)]
  if (base.benchmark !== other.benchmark)
    throw new UsageError(`One run is of ${base.benchmark}, the other of ${other.benchmark}.`, {
      hint: 'Compare two runs of one benchmark.',
    })
  const config = await readJsonFile(join(a, 'config.json'))
  const [nameA, nameB] = basename(a) === basename(b) ? [a, b] : [basename(a), basename(b)]
  const first = await readRun(a, base, nameA, config)
  const second = await readRun(b, other, nameB, config)
  const texts = new Map(first.lines.map(line => [line.id, line.question.text]))
  const shared = second.lines.filter(line => texts.get(line.id) === line.question.text)
  if (shared.length === 0)
    throw new UsageError('The two runs have no question in common.', { hint: 'Compare runs over the same data.' })
  const ids = new Set(shared.map(line => line.id))
  const onlyA = first.lines.length - shared.length
  const onlyB = second.lines.length - shared.length
  const result = studyResult({
    benchmark: base.benchmark,
    name: `compare ${nameA} and ${nameB}`,
    split: base.split,
    design: 'one-at-a-time',
    seed,
    started: new Date().toISOString(),
    tasks: base.tasks.filter(task => other.tasks.includes(task)),
    samples: shared.length,
    rows: [
      { ...first, lines: first.lines.filter(line => ids.has(line.id)) },
      {
        ...second,
        lines: shared,
        notes:
          onlyA + onlyB === 0
            ? []
            : [`left out: ${onlyA} questions that only ${nameA} has, ${onlyB} that only ${nameB} has`],
      },
    ],
  })
  return { result, linesOf: id => (id === nameA ? first.lines : shared) }
}

async function readRun(folder: string, run: BenchRun, name: string, config: unknown): Promise<RowRecord> {
  const change = run.change as { changes?: unknown } | undefined
  const files = await readRowFiles(folder)
  return {
    id: name,
    name,
    changes: Array.isArray(change?.changes) ? change.changes.map(String) : [],
    settings: settingsThatDiffer(config, await readJsonFile(join(folder, 'config.json'))),
    notes: [],
    ...files,
    calls: files.calls.map(({ key, used }) => ({
      key,
      used: used.map(use => ({ ...use, madeBy: use.madeBy === basename(folder) ? name : use.madeBy })),
    })),
  }
}
