import { h, type MarkupElement } from '../../page/markup.ts'
import { round, svgText, truncate } from '../../page/shapes.ts'
import type { Panel, Series } from '../figure.ts'

// A panel as shapes, before they are put into a page or a file.
export interface Drawing {
  width: number
  height: number
  shapes: MarkupElement[]
}

// Okabe and Ito's colours, apart for all kinds of sight; the first three are ours first.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#7a5195', '#6b7280']

export function seriesColour(at: number): string {
  return colours[at % colours.length] ?? '#000'
}

// The highest value of the scale: as given, or above all that is drawn.
export function chooseTop({ top, series, unit }: Panel): number {
  if (top > 0) return top
  const most = Math.max(1e-9, ...series.flatMap(({ points }) => points.map(({ y, high = y }) => Math.max(y, high))))
  const step = 10 ** Math.floor(Math.log10(most))
  const above = Math.ceil((most * 1.02) / (step / 2)) * (step / 2)
  return unit === 'per cent' && most <= 100 ? Math.min(100, above) : above
}

// The names of series in two columns, from `top` down; ours are bold.
export function legend(series: readonly Series[], top: number, left: number, width: number): Drawing {
  const half = Math.ceil(series.length / 2)
  const shapes = series.flatMap(({ name, isOwn }, at) => {
    const x = left + (at < half ? 0 : width / 2)
    const y = top + 14 * (at % half) + 10
    return [
      h('rect', {
        x: round(x),
        y: round(y - 8),
        width: 9,
        height: 9,
        fill: seriesColour(at),
        'fill-opacity': isOwn ? 1 : 0.55,
      }),
      svgText(x + 14, y, truncate(name, 27), isOwn ? 'label strong' : 'label'),
    ]
  })
  return { width, height: 14 * half + 6, shapes }
}

export function whiskers(x1: number, y1: number, x2: number, y2: number): MarkupElement[] {
  const isFlat = y1 === y2
  const cap = (x: number, y: number) =>
    h('line', {
      x1: round(isFlat ? x : x - 3),
      y1: round(isFlat ? y - 3 : y),
      x2: round(isFlat ? x : x + 3),
      y2: round(isFlat ? y + 3 : y),
      class: 'whisker',
    })
  const bar = h('line', { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), class: 'whisker' })
  return [bar, cap(x1, y1), cap(x2, y2)]
}
