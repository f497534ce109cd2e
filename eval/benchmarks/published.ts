// One model's line in a published table.
interface PublishedRow {
  model: string
  settings: Record<string, string> // frames, size
  metrics: Record<string, number | null> // under the names that our scores use
  groups: Record<string, Record<string, number | null>> // group -> metric -> value
}

// A table of a paper or leaderboard, to stand beside a run's own numbers. Facts, with where they come from.
export interface PublishedTable {
  benchmark: string
  split: string
  source: string
  rows: PublishedRow[]
}

// A table as the published.json of a benchmark holds it. A column is "model", a setting, a metric, or "group.metric"; in rows | stands
// between cells, and "-" is a value that is not given.
interface TableFile {
  split: string
  source: string
  settings: string[]
  columns: string[]
  rows: string[]
}

export function publishedTables(benchmark: string, tables: readonly TableFile[]): PublishedTable[] {
  return tables.map(({ split, source, settings, columns, rows }) => ({
    benchmark,
    split,
    source,
    rows: rows.map(line => {
      const row: PublishedRow = { model: '', settings: {}, metrics: {}, groups: {} }
      for (const [i, cell] of line.split('|').entries()) {
        const column = columns[i] ?? ''
        const text = cell.trim()
        const value = text === '-' || text === 'N/A' ? null : Number(text)
        const [group, metric] = column.split('.')
        if (column === 'model') row.model = text
        else if (settings.includes(column)) row.settings[column] = text
        else if (group && metric) row.groups[group] = { ...row.groups[group], [metric]: value }
        else row.metrics[column] = value
      }
      return row
    }),
  }))
}
