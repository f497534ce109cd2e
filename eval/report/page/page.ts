import type { ReportTable } from '../../data/report-table.ts'
import { percentText } from '../numbers.ts'
import { h, jsonScript, type MarkupElement } from './markup.ts'
import { pageFile } from './page-file.ts'

// A report or a study as one file. "kind" heads it as the other pages of longtake are headed.
export function reportFile(kind: string, title: string, ...content: MarkupElement[]): string {
  const head = h('header.top-bar', h('span.brand', 'longtake'), h('span.dim', kind))
  return pageFile({ code: 'report', title, content: [head, ...content] }).html
}

type Options = readonly (readonly [value: string, label: string])[]

// A select. With `chooses` it is one of those that decide which panes of that name are shown; its values are then their places.
export function choice(label: string, name: string, options: Options, chooses?: string): MarkupElement {
  return h(
    'select',
    { 'aria-label': label, name, 'data-chooses': chooses },
    ...options.map(([value, shown]) => h('option', { value }, shown)),
  )
}

// A select over panes.
export function paneChoice(label: string, chooses: string, labels: readonly string[]): MarkupElement {
  return choice(
    label,
    chooses,
    labels.map((shown, at) => [String(at), shown]),
    chooses,
  )
}

// Shown while each select over the panes `name` stands at the place that is given here; "*": at any.
export function pane(name: string, when: readonly (number | '*')[], content: MarkupElement): MarkupElement {
  const [tag, attributes, ...children] = content
  const isFirst = when.every(place => place === 0 || place === '*')
  return [
    tag,
    { ...attributes, 'data-pane': name, 'data-when': when.join(' '), ...(!isFirst && { hidden: '' }) },
    ...children,
  ]
}

// A row that opens. What is inside is built when somebody opens it: a run may have thousands.
export interface ListRow {
  tags: string[] // "0:value": under which values of the first match it is shown
  words?: string // in which the field "words" searches
  summary: MarkupElement[]
  body: MarkupElement
}

// What the script of the page reads of a list.
export interface FilteredRows {
  rows: ListRow[]
  match: string[][] // the names of controls; the values of each group, joined by "/", must be a tag of the row
  counts: [tag: string, label: string][] // what stands above the rows; an empty tag counts all that are shown
  step: number // how many rows are shown at first, and more at each press of the button
}

export function filteredList(
  title: string,
  data: FilteredRows,
  controls: MarkupElement[],
  note?: MarkupElement,
): MarkupElement {
  return h(
    'section.list',
    h('h2', title),
    h('div.filters', ...controls),
    h('p.facts', { 'aria-live': 'polite' }),
    note,
    h('div.rows'),
    h('button', { type: 'button', hidden: '' }),
    jsonScript(data),
  )
}

export function foldedTable({ title, columns, rows, notes, own }: ReportTable, isOpen: boolean): MarkupElement {
  const ours = (row: number, column: number) => own?.rows?.includes(row) || own?.columns?.includes(column)
  return h(
    'details.table',
    isOpen && { open: '' },
    h('summary', title),
    h(
      'div.wide',
      h(
        'table',
        columns.some(name => name !== '') &&
          h('thead', h('tr', ...columns.map(name => h(name === '' ? 'td' : 'th', name)))),
        h(
          'tbody',
          ...rows.map((row, at) =>
            h(
              'tr',
              ...row.map((cell, place) => h(`${place === 0 ? 'th' : 'td'}${ours(at, place) ? '.own' : ''}`, cell)),
            ),
          ),
        ),
      ),
    ),
    ...notes.map(note => h('p.facts', note)),
  )
}

// The chip of a score between 0 and 1, or of one that is missing.
export function scoreChip(score: number | null, before = ''): MarkupElement {
  if (score === null) return h('span.chip.warn', `${before}not judged`)
  const scoreText = score === 1 ? 'right' : score === 0 ? 'wrong' : percentText(score * 100)
  return h(`span.chip.${score >= 0.5 ? 'good' : 'bad'}`, before + scoreText)
}

export function optionList(options: readonly string[], choice: number | undefined): MarkupElement {
  return h(
    'ol.options',
    ...options.map((option, at) => h(at === choice ? 'li.right' : 'li', `${String.fromCharCode(65 + at)}. ${option}`)),
  )
}
