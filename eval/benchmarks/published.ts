// One model's line in a published table.
export interface PublishedRow {
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

interface Head {
  benchmark: string
  split: string
  source: string
  metrics: string[]
  also?: string[] // further metrics that no score of ours has
  groups?: Record<string, { group: string; metric: string }> // column -> what it is
}

// Reads a table written with | between columns; "-" is a value that is not given.
export function publishedTable(head: Head, text: string): PublishedTable {
  const [header, ...lines] = text
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
  const known = [...head.metrics, ...(head.also ?? [])]
  const rows = lines.map(cells => {
    const row: PublishedRow = { model: '', settings: {}, metrics: {}, groups: {} }
    header.forEach((column, i) => {
      const cell = cells[i] ?? ''
      const part = head.groups?.[column]
      if (column === 'model') row.model = cell
      else if (known.includes(column)) row.metrics[column] = value(cell)
      else if (part) row.groups[part.group] = { ...row.groups[part.group], [part.metric]: value(cell) }
      else row.settings[column] = cell
    })
    return row
  })
  return { benchmark: head.benchmark, split: head.split, source: head.source, rows }
}

function value(cell: string): number | null {
  return cell === '' || cell === '-' || cell === 'N/A' ? null : Number(cell)
}
