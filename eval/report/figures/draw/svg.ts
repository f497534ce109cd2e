import { h, type MarkupElement, toHtml } from '../../page/markup.ts'
import { addTitle, round, svgText, truncate } from '../../page/shapes.ts'
import type { Panel, ReportFigure } from '../figure.ts'
import { formatValue } from '../rows.ts'
import { drawBars } from './bars.ts'
import { chooseTop, type Drawing, legend, seriesColour } from './drawing.ts'
import { drawLines } from './lines.ts'

const [width, reach, middle] = [600, 120, 160] as const

// An axis for each name. The area of such a figure depends on the order of its axes and says nothing.
function drawRadar(panel: Panel): Drawing {
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
    return svgText(x, y + 4, truncate(name, 24), 'label', side)
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

const [left, cell, tall] = [170, 44, 21] as const

// Names by series, the deeper the higher; ours stand first and are bold.
function drawHeat(panel: Panel): Drawing {
  const { categories, series, unit } = panel
  const roof = chooseTop(panel)
  const top = 26 + 5.4 * Math.max(6, ...series.map(({ name }) => Math.min(24, name.length)))
  const heads = series.map(({ name, isOwn }, at): MarkupElement => {
    const [x, y] = [left + cell * at + cell / 2 + 4, top - 6]
    const [tag, attributes, ...rest] = svgText(x, y, truncate(name, 24), isOwn ? 'label strong' : 'label')
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
        addTitle(h('rect', { ...box, ...fill }), `${name}, ${model}: ${formatValue(point.y)}`),
        svgText(x + cell / 2, y + 14, formatValue(point.y), kind, 'middle'),
      ]
    })
    return [svgText(left - 8, y + 14, truncate(name, 27), 'label', 'end'), ...cells]
  })
  const height = top + tall * categories.length + 8
  const reach = 14 + 3 * Math.min(24, (series.at(-1)?.name ?? '').length) // of the last head, which is turned
  const width = Math.max(460, left + cell * series.length + reach)
  return { width, height, shapes: [svgText(8, 14, unit, 'tick'), ...heads, ...rows] }
}

const drawn: Record<ReportFigure['kind'], (panel: Panel) => Drawing> = {
  lines: drawLines,
  bars: drawBars,
  heat: drawHeat,
  radar: drawRadar,
}

// A figure as a file of its own, its panels two in a row; it asks for nothing outside itself.
export function figureSvg({ kind, title, source, panels, notes }: ReportFigure): string {
  const drawnPanels = panels.filter(isFilled).map(drawn[kind])
  const wide = Math.max(460, ...drawnPanels.map(({ width }) => width)) + 20
  const across = drawnPanels.length > 1 ? 2 : 1
  const shapes: MarkupElement[] = []
  let y = 44
  for (let at = 0; at < drawnPanels.length; at += across) {
    const row = drawnPanels.slice(at, at + across)
    row.forEach((one, i) => {
      shapes.push(h('g', { transform: `translate(${10 + i * wide} ${y})` }, ...one.shapes))
    })
    y += Math.max(...row.map(({ height }) => height)) + 18
  }
  const all = [title, source, ...notes]
  const below = notes.map((note, at) => svgText(12, y + 14 * at + 6, note, 'tick'))
  const [width, height] = [across * wide + 10, y + 14 * notes.length + 8]
  const root = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' }
  const head = [svgText(12, 18, title, 'head'), svgText(12, 34, source, 'tick')]
  const markup = h(
    'svg',
    { ...root, 'aria-label': all.join('. ') },
    h('style', style),
    paper,
    ...head,
    ...shapes,
    ...below,
  )
  return `${toHtml(markup)}\n`
}

// The same in a page: a figure for each panel.
export function figureMarkup({ kind, title, source, panels, notes }: ReportFigure): MarkupElement[] {
  return panels.filter(isFilled).map((panel, at) => {
    const { width, height, shapes } = drawn[kind](panel)
    const label = `${[title, panel.title].filter(Boolean).join(': ')}: ${spoken(panel)}`
    return h(
      kind === 'heat' ? 'figure.whole' : 'figure',
      h('figcaption', title, h('small', source)),
      h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...shapes),
      ...(at === 0 ? notes.map(note => h('p.facts', note)) : []),
    )
  })
}

function isFilled({ series }: Panel): boolean {
  return series.some(({ points }) => points.length > 0)
}

function spoken({ series }: Panel): string {
  const ours = series.filter(({ isOwn }) => isOwn)
  return (ours.length > 0 ? ours : series)
    .map(({ name, points }) => `${name} ${points.map(({ x, y }) => `${x} ${Number(y.toFixed(2))}`).join(', ')}`)
    .join('; ')
}

const paper = h('rect', { width: '100%', height: '100%', fill: '#ffffff' })

// Light, for papers and slides; in a page the page's own style holds.
const style = `text { font: 12px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #1c2430; }
text.tick, text.value { font-size: 10.5px; } text.tick { fill: #5b6675; } text.strong { font-weight: 700; }
text.head { font-size: 15px; font-weight: 700; } text.deep { fill: #ffffff; }
.grid { stroke: #dfe4ea; stroke-width: 1; } .whisker { stroke: #1c2430; stroke-width: 1.1; }`
