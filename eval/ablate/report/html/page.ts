import type { PageDocument, PageElement } from '../../../report/html/dom.ts'
import type { Elements } from '../../../report/html/elements.ts'
import type { PageRow, StudyPage } from '../page-data.ts'
import type { StudyCharts } from './charts.ts'
import type { FlipViews } from './flips.ts'

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself.
export function buildStudyPage(
  document: PageDocument,
  data: StudyPage,
  { element }: Elements,
  charts: StudyCharts,
  flips: FlipViews,
): void {
  const root = document.getElementById('page')
  if (!root) return
  const costs: (keyof PageRow['cost'])[] = ['seconds', 'calls', 'tokens', 'frames', 'money']
  const varied = costs.filter(cost => data.rows.some(row => row.cost[cost] > 0))
  const names = new Map(data.rows.map(row => [row.id, row.name]))
  const mostShown = 40

  const choice = (label: string, values: [value: string, shown: string][], onChange: () => void) => {
    const select = element('select', { 'aria-label': label })
    for (const [value, shown] of values) select.append(element('option', { value }, shown))
    select.addEventListener('change', onChange)
    return select
  }
  const same = (values: readonly string[]) => values.map((value): [string, string] => [value, value])

  const chartRow = () => {
    const holder = element('div', { class: 'charts' })
    const update = () =>
      holder.replaceChildren(
        charts.forest(data.rows, task.value),
        charts.costs(data.rows, task.value, (cost.value || 'seconds') as keyof PageRow['cost']),
      )
    const task = choice('task of the charts', same(data.tasks), update)
    const cost = choice('cost', same(varied.length > 0 ? varied : ['seconds']), update)
    update()
    return element('section', {}, element('div', { class: 'filters' }, task, cost), holder)
  }

  const heat = () => {
    const ways = [...new Set(data.rows.flatMap(row => row.groups.map(group => group.way)))]
    if (ways.length === 0) return element('section')
    const holder = element('div', { class: 'paper' })
    const update = () => holder.replaceChildren(charts.heat(data.rows, task.value, way.value))
    const task = choice('task of the heat map', same(data.tasks), update)
    const way = choice('grouped by', same(ways), update)
    update()
    return element(
      'section',
      {},
      element('h2', {}, 'By group'),
      element('p', { class: 'facts' }, 'The base in per cent; below it the difference to the base in points.'),
      element('div', { class: 'filters' }, task, way),
      holder,
    )
  }

  const flipList = () => {
    const list = element('div', { class: 'rows' })
    const count = element('p', { class: 'facts', 'aria-live': 'polite' })
    let shown = mostShown
    const update = () => {
      const found = data.flips.filter(
        flip =>
          (row.value === '' || flip.row === row.value) &&
          (task.value === '' || flip.task === task.value) &&
          (way.value === '' || flip.gained === (way.value === 'gained')),
      )
      count.textContent = `${found.filter(flip => !flip.gained).length} now wrong, ${found.filter(flip => flip.gained).length} now right`
      const more = element('button', { type: 'button' }, `Show more of the other ${found.length - shown}`)
      more.addEventListener('click', () => {
        shown += mostShown
        update()
      })
      list.replaceChildren(
        ...found.slice(0, shown).map(flip => flips.row(flip, names.get(flip.row) ?? flip.row)),
        ...(found.length > shown ? [more] : []),
      )
    }
    const renew = () => {
      shown = mostShown
      update()
    }
    const rows = data.rows.slice(1).filter(one => data.flips.some(flip => flip.row === one.id))
    const row = choice('row', [['', 'any row'], ...rows.map((one): [string, string] => [one.id, one.name])], renew)
    const task = choice('task', [['', 'any task'], ...same(data.tasks)], renew)
    const way = choice(
      'direction',
      [
        ['', 'both directions'],
        ['lost', 'now wrong'],
        ['gained', 'now right'],
      ],
      renew,
    )
    update()
    return element(
      'section',
      {},
      element('h2', {}, 'Questions that flipped'),
      element('div', { class: 'filters' }, row, task, way),
      count,
      data.flipsLeftOut > 0 &&
        element(
          'p',
          { class: 'note' },
          `${data.flipsLeftOut} more are left out to keep this page small; they are in results.json.`,
        ),
      list,
    )
  }

  const tables = () =>
    data.tables.map((table, at) => {
      const fold: PageElement = element(
        'details',
        { class: 'table' },
        element('summary', {}, table.title),
        element(
          'div',
          { class: 'wide' },
          element(
            'table',
            {},
            element('thead', {}, element('tr', {}, ...table.columns.map(name => element('th', {}, name)))),
            element(
              'tbody',
              {},
              ...table.rows.map(row =>
                element('tr', {}, ...row.map((cell, column) => element(column === 0 ? 'th' : 'td', {}, cell))),
              ),
            ),
          ),
        ),
      )
      for (const note of table.notes) fold.append(element('p', { class: 'facts' }, note))
      if (at < data.tasks.length) fold.setAttribute('open', '')
      return fold
    })

  document.title = `${data.title}: ${data.name}`
  root.replaceChildren(
    element(
      'header',
      {},
      element('h1', {}, data.title),
      element('p', { class: 'facts' }, `${data.name}: ${data.facts}`),
    ),
    ...data.notes.map(note => element('p', { class: 'note' }, note)),
    chartRow(),
    ...tables(),
    heat(),
    flipList(),
  )
}
