import type { PageElement } from '../../../report/html/dom.ts'
import type { Elements } from '../../../report/html/elements.ts'
import type { PageRow } from '../page-data.ts'

export interface StudyCharts {
  forest(rows: readonly PageRow[], task: string): PageElement
  costs(rows: readonly PageRow[], task: string, cost: keyof PageRow['cost']): PageElement
  heat(rows: readonly PageRow[], task: string, way: string): PageElement
}

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself.
export function studyChartTools({ element, drawing }: Elements): StudyCharts {
  const width = 460
  const round = (value: number) => Math.round(value * 10) / 10
  const text = (x: number, y: number, content: string, kind: string, anchor = 'start') =>
    drawing('text', { x: round(x), y: round(y), class: kind, 'text-anchor': anchor }, content)
  const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
    drawing('line', { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), class: kind })
  const short = (label: string, most: number) => (label.length > most ? `${label.slice(0, most - 1)}…` : label)
  const signed = (value: number) => (value > 0.049 ? `+${value.toFixed(1)}` : value.toFixed(1).replace('-0.0', '0.0'))
  const figure = (
    title: string,
    legend: string,
    height: number,
    spoken: string,
    shapes: PageElement[],
    more: PageElement[] = [],
  ) =>
    element(
      'figure',
      {},
      element('figcaption', {}, title, element('small', {}, legend)),
      drawing(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: ${spoken}` },
        ...shapes,
      ),
      ...more,
    )
  // Round steps of 1, 2 or 5 that give about four of them.
  const ticks = (low: number, high: number) => {
    const raw = Math.max(1e-9, (high - low) / 4)
    const power = 10 ** Math.floor(Math.log10(raw))
    const step = power * ([1, 2, 5, 10].find(size => size * power >= raw * 0.7) ?? 10)
    const list: number[] = []
    for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step)
      list.push(Math.abs(at) < step / 1e6 ? 0 : at)
    return list
  }

  return {
    forest(rows, task) {
      const shown = rows.flatMap(row => {
        const one = row.differences.find(difference => difference.task === task)
        return one ? [{ row, one }] : []
      })
      const few = shown.some(({ one }) => one.videos < 5)
      const ends = shown.flatMap(({ one }) => [
        one.interval.low,
        one.interval.high,
        one.difference,
        ...(few ? [one.questionInterval.low, one.questionInterval.high] : []),
      ])
      const reach = Math.max(5, ...ends.map(Math.abs))
      const [low, high] = [
        Math.max(-100, Math.min(0, ...ends) - reach * 0.06),
        Math.min(100, Math.max(0, ...ends) + reach * 0.06),
      ]
      const [left, right, step, top] = [14, width - 14, 38, 4]
      const at = (value: number) =>
        left + ((right - left) * (Math.min(high, Math.max(low, value)) - low)) / Math.max(1e-9, high - low)
      const bottom = top + shown.length * step
      const shapes: PageElement[] = ticks(low, high).flatMap(value => [
        line(at(value), top, at(value), bottom, value === 0 ? 'zero' : 'grid'),
        text(at(value), bottom + 15, signed(value), 'tick', 'middle'),
      ])
      shown.forEach(({ row, one }, i) => {
        const y = top + i * step
        const middle = y + 27
        const kind = one.verdict === 'worse' ? 'worse' : one.verdict === 'better' ? 'better' : 'even'
        const bounds = few ? one.questionInterval : one.interval
        shapes.push(
          drawing('rect', { x: left - 8, y: y + 3, width: right - left + 16, height: 15, class: 'behind' }),
          text(left - 6, y + 14, short(`${row.name}${row.finished ? '' : ' (not done)'}`, 44), 'label'),
          text(
            right + 6,
            y + 14,
            `${signed(one.difference)} [${signed(bounds.low)}, ${signed(bounds.high)}]`,
            `figures ${kind}`,
            'end',
          ),
        )
        if (few)
          shapes.push(line(at(one.questionInterval.low), middle, at(one.questionInterval.high), middle, `thin ${kind}`))
        const point = drawing('rect', {
          x: round(at(one.difference) - 4.5),
          y: middle - 4.5,
          width: 9,
          height: 9,
          class: `point ${kind}`,
        })
        point.append(
          drawing(
            'title',
            {},
            `${row.name}: ${signed(one.difference)} points on ${one.n} questions, p (Holm) ${one.holm.toFixed(3)}: ${one.verdict}`,
          ),
        )
        shapes.push(line(at(one.interval.low), middle, at(one.interval.high), middle, `thick ${kind}`), point)
      })
      return figure(
        `Difference to the base: ${task}`,
        `points; thick line: 95 % interval, whole videos drawn${few ? '; thin line and figures: questions drawn within each video' : ''}; red and green: told from chance after correction`,
        bottom + 22,
        shown.map(({ row, one }) => `${row.name} ${signed(one.difference)}`).join(', '),
        shapes,
      )
    },

    costs(rows, task, cost) {
      const points = rows.flatMap((row, i) =>
        row.scores[task] === undefined ? [] : [{ name: row.name, number: i, x: row.cost[cost], y: row.scores[task] }],
      )
      const [left, right, top, tall] = [38, width - 16, 12, 240]
      const most = Math.max(1e-9, ...points.map(point => point.x)) * 1.08
      const least = Math.min(...points.map(point => point.x))
      const isWide = least > 0 && most / least > 20 // then each decade gets the same room
      const decades = (value: number) => Math.log10(value / (least / 1.3)) / Math.log10((most * 1.2) / (least / 1.3))
      const marks = isWide
        ? [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]
            .flatMap(power => [1, 3].map(size => size * 10 ** power))
            .filter(value => value >= least / 1.3 && value <= most * 1.2)
        : ticks(0, most)
      const [floor, roof] = [
        Math.min(...points.map(point => point.y), 100),
        Math.max(...points.map(point => point.y), 0),
      ]
      const low = Math.max(0, floor - Math.max(4, (roof - floor) * 0.12))
      const high = Math.min(100, roof + Math.max(4, (roof - floor) * 0.12))
      const x = (value: number) => left + (right - left) * (isWide ? decades(value) : value / most)
      const y = (value: number) => top + tall * (1 - (value - low) / Math.max(1e-9, high - low))
      const digits = most < 0.1 ? 3 : most < 1 ? 2 : most < 20 ? 1 : 0
      const shapes: PageElement[] = [
        ...ticks(low, high).flatMap(value => [
          line(left, y(value), right, y(value), 'grid'),
          text(left - 6, y(value) + 4, String(round(value)), 'tick', 'end'),
        ]),
        ...marks.map(value =>
          text(
            x(value),
            top + tall + 16,
            isWide ? String(Number(value.toPrecision(1))) : value.toFixed(digits),
            'tick',
            'middle',
          ),
        ),
        text(
          (left + right) / 2,
          top + tall + 34,
          `${cost} a question${isWide ? ', each decade alike' : ''}`,
          'tick',
          'middle',
        ),
      ]
      const placed: { x: number; y: number }[] = []
      const base: PageElement[] = [] // drawn last, so that it is seen
      for (const point of points) {
        const at = { x: x(point.x), y: y(point.y) }
        // Rows that took and reached the same stand side by side, where they are few.
        for (let shift = 0; shift < 24; shift += 3)
          if (placed.some(other => Math.hypot(other.x - at.x, other.y - at.y) < 14)) at.x += 3
        placed.push(at)
        const dot = drawing('circle', {
          cx: round(at.x),
          cy: round(at.y),
          r: 8,
          class: point.number === 0 ? 'dot base' : 'dot row',
        })
        dot.append(drawing('title', {}, `${point.name}: ${point.y.toFixed(1)} at ${point.x.toPrecision(3)} ${cost}`))
        const drawn = point.number === 0 ? base : shapes
        drawn.push(dot, text(at.x, at.y + 3.5, String(point.number), 'number', 'middle'))
      }
      shapes.push(...base)
      const legend = element(
        'ol',
        { class: 'legend', start: 0 },
        ...points.map(point => element('li', { value: point.number }, point.name)),
      )
      return figure(
        `Score against cost: ${task}`,
        'per cent, over what a question takes; up and to the left is better',
        top + tall + 42,
        points.map(point => `${point.name} ${point.y.toFixed(1)}`).join(', '),
        shapes,
        [legend],
      )
    },

    heat(rows, task, way) {
      const of = (row: PageRow) => row.groups.filter(group => group.way === way && group.task === task)
      const values = [...new Set(rows.flatMap(row => of(row).map(group => group.value)))]
      const body = element('tbody')
      rows.forEach((row, i) => {
        const cells = values.map(value => {
          const cell = of(row).find(group => group.value === value)
          if (!cell) return element('td', {}, '')
          if (i === 0)
            return element('td', { class: 'heat base' }, cell.base.toFixed(0), element('small', {}, ` of ${cell.n}`))
          const change = cell.row - cell.base
          const level = Math.min(4, Math.ceil(Math.abs(change) / 20))
          const kind = change < -0.049 ? `down${level}` : change > 0.049 ? `up${level}` : 'none'
          return element(
            'td',
            {
              class: `heat ${kind}`,
              title: `${row.name}, ${value}: ${cell.row.toFixed(1)} % of ${cell.n}, base ${cell.base.toFixed(1)} %`,
            },
            signed(change).replace(/\.0$/, ''),
          )
        })
        body.append(element('tr', {}, element('th', {}, row.name), ...cells))
      })
      return element(
        'div',
        { class: 'wide' },
        element(
          'table',
          { class: 'heatmap' },
          element(
            'thead',
            {},
            element('tr', {}, element('th', {}, ''), ...values.map(value => element('th', {}, value))),
          ),
          body,
        ),
      )
    },
  }
}
