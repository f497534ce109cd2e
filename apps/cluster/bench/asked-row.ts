import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { GoldSource } from '../../../eval/ablate/rows/gold.ts'
import { rowChange, rowStages } from '../../../eval/ablate/rows/row-change.ts'
import type { SampleLine } from '../../../eval/data/sample-line.ts'
import type { RunContext } from '../../../eval/runner/ask/run-context.ts'
import type { RowSpec } from '../../../eval/runner/run-spec.ts'
import { absentAs } from '../../../src/core/errors.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import { openLibrary } from '../../../src/store/library/library.ts'
import type { Sql } from '../data/sql.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { readRunRecords } from './run-store.ts'

// Workers have no annotations: a row that needs them is asked by the process that has.
function noGold({ benchmark }: Pick<RunContext, 'benchmark'>): GoldSource {
  const { signal } = new AbortController()
  return { benchmark, samples: [], pathOf: () => undefined, subtitlesOf: () => undefined, signal }
}

export function stagesOfRow({ row, seed }: RowSpec, benchmark: RunContext['benchmark']) {
  return rowStages(row.changes, seed, noGold({ benchmark }))
}

// What a row changes for one shard of it. Calls that another row of the study has made on this machine are not made again, and an equal
// answer keeps the verdict that it got in a row before.
export function changeOfRow(
  { row, seed, study }: RowSpec,
  { benchmark, redact }: RunContext,
  { home, folder, earlier }: { home: string; folder: string; earlier: readonly SampleLine[] },
) {
  const studyFolder = join(home, 'cluster', 'studies', study)
  const gold = noGold({ benchmark })
  return rowChange({ row, seed, study: studyFolder, folder, library: openLibrary(home), redact, gold, earlier })
}

export async function earlierLines(
  sql: Sql,
  { study }: RowSpec,
  run: string,
  samples: readonly string[],
): Promise<SampleLine[]> {
  const { rows } = await sql.query<{ line: SampleLine }>(
    `select answer.line from longtake.answer join longtake.run on run.id = answer.run
     where run.environment -> 'asking' -> 'row' ->> 'study' = $1 and run.id <> $2 and answer.sample = any ($3)
     order by answer.at`,
    [study, run, samples],
  )
  return rows.map(({ line }) => line)
}

const recordNames = ['calls.jsonl', 'stages.jsonl'] as const

// What a row recorded of a shard, for the folder of the row.
export async function rowRecords(folder: string): Promise<Record<string, string>> {
  const texts = recordNames.map(async name => [name, await readFile(join(folder, name), 'utf8').catch(absentAs(''))])
  return Object.fromEntries(await Promise.all(texts))
}

// Appends what the workers recorded of a row. The last line of each question counts, so a line that is there is not appended again.
export async function appendRecords(store: ArtifactStore, run: string, folder: string): Promise<void> {
  const before = await rowRecords(folder)
  for await (const stored of readRunRecords(store, run)) {
    const records = z.partialRecord(z.enum(recordNames), z.string()).parse(stored)
    for (const name of recordNames) {
      const lines = await openJsonLines(join(folder, name), 'at-flush')
      const knownLines = new Set(['', ...(before[name] ?? '').split('\n')])
      for (const line of (records[name] ?? '').split('\n'))
        if (!knownLines.has(line)) await lines.append(JSON.parse(line))
      await lines.flush()
    }
  }
}
