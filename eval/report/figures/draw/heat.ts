import { h, type MarkupElement } from '../../page/markup.ts'
import { round, short, svgText, titled } from '../../page/shapes.ts'
import type { Panel } from '../figure.ts'
import { formatValue } from '../rows.ts'
import { chooseTop, type Drawing, seriesColour } from './drawing.ts'

const [left, cell, tall] = [170, 44, 21] as const

// Names by series, the deeper the higher; ours stand first and are bold.
export function drawHeat(panel: Panel): Drawing {
  const { categories, series, unit } = panel
  const roof = chooseTop(panel)
  const top = 26 + 5.4 * Math.max(6, ...series.map(({ name }) => Math.min(24, name.length)))
  const heads = series.map(({ name, isOwn }, at): MarkupElement => {
    const [x, y] = [left + cell * at + cell / 2 + 4, top - 6]
    const [tag, attributes, ...rest] = svgText(x, y, short(name, 24), isOwn ? 'label strong' : 'label')
    return [tag, { ...attributes, transform: `rotate(-60 ${round(x)} ${round(y)})` }, ...rest]
  })
  const rows = categories.flatMap((name, row) => {
    const y = top + tall * row
    const cells = series.flatMap(({ name: model, isOwn, points }, at) => {
      const point = points.find(({ x }) => x === name)
      const x = left + cell * at
      if (!point) return [svgText(x + cell / 2, y + 14, '-', 'tick', 'middle')]
      const share = Math.max(0, Math.min(1, point.y / roof))
      const box = { x: x + 1, y: y + 1, width: cell - 2, height: tall - 2, rx: 2 }
      const fill = { fill: seriesColour(0), 'fill-opacity': round(share * 100) / 100 }
      const kind = `${share > 0.7 ? 'value deep' : 'value'}${isOwn ? ' strong' : ''}`
      return [
        titled(h('rect', { ...box, ...fill }), `${name}, ${model}: ${formatValue(point.y)}`),
        svgText(x + cell / 2, y + 14, formatValue(point.y), kind, 'middle'),
      ]
    })
    return [svgText(left - 8, y + 14, short(name, 27), 'label', 'end'), ...cells]
  })
  const height = top + tall * categories.length + 8
  const reach = 14 + 3 * Math.min(24, (series.at(-1)?.name ?? '').length) // of the last head, which is turned
  const width = Math.max(460, left + cell * series.length + reach)
  return { width, height, shapes: [svgText(8, 14, unit, 'tick'), ...heads, ...rows] }
}
