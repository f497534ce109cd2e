import { basename } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { PublishedTable } from '../../benchmarks/published.ts'
import { madeSplit, readMadeSet } from '../../data/benchmark-json.ts'
import type { ReportTable } from '../../data/report-table.ts'
import type { RunReport } from '../run-report.ts'
import { ownResult } from './own-result.ts'
import type { OwnSources } from './own-rows.ts'
import { paperTable } from './paper-table.ts'
import { publishedTable, publishedTablesOfAll } from './paper-tables.ts'

// A published table with these runs and reviewed sets in it. What several runs keep alike is one row.
export function filledTable(
  table: PublishedTable,
  reports: readonly RunReport[],
  sets: OwnSources['sets'] = [],
): ReportTable {
  const comparable = reports.filter(({ run }) => run.split !== madeSplit)
  const agreements = new Map(
    comparable.flatMap(({ agreement }) => (agreement ? [[stableJson(agreement), agreement] as const] : [])),
  )
  return paperTable(table, comparable.map(ownResult), { agreements: [...agreements.values()], sets })
}

// The published tables by their ids, with these runs, and sets that people reviewed, in them.
export async function filledPaperTables(
  ids: readonly string[],
  reports: readonly RunReport[],
  sets: OwnSources['sets'] = [],
): Promise<ReportTable[]> {
  const tables = await Promise.all(ids.map(publishedTable))
  return tables.map(table => filledTable(table, reports, sets))
}

// A made set that people have reviewed, for tables of such reviews; undefined if the folder is not a made set.
export async function reviewedSet(
  folder: string,
  ids: readonly string[],
): Promise<OwnSources['sets'][number] | undefined> {
  const set = await readMadeSet(folder)
  if (!set) return undefined
  const fitting = (await publishedTablesOfAll()).filter(
    ({ own, benchmark }) => own === 'review' && benchmark === set.recipe,
  )
  const names = fitting.map(({ id }) => id)
  if (!ids.some(id => names.includes(id)))
    throw new UsageError(`${folder} is a made set of ${set.recipe}, not a run.`, {
      hint:
        names.length > 0
          ? `Its review stands in --table ${names.join(', ')}.`
          : 'No published table is of the review of such a set; its README.md has the numbers.',
    })
  if (set.reviewed.items === 0)
    throw new UsageError(`Nobody has reviewed ${folder} yet.`, { hint: `longtake bench review ${folder} --as NAME` })
  return { name: basename(folder), set }
}
