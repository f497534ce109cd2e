import { widthOf } from './width.ts'

// Rows as aligned columns; the last one is left as wide as it is.
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => widthOf(row[at]))))
  return rows.map(row =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat(widths[at] - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  )
}
