import type { PageElement } from './dom.ts'
import type { Elements } from './elements.ts'

export interface Bar {
  label: string
  value: number // per cent
  low?: number
  high?: number
  mark?: number | null // chance
  n: number
}

export interface Charts {
  bars(title: string, bars: Bar[], legend?: string): PageElement
  calibration(title: string, bins: { confidence: number; score: number; n: number }[], legend: string): PageElement
  histogram(title: string, values: number[], unit: string): PageElement
}

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself.
export function chartTools({ element, drawing, percent }: Elements): Charts {
  const width = 460
  const clamp = (value: number) => Math.min(100, Math.max(0, value))
  const round = (value: number) => Math.round(value * 10) / 10
  const figure = (title: string, height: number, label: string, shapes: PageElement[], legend?: string) =>
    element(
      'figure',
      {},
      element('figcaption', {}, title, legend !== undefined && element('small', {}, legend)),
      drawing('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: ${label}` }, ...shapes),
    )
  const text = (x: number, y: number, content: string, kind: string, anchor = 'start') =>
    drawing('text', { x: round(x), y: round(y), class: kind, 'text-anchor': anchor }, content)
  const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
    drawing('line', { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), class: kind })
  const short = (label: string, most: number) => (label.length > most ? `${label.slice(0, most - 1)}…` : label)

  return {
    bars(title, bars, legend) {
      const left = Math.min(240, Math.max(70, 20 + 6.6 * Math.max(...bars.map(bar => bar.label.length))))
      const right = width - 52
      const step = 24
      const top = 6
      const at = (value: number) => left + ((right - left) * clamp(value)) / 100
      const bottom = top + bars.length * step
      const shapes: PageElement[] = [0, 25, 50, 75, 100].flatMap(value => [
        line(at(value), top, at(value), bottom, 'grid'),
        text(at(value), bottom + 14, String(value), 'tick', 'middle'),
      ])
      bars.forEach((bar, i) => {
        const y = top + i * step
        const middle = y + step / 2
        shapes.push(
          text(left - 8, middle + 4, short(bar.label, 34), 'label', 'end'),
          drawing('rect', {
            x: left,
            y: y + 5,
            width: round(Math.max(0, at(bar.value) - left)),
            height: step - 10,
            class: 'bar',
            rx: 2,
          }),
        )
        if (bar.low !== undefined && bar.high !== undefined && bar.high > bar.low)
          shapes.push(
            line(at(bar.low), middle, at(bar.high), middle, 'whisker'),
            line(at(bar.low), middle - 4, at(bar.low), middle + 4, 'whisker'),
            line(at(bar.high), middle - 4, at(bar.high), middle + 4, 'whisker'),
          )
        if (bar.mark !== undefined && bar.mark !== null)
          shapes.push(line(at(bar.mark), y + 2, at(bar.mark), y + step - 2, 'chance'))
        const shown = text(right + 8, middle + 4, percent(bar.value), 'label')
        shown.append(drawing('title', {}, `${bar.label}: ${percent(bar.value)} % of ${bar.n}`))
        shapes.push(shown)
      })
      const spoken = bars.map(bar => `${bar.label} ${percent(bar.value)}`).join(', ')
      return figure(title, bottom + 20, spoken, shapes, legend)
    },

    calibration(title, bins, legend) {
      const size = 220
      const left = 40
      const top = 16
      const x = (value: number) => left + (width - left - 20) * value
      const y = (value: number) => top + size * (1 - value)
      const most = Math.max(1, ...bins.map(bin => bin.n))
      const shapes: PageElement[] = [0, 0.25, 0.5, 0.75, 1].flatMap(value => [
        line(x(0), y(value), x(1), y(value), 'grid'),
        text(x(0) - 6, y(value) + 4, String(value * 100), 'tick', 'end'),
        text(x(value), y(0) + 15, String(value), 'tick', 'middle'),
      ])
      shapes.push(line(x(0), y(0), x(1), y(1), 'chance'))
      for (const bin of bins) {
        const dot = drawing('circle', {
          cx: round(x(bin.confidence)),
          cy: round(y(bin.score)),
          r: round(4 + 8 * Math.sqrt(bin.n / most)),
          class: 'dot',
        })
        dot.append(
          drawing(
            'title',
            {},
            `said ${bin.confidence.toFixed(2)}, was right ${percent(bin.score * 100)} % of ${bin.n}`,
          ),
        )
        shapes.push(dot)
      }
      shapes.push(text(x(0.5), y(0) + 31, 'confidence', 'tick', 'middle'))
      return figure(
        title,
        size + 52,
        bins.map(bin => `${bin.confidence.toFixed(2)} ${percent(bin.score * 100)} %`).join(', '),
        shapes,
        legend,
      )
    },

    histogram(title, values, unit) {
      const height = 170
      const left = 34
      const top = 8
      const most = Math.max(...values, 1e-9)
      const count = Math.min(24, Math.max(6, Math.ceil(Math.sqrt(values.length))))
      const sums = new Array<number>(count).fill(0)
      for (const value of values) sums[Math.min(count - 1, Math.floor((value / most) * count))]++
      const tallest = Math.max(1, ...sums)
      const wide = (width - left - 10) / count
      const digits = most < 1 ? 2 : most < 20 ? 1 : 0
      const shapes: PageElement[] = [line(left, top + height, width - 10, top + height, 'grid')]
      sums.forEach((sum, i) => {
        const tall = (height * sum) / tallest
        const bar = drawing('rect', {
          x: round(left + i * wide + 1),
          y: round(top + height - tall),
          width: round(wide - 2),
          height: round(tall),
          class: 'bar',
          rx: 1,
        })
        bar.append(
          drawing(
            'title',
            {},
            `${((i * most) / count).toFixed(digits)} to ${(((i + 1) * most) / count).toFixed(digits)} ${unit}: ${sum}`,
          ),
        )
        shapes.push(bar)
      })
      for (const share of [0, 0.5, 1])
        shapes.push(
          text(
            left + share * (width - left - 10),
            top + height + 15,
            (share * most).toFixed(digits),
            'tick',
            share === 0 ? 'start' : share === 1 ? 'end' : 'middle',
          ),
        )
      shapes.push(
        text(left - 6, top + 8, String(tallest), 'tick', 'end'),
        text((width + left) / 2, top + height + 31, unit, 'tick', 'middle'),
      )
      return figure(title, height + 44, `${values.length} values up to ${most.toFixed(digits)} ${unit}`, shapes)
    },
  }
}
