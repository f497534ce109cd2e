// A table of a paper or leaderboard, to stand beside a run's own numbers. Facts, with where they come from.
export interface PublishedTable {
  id: string // as "bench report --table" names it
  benchmark: string
  split: string
  source: string
  note?: string
  departs?: string // how every run here differs from what the source measured
  across: boolean // printed with a column for each model
  own: 'scores' | 'people' | 'judge modes' | 'review' // what rows of ours are made from
  parts: Record<string, string> // of a table whose rows are no models: what our data call each row
  settings: PublishedColumn[] // frames, size
  columns: PublishedColumn[] // of numbers, in the order of the source
  means: Record<string, Mean> // columns that the source computes from others
  n: Record<string, number> // questions that a column is over, where the source says so
  rows: PublishedRow[]
}

interface PublishedColumn {
  key: string // a metric of our scores, "group.metric", or "benchmark:metric" for a column of another benchmark
  title: string // as printed
}

export interface Mean {
  of: string[]
  weights?: number[]
}

// One model's line in a published table.
export interface PublishedRow {
  model: string
  settings: Record<string, string>
  printed: Record<string, string> // by column, to the digit; missing where no value is given
  differences: Record<string, string> // by column, where one is printed in brackets behind the value
  metrics: Record<string, number> // under the names that our scores use
  groups: Record<string, Record<string, number>> // group -> metric -> value
}

// A table as the published.json of a benchmark holds it. A column is "model", a setting, a metric, or "group.metric", with its title;
// in rows | stands between cells, "-" is a value that is not given, and a difference in brackets may follow a value.
interface TableFile {
  id: string
  split: string
  source: string
  note?: string
  departs?: string
  across?: boolean
  own?: string
  parts?: Partial<Record<string, string>>
  settings: string[]
  columns: Record<string, string | undefined>
  means?: Record<string, Mean | undefined>
  n?: Partial<Record<string, number>>
  rows: string[]
}

export function publishedTables(benchmark: string, tables: readonly TableFile[]): PublishedTable[] {
  return tables.map(({ settings, columns, means = {}, n = {}, rows, across = false, own, parts = {}, ...about }) => {
    const all = Object.entries(columns).map(([key, title = key]) => ({ key, title }))
    const isSetting = ({ key }: PublishedColumn) => settings.includes(key)
    return {
      ...about,
      benchmark,
      across,
      own: ownSource(own),
      parts: defined(parts),
      settings: all.filter(isSetting),
      columns: all.filter(column => column.key !== 'model' && !isSetting(column)),
      means: defined(means),
      n: defined(n),
      rows: rows.map(line => publishedRow(line, Object.keys(columns), settings)),
    }
  })
}

// JSON files of several tables type a key of one as optional in all.
function defined<Value>(values: Partial<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

function ownSource(named = 'scores'): PublishedTable['own'] {
  const source = (['scores', 'people', 'judge modes', 'review'] as const).find(one => one === named)
  if (source) return source
  throw new Error(`A published table names "${named}" as the source of own rows.`)
}

function publishedRow(line: string, columns: readonly string[], settings: readonly string[]): PublishedRow {
  const row: PublishedRow = { model: '', settings: {}, printed: {}, differences: {}, metrics: {}, groups: {} }
  for (const [i, cell] of line.split('|').entries()) {
    const column = columns[i] ?? ''
    const text = cell.trim()
    if (column === 'model') row.model = text
    else if (settings.includes(column)) row.settings[column] = text
    else if (text !== '-' && text !== 'N/A') {
      const { group, metric } = columnParts(column)
      const [, printed = text, difference] = /^(\S+) \(([+-][\d.]+)\)$/.exec(text) ?? []
      row.printed[column] = printed
      if (difference !== undefined) row.differences[column] = difference
      if (group === undefined) row.metrics[metric] = Number(printed)
      else row.groups[group] = { ...row.groups[group], [metric]: Number(printed) }
    }
  }
  return row
}

// "Local Reasoning.open" is the metric open of the group Local Reasoning, "mlvu:accuracy" that metric of the benchmark mlvu.
export function columnParts(key: string): { benchmark?: string; group?: string; metric: string } {
  const of = key.indexOf(':')
  if (of >= 0) return { benchmark: key.slice(0, of), ...columnParts(key.slice(of + 1)) }
  const at = key.lastIndexOf('.')
  return at < 0 ? { metric: key } : { group: key.slice(0, at), metric: key.slice(at + 1) }
}

// A table may stand beside other benchmarks.
export function listBenchmarks({ benchmark, columns }: Pick<PublishedTable, 'benchmark' | 'columns'>): Set<string> {
  return new Set([benchmark, ...columns.flatMap(({ key }) => columnParts(key).benchmark ?? [])])
}
