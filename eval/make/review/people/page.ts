import type { PeopleForm } from '../../../recipes/recipe.ts'
import { h, type MarkupElement } from '../../../report/page/markup.ts'
import { button, watch } from '../page/body.ts'
import { doingScript } from '../page/doing-script.ts'
import { type PageVideo, type ReviewPage, wholePage } from '../page/page.ts'
import { playerScript } from '../page/player-script.ts'
import { storeScript } from '../page/store-script.ts'
import type { ReviewSet } from '../review-set.ts'
import { writeScript } from './write-script.ts'

const keys: readonly (readonly [keys: string, does: string])[] = [
  ['space', 'play and pause'],
  ['← →', 'one second back and forward; with Shift five'],
  ['i, o', 'an interval of the clue begins, ends here (1 to 5 of them); x takes the last one away'],
  ['g, t', 'choose the video, the type of the question'],
  ['q, a', 'write the question, the right answer'],
  ['1-7', 'write a wrong answer'],
  ['Escape', 'leave the field that is written in'],
  ['s or Ctrl-Enter', 'save the question and begin another'],
  ['u', 'take back the last one and change it'],
  ['?', 'this list'],
]

const fields = (negatives: number): MarkupElement[] => [
  h('p', h('label', { for: 'type' }, 'Type (t)'), h('select', { id: 'type' })),
  h('p', { id: 'asks' }),
  field('question', 'Question (q)', 3),
  field('answer', 'Right answer (a)', 1),
  ...Array.from({ length: negatives }, (_, at) => field(`wrong${at + 1}`, `Wrong answer (${at + 1})`, 1)),
]

const field = (id: string, text: string, rows: number) =>
  h('p', h('label', { for: id }, text), h('textarea', { id, rows, maxlength: 2000 }))

const body = (negatives: number): MarkupElement[] => [
  h(
    'header',
    h('span', { id: 'who' }),
    h('span', { id: 'progress', 'aria-live': 'polite' }),
    h('span', { id: 'time', title: 'time on this question' }),
    h('select', { id: 'which', 'aria-label': 'which video' }),
    button('help', '?', 'keys'),
  ),
  h('p', { id: 'status', role: 'status' }),
  h('noscript', h('p', 'This page needs its script; scripts are switched off.')),
  h(
    'main',
    watch,
    h(
      'section.ask',
      h('h1', 'A question of your own'),
      ...fields(negatives),
      h('p.bar', button('write', 'Save', 's'), button('undo', 'Undo', 'u')),
      h('h2', 'Checks'),
      h('ul', { id: 'faults', 'aria-live': 'polite' }),
      h('h2', 'The set with this question'),
      h('ul', { id: 'warnings' }),
      h('dl', { id: 'spread' }),
    ),
  ),
  h(
    'dialog',
    { id: 'keys', 'aria-label': 'keys' },
    h('dl', ...keys.flatMap(([key, does]) => [h('dt', key), h('dd', does)])),
    h('p', 'Mark the whole event that the answer needs. A second person reviews what you write.'),
  ),
]

interface PeoplePage {
  set: ReviewSet
  form: PeopleForm
  reviewer: string
  videos: readonly PageVideo[]
}

export function peoplePage({ set, form, reviewer, videos }: PeoplePage): ReviewPage {
  return wholePage({
    isServed: true,
    title: `Questions for a ${set.recipe.name} set`,
    body: body(form.negatives.max),
    script: `'use strict';\n${storeScript}${doingScript}${playerScript}${writeScript}`,
    given: {
      mode: 'served',
      set: set.set.canary,
      reviewer,
      videos,
      negatives: form.negatives,
      types: form.types.map(({ name, kind, asks }) => ({ name, kind, asks })),
    },
  })
}
