import { clamp } from '../../../src/core/basics/numbers.ts'
import { percentText, withSign } from '../numbers.ts'
import { h, type MarkupElement } from './markup.ts'
import { addTitle, figure, figureWidth, round, svgDot, svgLine, svgText, tickValues, truncate } from './shapes.ts'

interface Bar {
  label: string
  value: number // per cent
  low?: number
  high?: number
  mark?: number | null // chance
  n: number
}

export function bars(title: string, rows: readonly Bar[], legend: string): MarkupElement {
  const leftMargin = Math.min(262, Math.max(70, 44 + 6.6 * Math.max(...rows.map(bar => bar.label.length))))
  const right = figureWidth - 52
  const step = 24
  const top = 6
  const at = (value: number) => leftMargin + ((right - leftMargin) * clamp(value, 0, 100)) / 100
  const bottom = top + rows.length * step
  const grid = [0, 25, 50, 75, 100].flatMap(value => [
    svgLine(at(value), top, at(value), bottom, 'grid'),
    svgText(at(value), bottom + 14, String(value), 'tick', 'middle'),
  ])
  const shapes = rows.flatMap(({ label, value, low, high, mark, n }, i) => {
    const y = top + i * step
    const middle = y + step / 2
    const size = { width: round(Math.max(0, at(value) - leftMargin)), height: step - 10 }
    const whiskers =
      low === undefined || high === undefined || high <= low
        ? []
        : [
            svgLine(at(low), middle, at(high), middle, 'whisker'),
            svgLine(at(low), middle - 4, at(low), middle + 4, 'whisker'),
            svgLine(at(high), middle - 4, at(high), middle + 4, 'whisker'),
          ]
    return [
      svgText(leftMargin - 8, middle + 4, `${truncate(label, 34)} (${n})`, 'label', 'end'),
      h('rect', { x: leftMargin, y: y + 5, ...size, class: 'bar', rx: 2 }),
      ...whiskers,
      ...(mark === undefined || mark === null ? [] : [svgLine(at(mark), y + 2, at(mark), y + step - 2, 'chance')]),
      addTitle(
        svgText(right + 8, middle + 4, percentText(value), 'label'),
        `${label}: ${percentText(value)} %, ${n} questions`,
      ),
    ]
  })
  const spoken = rows.map(bar => `${bar.label} ${percentText(bar.value)}`).join(', ')
  return figure(title, legend, bottom + 20, spoken, [...grid, ...shapes])
}

interface CalibrationBin {
  confidence: number
  score: number
  n: number
}

export function calibrationChart(title: string, bins: readonly CalibrationBin[], legend: string): MarkupElement {
  const size = 220
  const axisWidth = 40
  const top = 16
  const x = (value: number) => axisWidth + (figureWidth - axisWidth - 20) * value
  const y = (value: number) => top + size * (1 - value)
  const max = Math.max(1, ...bins.map(bin => bin.n))
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap(value => [
    svgLine(x(0), y(value), x(1), y(value), 'grid'),
    svgText(x(0) - 6, y(value) + 4, String(value * 100), 'tick', 'end'),
    svgText(x(value), y(0) + 15, String(value), 'tick', 'middle'),
  ])
  const dots = bins.map(({ confidence, score, n }) =>
    addTitle(
      svgDot(x(confidence), y(score), round(4 + 8 * Math.sqrt(n / max)), 'dot'),
      `said ${confidence.toFixed(2)}, was right ${percentText(score * 100)} % of ${n}`,
    ),
  )
  const spoken = bins.map(bin => `${bin.confidence.toFixed(2)} ${percentText(bin.score * 100)} %`).join(', ')
  return figure(title, legend, size + 52, spoken, [
    ...grid,
    svgLine(x(0), y(0), x(1), y(1), 'chance'),
    ...dots,
    svgText(x(0.5), y(0) + 31, 'confidence', 'tick', 'middle'),
  ])
}

