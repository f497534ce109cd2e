import { sha256, stableJson } from '../../../src/core/json.ts'
import { readTextFile } from '../../../src/store/read-file.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import { aboutHash } from '../../protocols/about.ts'
import type { BenchRequest } from '../../runner/bench-request.ts'
import { judgeModeIn, withChangedOptions } from '../../runner/changes/change.ts'
import { readOptions, withPath, wordingHashes } from '../../runner/options.ts'
import type { AblationFile } from '../matrix/ablation-file.ts'
import type { MatrixRow } from '../matrix/rows.ts'
import type { StudyEnvironment } from '../result/study-files.ts'
import type { StudyParts } from './study-parts.ts'

type BenchSettings = Pick<
  BenchRequest,
  'tasks' | 'by' | 'options' | 'judge' | 'judgeMode' | 'map' | 'split' | 'limit'
> &
  Pick<StudyEnvironment, 'dataHash' | 'files'> & { rows: unknown }

// What must be the same before and after a stop, or rows of one study would be asked and judged in different ways.
export function studyIdentity(
  {
    dataHash,
    rows,
    split,
    limit,
    tasks,
    by,
    options,
    judge,
    judgeMode,
    map,
    files = {},
  }: BenchSettings | StudyEnvironment,
  { seed, fromStep }: AblationFile,
  benchmark: Benchmark,
): object {
  return {
    dataHash,
    seed,
    fromStep,
    split,
    limit,
    by,
    judge,
    judgeMode,
    map,
    files,
    tasks: [...tasks].sort().join(' '),
    options: readOptions(benchmark, options),
    rows: JSON.stringify(rows),
  }
}

// The options of a row, with its files as this folder has them.
export function rowOptions({ request, world }: Pick<StudyParts, 'request' | 'world'>, row: MatrixRow): string[] {
  return withChangedOptions(request.options, row.changes).map(one => withPath(one, world.cwd))
}

// The content of the files that a row goes by beside the data.
export async function filesOfRows(parts: StudyParts): Promise<Record<string, Record<string, string>>> {
  const identities = await Promise.all(
    parts.rows.map(async row => {
      const { data, wording } = parts.request
      const options = readOptions(parts.benchmark, rowOptions(parts, row))
      const about = await aboutHash(options, data)
      const text = wording === undefined ? undefined : await readTextFile(wording)
      const named = {
        ...(await wordingHashes(options)),
        ...(about !== undefined && { about }),
        ...(text !== undefined && { wording: sha256(text) }),
      }
      return [row.id, named] as const
    }),
  )
  return Object.fromEntries(identities.filter(([, named]) => Object.keys(named).length > 0))
}

export function chooseJudgeMode({ request }: Pick<StudyParts, 'request'>, row: MatrixRow): BenchRequest['judgeMode'] {
  return judgeModeIn(row.changes) ?? request.judgeMode
}

// Rows with the same words here are judged alike: the judge, its settings, its prompt and what it may see.
export async function hashJudging(parts: StudyParts, row: MatrixRow): Promise<string> {
  const options = readOptions(parts.benchmark, rowOptions(parts, row))
  const { judge } = parts.benchmark
  const file = judge?.wordingOption === undefined ? undefined : options[judge.wordingOption]
  const named = typeof file === 'string' ? await readTextFile(file) : undefined
  const mode = chooseJudgeMode(parts, row) ?? null
  return stableJson([mode, (await parts.settingsOf(row)).models.judge, named === undefined ? null : sha256(named)])
}
