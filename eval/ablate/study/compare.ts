import { basename, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { settingsThatDiffer } from '../../runner/compare-settings.ts'
import { type BenchRun, readBenchRun, readLines } from '../../runner/run-files.ts'
import { readJson } from '../../runner/run-folder.ts'
import type { ReadStudy } from './read-result.ts'
import { QuestionCalls, type RowRecord, VideoStages } from './records.ts'
import { studyResult } from './result.ts'

// Two runs as a study of one row beside its base.
export async function compareFolders(a: string, b: string, seed: number): Promise<ReadStudy> {
  const [base, other] = [await readBenchRun(a), await readBenchRun(b)]
  if (base.benchmark !== other.benchmark)
    throw new UsageError(`One run is of ${base.benchmark}, the other of ${other.benchmark}.`, {
      hint: 'Compare two runs of one benchmark.',
    })
  const config = await readJson(join(a, 'config.json'))
  const names = basename(a) === basename(b) ? [a, b] : [basename(a), basename(b)]
  const first = await rowOf(a, base, names[0], config)
  const second = await rowOf(b, other, names[1], config)
  const texts = new Map(first.lines.map(line => [line.id, line.question.text]))
  const shared = second.lines.filter(line => texts.get(line.id) === line.question.text)
  if (shared.length === 0)
    throw new UsageError('The two runs have no question in common.', { hint: 'Compare runs over the same data.' })
  const ids = new Set(shared.map(line => line.id))
  const leftOut = [first.lines.length - shared.length, second.lines.length - shared.length]
  const result = studyResult({
    benchmark: base.benchmark,
    name: `compare ${names.join(' and ')}`,
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
          leftOut[0] + leftOut[1] === 0
            ? []
            : [`left out: ${leftOut[0]} questions that only ${names[0]} has, ${leftOut[1]} that only ${names[1]} has`],
      },
    ],
  })
  return { result, linesOf: id => (id === names[0] ? first.lines : shared) }
}

async function rowOf(folder: string, run: BenchRun, name: string, config: unknown): Promise<RowRecord> {
  const change = run.change as { changes?: unknown } | undefined
  const own = await readJson(join(folder, 'config.json'))
  return {
    id: name,
    name,
    changes: Array.isArray(change?.changes) ? change.changes.map(String) : [],
    settings: settingsThatDiffer(config, own),
    notes: [],
    finished: (await readJson(join(folder, 'summary.json'))) !== undefined,
    lines: await readLines(folder),
    calls: (await readJsonLines(join(folder, 'calls.jsonl'), QuestionCalls)).map(({ key, used }) => ({
      key,
      used: used.map(use => ({ ...use, madeBy: use.madeBy === basename(folder) ? name : use.madeBy })),
    })),
    stages: await readJsonLines(join(folder, 'stages.jsonl'), VideoStages),
  }
}
