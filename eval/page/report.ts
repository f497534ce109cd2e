import type { Markup } from '../report/page/markup.ts'
import type { FilteredRows } from '../report/page/page.ts'
import './report.css'

// Reports and studies: selects over panes, and lists with filters whose rows are built as they are opened.
for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-chooses]')) {
  const name = select.dataset.chooses ?? ''
  select.addEventListener('change', () => showPanes(name))
  showPanes(name)
}
for (const section of document.querySelectorAll<HTMLElement>('.list')) startList(section)

// What is wider than the window is scrolled, also by keys.
const boxes = new ResizeObserver(entries => {
  for (const { target } of entries)
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
    else target.removeAttribute('tabindex')
})
watchBoxes(document)

function watchBoxes(within: ParentNode): void {
  for (const box of within.querySelectorAll('.wide, figure')) boxes.observe(box)
}

function showPanes(name: string): void {
  const selects = document.querySelectorAll<HTMLSelectElement>(`select[data-chooses="${name}"]`)
  const values = Array.from(selects, select => select.value)
  for (const pane of document.querySelectorAll<HTMLElement>(`[data-pane="${name}"]`)) {
    pane.hidden = (pane.dataset.when ?? '').split(' ').some((when, at) => when !== '*' && when !== values[at])
    if (!pane.hidden && pane.dataset.title) document.title = pane.dataset.title
  }
}

function startList(section: HTMLElement): void {
  const findPart = <Part extends Element>(selector: string) => section.querySelector(selector) as Part
  const { rows, match, counts, step }: FilteredRows = JSON.parse(findPart('script').textContent)
  const readControl = (name: string) => section.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value.trim() ?? ''
  const list = findPart('.rows')
  const more = findPart<HTMLButtonElement>('button')
  let matches = rows
  const showMore = () => {
    const count = list.children.length
    list.append(
      ...matches.slice(count, count + step).map(({ summary, body }) => {
        const row = buildElement(['details', { class: 'row' }, ['summary', {}, ...summary]]) as HTMLElement
        const open = () => {
          row.append(buildElement(body))
          watchBoxes(row)
        }
        row.addEventListener('toggle', open, { once: true })
        return row
      }),
    )
    const remaining = matches.length - list.children.length
    more.hidden = remaining === 0
    more.textContent = `Show more of the other ${remaining}`
  }
  const filter = () => {
    const tags = match.flatMap((names, at) => {
      const values = names.map(readControl)
      return values.some(value => value !== '') ? [`${at}:${values.join('/')}`] : []
    })
    const words = readControl('words').toLowerCase()
    matches = rows.filter(row => tags.every(tag => row.tags.includes(tag)) && (row.words ?? '').includes(words))
    findPart('[aria-live]').textContent = counts
      .map(([tag, label]) => `${matches.filter(row => tag === '' || row.tags.includes(tag)).length} ${label}`)
      .join(', ')
    list.replaceChildren()
    showMore()
  }
  more.addEventListener('click', showMore)
  findPart('.filters').addEventListener('input', filter)
  filter()
}

// Texts stay texts: what stands in them is never markup.
function buildElement(markup: Markup): Node {
  if (typeof markup === 'string') return document.createTextNode(markup)
  const [tag, attributes, ...children] = markup
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children.map(buildElement))
  return element
}
