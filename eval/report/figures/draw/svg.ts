import { h, type MarkupElement, toHtml } from '../../page/markup.ts'
import { svgText } from '../../page/shapes.ts'
import type { Panel, ReportFigure } from '../figure.ts'
import { drawBars } from './bars.ts'
import type { Drawing } from './drawing.ts'
import { drawHeat } from './heat.ts'
import { drawLines } from './lines.ts'
import { drawRadar } from './radar.ts'

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
