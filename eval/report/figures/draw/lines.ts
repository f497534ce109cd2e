import { h, type MarkupElement } from '../../page/markup.ts'
import { addTitle, round, svgDot, svgLine, svgText, tickValues } from '../../page/shapes.ts'
import type { Panel } from '../figure.ts'
import { formatValue } from '../rows.ts'
import { chooseTop, type Drawing, legend, seriesColour, whiskers } from './drawing.ts'

const [width, left, top, tall] = [460, 40, 24, 200] as const

// No frames at all has a place on the log2 axis too, left of one frame.
export function logPlace(frames: number): number {
  return frames === 0 ? -1 : Math.log2(frames)
}

// A metric over frames, doubled at each step.
export function drawLines({ title, unit, ...rest }: Panel): Drawing {
  const panel = { title, unit, ...rest }
  const all = panel.series.flatMap(({ points }) => points.map(({ x }) => Number(x)))
  const marks = [...new Set(all)].sort((a, b) => a - b)
  const [from, to] = [logPlace(marks[0] ?? 1) - 0.3, logPlace(marks.at(-1) ?? 1) + 0.3]
  const right = width - 14
  const roof = chooseTop(panel)
  const x = (frames: number) => left + ((right - left) * (logPlace(frames) - from)) / Math.max(1e-9, to - from)
  const y = (value: number) => top + tall * (1 - value / roof)
  const grid = tickValues(0, roof).flatMap(value => [
    svgLine(left, y(value), right, y(value), 'grid'),
    svgText(left - 6, y(value) + 4, formatValue(value), 'tick', 'end'),
  ])
  const labels = apart(marks, x).map(frames => svgText(x(frames), top + tall + 15, String(frames), 'tick', 'middle'))
  const lines = panel.series.map(({ name, isOwn, points }, at): MarkupElement[] => [
    h('polyline', {
      points: points.map(point => `${round(x(Number(point.x)))},${round(y(point.y))}`).join(' '),
      fill: 'none',
      stroke: seriesColour(at),
      'stroke-width': isOwn ? 2.2 : 1.4,
      ...(!isOwn && { 'stroke-dasharray': '5 3' }),
    }),
    ...points.flatMap(point => {
      const xValue = Number(point.x)
      const { low, high } = point
      const bounds = low === undefined || high === undefined ? [] : whiskers(x(xValue), y(low), x(xValue), y(high))
      const [tag, attributes] = svgDot(x(xValue), y(point.y), isOwn ? 4 : 3, 'marker')
      const mark: MarkupElement = [tag, { ...attributes, fill: seriesColour(at) }]
      return [...bounds, addTitle(mark, `${name}, ${xValue} frames: ${formatValue(point.y)}`)]
    }),
  ])
  const names = legend(panel.series, top + tall + 36, left, width - left)
  return {
    width,
    height: top + tall + 40 + names.height,
    shapes: [
      svgText(left, 14, title, 'label strong'),
      svgText(right, 14, unit, 'tick', 'end'),
      ...grid,
      ...labels,
      svgText((left + right) / 2, top + tall + 30, 'frames, doubled at each step', 'tick', 'middle'),
      ...lines.flat(),
      ...names.shapes,
    ],
  }
}

// Labels that do not touch.
function apart(marks: readonly number[], x: (frames: number) => number): number[] {
  const keptLabels: number[] = []
  for (const mark of marks)
    if (keptLabels.length === 0 || x(mark) - x(keptLabels.at(-1) ?? 0) > 26) keptLabels.push(mark)
  return keptLabels
}
