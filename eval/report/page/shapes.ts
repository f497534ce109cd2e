import { h, type MarkupElement } from './markup.ts'

// What charts are drawn with.
export const figureWidth = 460

export function figure(
  title: string,
  legend: string | undefined,
  height: number,
  spoken: string,
  shapes: MarkupElement[],
  below?: MarkupElement,
): MarkupElement {
  const label = `${title}: ${spoken}`
  return h(
    'figure',
    h('figcaption', title, legend !== undefined && h('small', legend)),
    h('svg', { viewBox: `0 0 ${figureWidth} ${height}`, role: 'img', 'aria-label': label }, ...shapes),
    below,
  )
}

// Round steps of 1, 2 or 5 that give about four of them.
export function tickValues(low: number, high: number): number[] {
  const raw = Math.max(1e-9, (high - low) / 4)
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5, 10].find(size => size * power >= raw * 0.7) ?? 10)
  const marks: number[] = []
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step)
    marks.push(Math.abs(at) < step / 1e6 ? 0 : at)
  return marks
}

export function svgText(x: number, y: number, content: string, kind: string, anchor = 'start'): MarkupElement {
  return h('text', { x: round(x), y: round(y), class: kind, 'text-anchor': anchor }, content)
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, kind: string): MarkupElement {
  return h('line', { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), class: kind })
}

export function svgDot(x: number, y: number, radius: number, kind: string): MarkupElement {
  return h('circle', { cx: round(x), cy: round(y), r: radius, class: kind })
}

// What a pointer over the shape shows.
export function addTitle(shape: MarkupElement, detail: string): MarkupElement {
  return [...shape, h('title', detail)]
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function truncate(label: string, max: number): string {
  return label.length > max ? `${label.slice(0, max - 1)}…` : label
}
