import { createHash } from 'node:crypto'
import type { ReportTable } from '../../data/report-table.ts'
import { percentText } from '../numbers.ts'
import { h, jsonScript, type MarkupElement, toHtml } from './markup.ts'
import { reportStyle } from './style.ts'

// One file that opens offline: no address in it is ever asked for, and only the script below may run.
export function page(title: string, ...content: MarkupElement[]): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(reportStyle)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    toHtml(h('title', title)),
    `<style>${reportStyle}</style>`,
    '</head>',
    '<body>',
    '<div id="page">',
    toHtml(h('noscript', h('p.note', 'Lists and choices need the script in this page; scripts are switched off.'))),
    ...content.map(toHtml),
    '</div>',
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function sourceHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
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

interface List {
  rows: ListRow[]
  match: string[][] // the names of controls; the values of each group, joined by "/", must be a tag of the row
  counts: [tag: string, label: string][] // what stands above the rows; an empty tag counts all that are shown
  step: number // how many rows are shown at first, and more at each press of the button
}

export function filteredList(
  title: string,
  data: List,
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
        columns.some(name => name !== '') && h('thead', h('tr', ...columns.map(name => h('th', name)))),
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

// The badge of a score between 0 and 1, or of one that is missing.
export function scoreBadge(score: number | null, before = ''): MarkupElement {
  if (score === null) return h('span.badge.open', `${before}not judged`)
  const shown = score === 1 ? 'right' : score === 0 ? 'wrong' : percentText(score * 100)
  return h(`span.badge.${score >= 0.5 ? 'right' : 'wrong'}`, before + shown)
}

export function optionList(options: readonly string[], choice: number | undefined): MarkupElement {
  return h(
    'ol.options',
    ...options.map((option, at) => h(at === choice ? 'li.right' : 'li', `${String.fromCharCode(65 + at)}. ${option}`)),
  )
}

// All that runs in the browser: selects over panes, and lists with filters whose rows are built as they are opened.
export const script = `'use strict';
function build(markup) {
  if (typeof markup === 'string') return document.createTextNode(markup);
  const [tag, attributes, ...children] = markup;
  const made = document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children.map(build));
  return made;
}
function showPanes(name) {
  const places = [...document.querySelectorAll('select[data-chooses="' + name + '"]')].map(select => select.value);
  for (const pane of document.querySelectorAll('[data-pane="' + name + '"]')) {
    pane.hidden = pane.dataset.when.split(' ').some((when, at) => when !== '*' && when !== places[at]);
    if (!pane.hidden && pane.dataset.title) document.title = pane.dataset.title;
  }
}
for (const select of document.querySelectorAll('select[data-chooses]')) {
  select.addEventListener('change', () => showPanes(select.dataset.chooses));
  showPanes(select.dataset.chooses);
}
for (const section of document.querySelectorAll('.list')) {
  const { rows, match, counts, step } = JSON.parse(section.querySelector('script').textContent);
  const valueOf = name => section.querySelector('[name="' + name + '"]')?.value.trim() ?? '';
  const list = section.querySelector('.rows');
  const more = section.querySelector('button');
  let found = rows;
  const grow = () => {
    list.append(...found.slice(list.children.length, list.children.length + step).map(({ summary, body }) => {
      const row = build(['details', { class: 'row' }, ['summary', {}, ...summary]]);
      row.addEventListener('toggle', () => row.append(build(body)), { once: true });
      return row;
    }));
    const left = found.length - list.children.length;
    more.hidden = left === 0;
    more.textContent = 'Show more of the other ' + left;
  };
  const update = () => {
    const wanted = match.flatMap((names, at) => {
      const values = names.map(valueOf);
      return values.some(value => value !== '') ? [at + ':' + values.join('/')] : [];
    });
    const words = valueOf('words').toLowerCase();
    found = rows.filter(row => wanted.every(tag => row.tags.includes(tag)) && (row.words ?? '').includes(words));
    section.querySelector('[aria-live]').textContent = counts
      .map(([tag, label]) => found.filter(row => tag === '' || row.tags.includes(tag)).length + ' ' + label)
      .join(', ');
    list.replaceChildren();
    grow();
  };
  more.addEventListener('click', grow);
  section.querySelector('.filters').addEventListener('input', update);
  update();
}
`
