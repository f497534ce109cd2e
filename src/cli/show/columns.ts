// Rows as aligned columns; the last one is left as wide as it is.
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => [...row[at]].length)))
  return rows.map(row =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat(widths[at] - [...cell].length)))
      .join('  ')
      .trimEnd(),
  )
}
