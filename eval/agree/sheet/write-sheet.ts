import { UsageError } from '../../../src/core/errors.ts'
import { loadRuns } from '../agree-runs.ts'
import { type DataPlace, listItems } from '../judged-run.ts'
import { sheetPage } from './page.ts'
import { sampleItems, sheetCsv, sheetRows } from './sheet.ts'

export interface SheetWork extends DataPlace {
  folders: readonly string[]
  count: number
  seed: number
  form: 'html' | 'csv'
}

export async function writtenSheet({
  folders,
  count,
  seed,
  form,
  ...place
}: SheetWork): Promise<{ text: string; rows: number }> {
  const runs = await loadRuns(folders, place)
  const rows = sheetRows(sampleItems(runs.flatMap(listItems), count, seed))
  if (rows.length === 0)
    throw new UsageError('These runs have no open answers to judge.', { hint: 'Was the open task asked?' })
  return { text: form === 'html' ? sheetPage(rows) : sheetCsv(rows), rows: rows.length }
}
