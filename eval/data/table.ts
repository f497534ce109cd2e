import { UsageError } from '../../src/core/errors.ts'

const maxColumns = 1000

// Rows of a table whose first line names the columns; a field in double quotes may hold the separator and line ends.
export function parseTable(text: string, separator: string): Record<string, string>[] {
  const [header = [], ...rows] = parseRows(text, separator)
  if (header.length > maxColumns)
    throw new UsageError(`The table has ${header.length} columns; ${maxColumns} is the maximum.`, {
      hint: 'Its first line must name the columns. Is it a table at all?',
    })
  return rows.map(row => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])))
}

function parseRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const quotes = text[at] === '"'
    const { field, next } = quotes ? quotedField(text, at + 1, separator) : bareField(text, at, separator)
    row.push(field)
    at = next
    if (text[at] === separator) {
      at++
      if (at === text.length) row.push('')
      continue
    }
    while (text[at] === '\r' || text[at] === '\n') if (text[at++] === '\n') break
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

// What follows a closing quote before the next separator belongs to the field, as Python's csv reads it: '"he said "hi" now"' is one.
function quotedField(text: string, start: number, separator: string): { field: string; next: number } {
  let field = ''
  let at = start
  while (at < text.length) {
    if (text[at] !== '"') field += text[at++]
    else if (text[at + 1] === '"') {
      field += '"'
      at += 2
    } else {
      const rest = bareField(text, at + 1, separator)
      return { field: field + rest.field, next: rest.next }
    }
  }
  return { field, next: at }
}

function bareField(text: string, start: number, separator: string): { field: string; next: number } {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { field: text.slice(start, end), next: end }
}