export function histogram(title: string, values: readonly number[], unit: string): MarkupElement {
  const height = 170
  const barsLeft = 34
  const top = 8
  const right = figureWidth - 10
  const max = Math.max(...values, 1e-9)
  const count = clamp(Math.ceil(Math.sqrt(values.length)), 6, 24)
  const sums = Array.from(
    { length: count },
    (_, i) => values.filter(value => Math.min(count - 1, Math.floor((value / max) * count)) === i).length,
  )
  const tallest = Math.max(1, ...sums)
  const wide = (right - barsLeft) / count
  const formatTick = (value: number) => value.toFixed(max < 1 ? 2 : max < 20 ? 1 : 0)
  const boxes = sums.map((sum, i) => {
    const tall = (height * sum) / tallest
    const barPosition = { x: round(barsLeft + i * wide + 1), y: round(top + height - tall) }
    return addTitle(
      h('rect', { ...barPosition, width: round(wide - 2), height: round(tall), class: 'bar', rx: 1 }),
      `${formatTick((i * max) / count)} to ${formatTick(((i + 1) * max) / count)} ${unit}: ${sum}`,
    )
  })
  const ends = [[0, 'start'] as const, [0.5, 'middle'] as const, [1, 'end'] as const]
  return figure(title, undefined, height + 44, `${values.length} values up to ${formatTick(max)} ${unit}`, [
    svgLine(barsLeft, top + height, right, top + height, 'grid'),
    ...boxes,
    ...ends.map(([share, anchor]) =>
      svgText(barsLeft + share * (right - barsLeft), top + height + 15, formatTick(share * max), 'tick', anchor),
    ),
    svgText(barsLeft - 6, top + 8, String(tallest), 'tick', 'end'),
    svgText((figureWidth + barsLeft) / 2, top + height + 31, unit, 'tick', 'middle'),
  ])
}

interface Bounds {
  low: number
  high: number
}

export interface ForestRow {
  label: string
  difference: number
  kind: 'worse' | 'better' | 'even'
  thick: Bounds
  thin?: Bounds // where it is there, the figures are of it
  detail: string
}

// A row each, as a point with its interval beside the line of no difference.
export function forestPlot(title: string, rows: readonly ForestRow[], legend: string): MarkupElement {
  const ends = rows.flatMap(({ difference, thick, thin }) => [
    ...[thick.low, thick.high, difference],
    ...(thin ? [thin.low, thin.high] : []),
  ])
  const reach = 0.06 * Math.max(5, ...ends.map(Math.abs))
  const low = Math.max(-100, Math.min(0, ...ends) - reach)
  const high = Math.min(100, Math.max(0, ...ends) + reach)
  const [left, right, step, top] = [14, figureWidth - 14, 38, 4] as const
  const at = (value: number) => left + ((right - left) * (clamp(value, low, high) - low)) / Math.max(1e-9, high - low)
  const bottom = top + rows.length * step
  const grid = tickValues(low, high).flatMap(value => [
    svgLine(at(value), top, at(value), bottom, value === 0 ? 'zero' : 'grid'),
    svgText(at(value), bottom + 15, withSign(value), 'tick', 'middle'),
  ])
  const shapes = rows.flatMap(({ label, difference, kind, thick, thin, detail }, i) => {
    const y = top + i * step
    const middle = y + 27
    const bounds = thin ?? thick
    const figures = `${withSign(difference)} [${withSign(bounds.low)}, ${withSign(bounds.high)}]`
    const point = { x: round(at(difference) - 4.5), y: middle - 4.5, width: 9, height: 9, class: `point ${kind}` }
    return [
      h('rect', { x: left - 8, y: y + 3, width: right - left + 16, height: 15, class: 'behind' }),
      svgText(left - 6, y + 14, truncate(label, 44), 'label'),
      svgText(right + 6, y + 14, figures, `figures ${kind}`, 'end'),
      ...(thin ? [svgLine(at(thin.low), middle, at(thin.high), middle, `thin ${kind}`)] : []),
      svgLine(at(thick.low), middle, at(thick.high), middle, `thick ${kind}`),
      addTitle(h('rect', point), detail),
    ]
  })
  const spoken = rows.map(({ label, difference }) => `${label} ${withSign(difference)}`).join(', ')
  return figure(title, legend, bottom + 22, spoken, [...grid, ...shapes])
}

