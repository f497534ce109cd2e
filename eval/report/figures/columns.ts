import type { Columns, Pairs } from '../../benchmarks/paper-figures.ts'
import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import type { Panel, PlotPoint, Series } from './figure.ts'
import { type FigureRun, officialPoint, publishedPoint, seriesName, strictPoint } from './own-points.ts'

// Some columns of a published table over its models and our runs.
export function columnPanels(
  { unit, top, isOf }: Columns,
  runs: readonly FigureRun[],
  table: PublishedTable,
): { panels: Panel[]; isStrict: boolean } {
  const columns = table.columns.filter(({ key }) => isOf(key) && !(key in table.means))
  const runSeries = runs.map((run): Series => {
    const points = columns.flatMap(({ key, title }) => ownPoint(run, key, title))
    return { name: seriesName(run, columns[0]?.key ?? ''), isOwn: true, points }
  })
  const published = table.rows.map(
    (row): Series => ({
      name: row.model,
      isOwn: false,
      points: columns.flatMap(({ key, title }) => publishedPoint(table, row, key, title)),
    }),
  )
  const series = [...runSeries, ...published].filter(({ points }) => points.length > 0)
  const isStrict = columns.some(({ key }) =>
    runs.some(run => officialPoint(run, key).length === 0 && parseLengths(key)),
  )
  return { panels: [{ title: '', unit, top, categories: columns.map(({ title }) => title), series }], isStrict }
}

// Lengths of films that the scorer has no groups for are counted from the questions, strictly.
function ownPoint(run: FigureRun, key: string, x: string): PlotPoint[] {
  const official = officialPoint(run, key, x)
  const length = parseLengths(key)
  if (official.length > 0 || !length) return official
  return strictPoint(run, 'answer', x, ({ duration }) => isInBin(duration, length))
}

// "80-90" is from 80 minutes to below 90.
function parseLengths(key: string): [from: number, below: number] | undefined {
  const [, from, below] = /^(\d+)-(\d+)$/.exec(columnParts(key).group ?? '') ?? []
  return from === undefined ? undefined : [Number(from), Number(below)]
}

export function isInBin(seconds: number | undefined, [from, below]: readonly [number, number]): boolean {
  return seconds !== undefined && seconds >= from * 60 && seconds < below * 60
}

// Two metrics of each model side by side, in the order of the first.
export function pairPanels({ metrics }: Pairs, runs: readonly FigureRun[], table: PublishedTable): Panel[] {
  const both = Object.entries(metrics).flatMap(([key, title]): Series[] => [
    { name: `${title}, ours`, isOwn: true, points: runs.flatMap(run => officialPoint(run, key, seriesName(run, key))) },
    { name: title, isOwn: false, points: table.rows.flatMap(row => publishedPoint(table, row, key, row.model)) },
  ])
  const names = [...new Set(both.flatMap(({ points }) => points.map(({ x }) => String(x))))]
  const series = both.filter(({ points }) => points.length > 0)
  return [{ title: '', unit: 'per cent', top: 100, categories: names, series }]
}
