import { h, type MarkupElement } from '../../page/markup.ts'
import { round, short, svgText } from '../../page/shapes.ts'
import type { Panel } from '../figure.ts'
import { formatValue } from '../rows.ts'
import { chooseTop, type Drawing, legend, seriesColour } from './drawing.ts'

const [width, reach, middle] = [600, 120, 160] as const

// An axis for each name. The area of such a figure depends on the order of its axes and says nothing.
export function drawRadar(panel: Panel): Drawing {
  const { categories, series, unit } = panel
  const roof = chooseTop({ ...panel, top: 0 })
  const pointAt = (at: number, share: number): [number, number] => {
    const angle = (2 * Math.PI * at) / categories.length - Math.PI / 2
    return [width / 2 + reach * share * Math.cos(angle), middle + reach * share * Math.sin(angle)]
  }
  const ring = (shares: readonly number[]) =>
    shares.map((share, at) => pointAt(at, share).map(round).join(',')).join(' ')
  const rings = [0.25, 0.5, 0.75, 1].flatMap(share => [
    h('polygon', { points: ring(categories.map(() => share)), fill: 'none', class: 'grid' }),
    svgText(width / 2 + 3, middle - reach * share + 11, formatValue(share * roof), 'tick'),
  ])
  const names = categories.map((name, at) => {
    const [x, y] = pointAt(at, 1.12)
    const side = Math.abs(x - width / 2) < 5 ? 'middle' : x > width / 2 ? 'start' : 'end'
    return svgText(x, y + 4, short(name, 24), 'label', side)
  })
  const shapes = series.map(({ isOwn, points }, at): MarkupElement => {
    const shares = categories.map(name => (points.find(({ x }) => x === name)?.y ?? 0) / roof)
    const dash = isOwn ? {} : { 'stroke-dasharray': '5 3' }
    return h('polygon', {
      points: ring(shares),
      fill: 'none',
      stroke: seriesColour(at),
      'stroke-width': isOwn ? 2.4 : 1.2,
      ...dash,
    })
  })
  const under = legend(series, middle + reach + 34, 20, width - 20)
  return {
    width,
    height: middle + reach + 36 + under.height,
    shapes: [svgText(8, 14, unit, 'tick'), ...rings, ...names, ...shapes, ...under.shapes],
  }
}
