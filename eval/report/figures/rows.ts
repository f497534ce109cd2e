import { csvText } from '../../../src/core/words/csv-cell.ts'
import type { ReportTable } from '../../data/report-table.ts'
import type { ReportFigure } from './figure.ts'

// The data of a figure, a row for each point.
export function figureCsv({ id, panels }: ReportFigure): string {
  const rows = panels.flatMap(({ title, unit, series }) =>
    series.flatMap(({ name, isOwn, points }) =>
      points.map(({ x, y, low, high, n }) => [id, title, name, isOwn ? 'ours' : 'published', x, y, low, high, n, unit]),
    ),
  )
  return csvText([['figure', 'panel', 'series', 'from', 'x', 'y', 'low', 'high', 'n', 'unit'], ...rows])
}

// The same on the terminal: a table for each panel, a row for each x.
export function figureTables({ title, source, x, panels, notes }: ReportFigure): ReportTable[] {
  const filled = panels.filter(({ series }) => series.some(({ points }) => points.length > 0))
  if (filled.length === 0) {
    const empty = 'Its source prints no numbers for it, and no run here has any.'
    return [{ title: `${title} (${source})`, columns: [''], rows: [], notes: [empty, ...notes] }]
  }
  return filled.map((panel, at) => {
    const series = panel.series.filter(({ points }) => points.length > 0)
    const xValues = new Set(series.flatMap(({ points }) => points.map(point => point.x)))
    const places: (string | number)[] = panel.categories.filter(name => xValues.has(name))
    if (panel.categories.length === 0) places.push(...[...xValues].sort((a, b) => Number(a) - Number(b)))
    const cell = (name: string | number, points: (typeof series)[number]['points']) => {
      const point = points.find(one => one.x === name)
      if (!point) return '-'
      const { y, low, high } = point
      const interval = low === undefined || high === undefined ? '' : ` (${low.toFixed(1)}-${high.toFixed(1)})`
      return formatValue(y) + interval
    }
    return {
      title: `${[title, panel.title].filter(Boolean).join(': ')} (${panel.unit}; ${source})`,
      columns: [x, ...series.map(({ name }) => name)],
      rows: places.map(name => [String(name), ...series.map(({ points }) => cell(name, points))]),
      own: { columns: series.flatMap(({ isOwn }, place) => (isOwn ? [place + 1] : [])) },
      notes: at === filled.length - 1 ? notes : [],
    }
  })
}

export function formatValue(value: number): string {
  return String(Number(value.toFixed(2)))
}
