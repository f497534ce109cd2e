import { stageNamed } from '../../../../src/core/words/stage-names.ts'
import type { Sql } from '../sql.ts'

// The rows of a query; a column without a value is left out.
export async function queryRows<Row extends object>(sql: Sql, text: string, values?: unknown[]): Promise<Row[]> {
  const { rows } = await sql.query<Row>(text, values)
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row)
}

// Rows that were read with the stored name of their stage.
export function nameStages<Row extends { stage?: string | null }>(rows: readonly Row[]): Row[] {
  return rows.map(row => (row.stage ? { ...row, stage: stageNamed(row.stage) } : row))
}
