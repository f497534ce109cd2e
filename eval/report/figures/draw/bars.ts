import { h } from '../../page/markup.ts'
import { addTitle, round, svgLine, svgText, tickValues, truncate } from '../../page/shapes.ts'
import type { Panel } from '../figure.ts'
import { formatValue } from '../rows.ts'
import { chooseTop, type Drawing, legend, seriesColour, whiskers } from './drawing.ts'

const [width, top] = [460, 24] as const

// Bars that lie, in groups: a group for each name that has a value, a bar for each series.
export function drawBars(panel: Panel): Drawing {
  const { title, unit, series } = panel
  const names = panel.categories.filter(name => series.some(({ points }) => points.some(({ x }) => x === name)))
  const groups = names.map(name =>
    series.flatMap(({ points, ...one }, at) =>
      points.filter(({ x }) => x === name).map(point => ({ ...one, at, point })),
    ),
  )
  const leftMargin = Math.min(190, 16 + 6.6 * Math.max(4, ...names.map(name => Math.min(28, name.length))))
  const [right, roof] = [width - 44, chooseTop(panel)]
  const thick = series.length === 1 ? 14 : 9
  const x = (value: number) => leftMargin + ((right - leftMargin) * Math.max(0, Math.min(roof, value))) / roof
  let y = top + 4
  const shapes = groups.flatMap((group, place) => {
    const start = y
    const bars = group.flatMap(({ name, isOwn, at, point }) => {
      const middle = y + thick / 2
      const { low, high } = point
      const bounds = low === undefined || high === undefined ? [] : whiskers(x(low), middle, x(high), middle)
      const size = { x: leftMargin, y: round(y), width: round(x(point.y) - leftMargin), height: thick - 1, rx: 1 }
      const bar = h('rect', { ...size, fill: seriesColour(at), 'fill-opacity': isOwn ? 0.9 : 0.45 })
      y += thick
      const of = point.n === undefined ? '' : ` of ${point.n}`
      return [
        addTitle(bar, `${names[place]}, ${name}: ${formatValue(point.y)}${of}`),
        ...bounds,
        svgText(Math.max(x(point.y), x(high ?? 0)) + 5, middle + 3.5, formatValue(point.y), 'value'),
      ]
    })
    const label = svgText(leftMargin - 7, (start + y) / 2 + 4, truncate(names[place] ?? '', 28), 'label', 'end')
    y += 6
    return [label, ...bars]
  })
  const grid = tickValues(0, roof).flatMap(value => [
    svgLine(x(value), top, x(value), y, 'grid'),
    svgText(x(value), y + 13, formatValue(value), 'tick', 'middle'),
  ])
  const under = series.length > 1 ? legend(series, y + 22, 10, width - 10) : { height: 0, shapes: [] }
  return {
    width,
    height: y + 22 + under.height,
    shapes: [
      svgText(
        leftMargin,
        14,
        title || (series.length === 1 ? truncate(series[0]?.name ?? '', 40) : ''),
        'label strong',
      ),
      svgText(right, 14, unit, 'tick', 'end'),
      ...grid,
      ...shapes,
      ...under.shapes,
    ],
  }
}