interface CostPoint {
  name: string
  number: number // as the legend counts; 0 is the base
  cost: number
  score: number // per cent
}

// Score against cost; dots are numbered, and the legend names them.
export function costChart(
  title: string,
  points: readonly CostPoint[],
  cost: string,
  legend: string,
  axis = `${cost} a question`,
): MarkupElement {
  const [left, right, top, tall] = [38, figureWidth - 16, 12, 240] as const
  const max = Math.max(1e-9, ...points.map(point => point.cost)) * 1.08
  const min = Math.min(...points.map(point => point.cost))
  const isWide = min > 0 && max / min > 20 // then each decade gets the same room
  const [from, to] = [min / 1.3, max * 1.2]
  const share = (value: number) => (isWide ? Math.log10(value / from) / Math.log10(to / from) : value / max)
  const powers = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]
  const marks = isWide
    ? powers.flatMap(power => [1, 3].map(size => size * 10 ** power)).filter(value => value >= from && value <= to)
    : tickValues(0, max)
  const digits = max < 0.1 ? 3 : max < 1 ? 2 : max < 20 ? 1 : 0
  const markText = (value: number) => (isWide ? String(Number(value.toPrecision(1))) : value.toFixed(digits))
  const floor = Math.min(...points.map(point => point.score), 100)
  const roof = Math.max(...points.map(point => point.score), 0)
  const margin = Math.max(4, (roof - floor) * 0.12)
  const [low, high] = [Math.max(0, floor - margin), Math.min(100, roof + margin)]
  const x = (value: number) => left + (right - left) * share(value)
  const y = (value: number) => top + tall * (1 - (value - low) / Math.max(1e-9, high - low))
  const placed: { x: number; y: number }[] = []
  const dots = points.map(point => {
    const at = { x: x(point.cost), y: y(point.score) }
    // Rows that took and reached the same stand side by side, where they are few.
    for (let shift = 0; shift < 24; shift += 3)
      if (placed.some(other => Math.hypot(other.x - at.x, other.y - at.y) < 14)) at.x += 3
    placed.push(at)
    const detail = `${point.name}: ${point.score.toFixed(1)} at ${point.cost.toPrecision(3)} ${cost}`
    return [
      addTitle(svgDot(at.x, at.y, 8, point.number === 0 ? 'dot base' : 'dot row'), detail),
      svgText(at.x, at.y + 3.5, String(point.number), 'number', 'middle'),
    ]
  })
  const isBase = (_: unknown, i: number) => points[i]?.number === 0
  const names = points.map(({ number, name }) => h('li', { value: number }, name))
  const spoken = points.map(point => `${point.name} ${point.score.toFixed(1)}`).join(', ')
  const shapes = [
    ...tickValues(low, high).flatMap(value => [
      svgLine(left, y(value), right, y(value), 'grid'),
      svgText(left - 6, y(value) + 4, String(round(value)), 'tick', 'end'),
    ]),
    ...marks.map(value => svgText(x(value), top + tall + 16, markText(value), 'tick', 'middle')),
    svgText((left + right) / 2, top + tall + 34, `${axis}${isWide ? ', each decade alike' : ''}`, 'tick', 'middle'),
    ...dots.filter((one, i) => !isBase(one, i)).flat(),
    ...dots.filter(isBase).flat(), // on top, so that it is seen
  ]
  return figure(title, legend, top + tall + 42, spoken, shapes, h('ol.legend', { start: 0 }, ...names))
}
