import { visibleText } from './visible-text.ts'

export type CsvCell = string | number | boolean | null | undefined

export function csvText(rows: readonly CsvCell[][]): string {
  return `${rows.map(cells => cells.map(csvCell).join(',')).join('\n')}\n`
}

// Spreadsheets run a cell that begins like a formula, also after blanks, and split at semicolons and tabs where the language of the
// user does: the apostrophe makes it text, the quotes keep it one cell.
function csvCell(value: CsvCell): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = visibleText(value.replaceAll('\r', ''))
  const isFormula = /^\s*[=+\-@\t\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",;\t\n'|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
