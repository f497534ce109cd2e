import type { Bar, Charts } from './charts.ts'
import type { PageDocument, PageElement } from './dom.ts'
import type { Elements } from './elements.ts'
import type { PageData, PageRun } from './page-data.ts'
import type { SampleViews } from './samples.ts'

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself.
export function buildPage(
  document: PageDocument,
  data: PageData,
  { element, percent }: Elements,
  charts: Charts,
  samples: SampleViews,
): void {
  const root = document.getElementById('page')
  if (!root) return
  const at50 = 50

  const choice = (label: string, values: [value: string, shown: string][], onChange: () => void) => {
    const select = element('select', { 'aria-label': label })
    for (const [value, shown] of values) select.append(element('option', { value }, shown))
    select.addEventListener('change', onChange)
    return select
  }

  const card = (label: string, value: string, below: string) =>
    element(
      'div',
      { class: 'card' },
      element('div', { class: 'label' }, label),
      element('div', { class: 'value' }, value),
      element('div', { class: 'below' }, below),
    )

  const cards = (run: PageRun) =>
    element(
      'div',
      { class: 'cards' },
      ...run.tasks.map(task =>
        card(
          task.task,
          `${percent(task.mean)} %`,
          `strict; ${percent(task.low)} to ${percent(task.high)}, n = ${task.n}${task.chance === null ? '' : `, chance ${percent(task.chance)}`}`,
        ),
      ),
      card(
        'samples',
        String(run.counts.done),
        run.counts.done < run.counts.samples ? `of ${run.counts.samples}` : 'all of them',
      ),
      card('failed', String(run.counts.failed), 'count as wrong'),
      card('declined', String(run.counts.abstained), 'said that the video does not tell'),
      ...(run.counts.unjudged > 0
        ? [card('not judged', String(run.counts.unjudged), 'count as wrong until judged')]
        : []),
    )

  const barsOf = (way: PageRun['groups'][number], task: string): Bar[] =>
    way.rows.flatMap(row => {
      const scored = row.tasks[task]
      return scored
        ? [
            {
              label: row.value,
              value: scored.mean,
              low: scored.low,
              high: scored.high,
              mark: scored.chance,
              n: scored.n,
            },
          ]
        : []
    })

  const chartList = (run: PageRun, shown: string) => {
    const list: PageElement[] = []
    const legend = 'per cent; black: 95 % interval, red: chance'
    if (run.tasks.length > 0)
      list.push(
        charts.bars(
          'Score by task',
          run.tasks.map(task => ({
            label: task.task,
            value: task.mean,
            low: task.low,
            high: task.high,
            mark: task.chance,
            n: task.n,
          })),
          legend,
        ),
      )
    for (const way of run.groups) {
      const bars = barsOf(way, shown)
      if (bars.length > 1 && bars.length <= 24) list.push(charts.bars(`${shown} by ${way.way}`, bars, legend))
    }
    for (const { task, bins, error } of run.calibration.filter(one => one.task === shown))
      list.push(
        charts.calibration(
          `Confidence and being right: ${task}`,
          bins,
          `dots below the line: too sure; gap ${percent(error * 100)} points`,
        ),
      )
    if (run.seconds.length > 1) list.push(charts.histogram('Seconds for a question', run.seconds, 'seconds'))
    if (run.tokens.some(count => count > 0)) list.push(charts.histogram('Tokens for a question', run.tokens, 'tokens'))
    if (run.money.some(cost => cost > 0))
      list.push(charts.histogram('Money for a question', run.money, 'as the prices are set'))
    const { counts, wrong } = run.attribution
    if (wrong > 0)
      list.push(
        charts.bars(
          'Why wrong answers are wrong',
          Object.entries(counts).map(([cause, n]) => ({ label: cause, value: (100 * n) / wrong, n: wrong })),
          `per cent of ${wrong} wrong answers with gold intervals`,
        ),
      )
    return list
  }

  // Charts of one task at a time: three tasks by three ways of grouping would be a wall.
  const chartRow = (run: PageRun) => {
    const row = element('div', { class: 'charts' })
    const names = run.tasks.map(task => task.task)
    const select = choice(
      'charts of which task',
      names.map(name => [name, name]),
      () => row.replaceChildren(...chartList(run, select.value)),
    )
    row.replaceChildren(...chartList(run, names[0]))
    return element('section', {}, names.length > 1 && element('p', { class: 'facts' }, 'Charts of ', select), row)
  }

  const tables = (run: PageRun) =>
    run.tables.map((table, at) => {
      const head = table.columns.some(name => name !== '')
        ? element('thead', {}, element('tr', {}, ...table.columns.map(name => element('th', {}, name))))
        : undefined
      const body = element(
        'tbody',
        {},
        ...table.rows.map(row =>
          element('tr', {}, ...row.map((cell, column) => element(column === 0 ? 'th' : 'td', {}, cell))),
        ),
      )
      const fold = element(
        'details',
        { class: 'table' },
        element('summary', {}, at === 0 ? 'About this run' : table.title),
        element('div', { class: 'wide' }, element('table', {}, head, body)),
      )
      for (const note of at === 0 ? [] : table.notes) fold.append(element('p', { class: 'facts' }, note))
      if (table.title.startsWith('Beside') || table.title.startsWith('The benchmark')) fold.setAttribute('open', '')
      return fold
    })

  const sampleList = (run: PageRun) => {
    const list = element('div', { class: 'rows' })
    const count = element('p', { class: 'facts', 'aria-live': 'polite' })
    let shown = at50
    const update = () => {
      const filter = { kind: kind.value, task: task.value, group: group.value, words: words.value.trim() }
      const found = run.samples.filter(sample => samples.matches(sample, filter))
      count.textContent = `${found.length} of ${run.samples.length} samples`
      const more = element('button', { type: 'button' }, `Show more of the other ${found.length - shown}`)
      more.addEventListener('click', () => {
        shown += at50
        update()
      })
      list.replaceChildren(...found.slice(0, shown).map(samples.row), ...(found.length > shown ? [more] : []))
    }
    const renew = () => {
      shown = at50
      update()
    }
    const kinds = ['all', 'wrong', 'right', 'abstained', 'error', 'low confidence', 'not judged']
    const kind = choice(
      'which samples',
      kinds.map(name => [name, name]),
      renew,
    )
    const task = choice(
      'task',
      [['', 'any task'], ...run.tasks.map((one): [string, string] => [one.task, one.task])],
      renew,
    )
    const values = [...new Set(run.samples.flatMap(sample => Object.values(sample.groups)))]
      .filter(value => value !== '')
      .sort()
    const group = choice(
      'group',
      [['', 'any group'], ...values.map((value): [string, string] => [value, value])],
      renew,
    )
    const words = element('input', {
      type: 'search',
      placeholder: 'words in question or answer',
      'aria-label': 'words in question or answer',
    })
    words.addEventListener('input', renew)
    update()
    return element(
      'section',
      {},
      element('h2', {}, 'Samples'),
      element('div', { class: 'filters' }, kind, task, group, words),
      count,
      list,
    )
  }

  const show = (run: PageRun) => {
    document.title = `${run.title}: ${run.name}`
    const left = run.framesLeftOut > 0 ? [`${run.framesLeftOut} frames are left out to keep this page small.`] : []
    main.replaceChildren(
      element('header', {}, element('h1', {}, run.title), element('p', { class: 'facts' }, run.name)),
      ...[...run.notes, ...left].map(note => element('p', { class: 'note' }, note)),
      cards(run),
      chartRow(run),
      ...tables(run),
      sampleList(run),
    )
  }

  const main = element('main')
  const select = choice(
    'run',
    data.runs.map((run, at) => [String(at), `${run.title}: ${run.name}`]),
    () => show(data.runs[Number(select.value)]),
  )
  root.replaceChildren(...(data.runs.length > 1 ? [element('nav', {}, 'Run ', select)] : []), main)
  show(data.runs[0])
}
