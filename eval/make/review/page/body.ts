import { h, type MarkupElement } from '../../../report/page/markup.ts'

export const button = (id: string, text: string, title: string) => h('button', { id, type: 'button', title }, text)

export const keys: readonly (readonly [keys: string, does: string])[] = [
  ['space', 'play and pause'],
  ['← →', 'one second back and forward; with Shift five'],
  ['i, o', 'an interval begins, ends here; x takes the last one away'],
  ['1-8', 'your answer; after the key: how sure you are, 1 to 5'],
  ['e', 'the next of the events that the answer rests on'],
  ['t, n', 'the intervals marked after the key are when it happens; it is not in the video'],
  ['v or Enter', 'see the key, once you have answered'],
  ['k, f, d', 'keep, fix, drop'],
  ['a-m, Enter', 'in a fix or a drop: the reasons, and save (Ctrl-Enter within a field)'],
  ['u', 'take back the last verdict'],
  ['Escape', 'close what is open'],
  ['?', 'this list'],
]

// The video or its stills, and the time line: all that the script of the player fills.
export const watch = h(
  'section.watch',
  h('video', { id: 'video', playsinline: '', preload: 'metadata' }),
  h('img', { id: 'still', alt: 'still of the video', hidden: '' }),
  h('p', { id: 'unplayed', hidden: '' }),
  h('div', { id: 'stills' }),
  h('div', { id: 'line', title: 'time line' }, h('div', { id: 'marks' }), h('div', { id: 'head' })),
  h(
    'p.bar',
    button('back5', '−5', 'Shift ←'),
    button('back1', '−1', '←'),
    button('play', 'Play', 'space'),
    button('on1', '+1', '→'),
    button('on5', '+5', 'Shift →'),
    h('span', { id: 'clock' }),
    button('in', 'in', 'i'),
    button('out', 'out', 'o'),
    h('span', { id: 'intervals', 'aria-live': 'polite' }),
  ),
)

// The frame of the page; what is in it is filled by the script.
export const body: readonly MarkupElement[] = [
  h(
    'header',
    h('span', { id: 'who' }),
    h('input', { id: 'name', 'aria-label': 'your name', placeholder: 'your name', hidden: '', maxlength: 40 }),
    h('span', { id: 'progress', 'aria-live': 'polite' }),
    h('span', { id: 'time', title: 'time on this item' }),
    h('select', { id: 'kind', 'aria-label': 'which type' }),
    h('label', { id: 'flags' }, h('input', { id: 'flagged', type: 'checkbox' }), ' flagged only'),
    button('save', 'Save verdicts', 'as a file'),
    button('help', '?', 'keys'),
  ),
  h('p', { id: 'status', role: 'status' }),
  h('noscript', h('p', 'This page needs its script; scripts are switched off.')),
  h(
    'main',
    { id: 'work', hidden: '' },
    watch,
    h(
      'section.ask',
      h('p', { id: 'about' }),
      h('ul', { id: 'turns' }),
      h('h1', { id: 'question' }),
      h('ol', { id: 'options' }),
      h('textarea', { id: 'answer', rows: 2, 'aria-label': 'your answer', hidden: '' }),
      h('p', button('see', 'See the key', 'v')),
      h(
        'div',
        { id: 'key', hidden: '' },
        h('h2', 'Key'),
        h('p', { id: 'right' }),
        h('ul', { id: 'flaglist' }),
        h('dl', { id: 'more' }),
        h(
          'section',
          { id: 'events', hidden: '' },
          h('h2', 'When does each happen?'),
          h('ol', { id: 'eventlist' }),
          h('p.bar', button('then', 'At the marked times', 't'), button('never', 'Not in the video', 'n')),
        ),
        h('h2', 'Rows of the index'),
        h('ol', { id: 'rows' }),
        h('p', { id: 'sure', 'aria-live': 'polite' }),
        h(
          'p.bar',
          button('keep', 'Keep', 'k'),
          button('fix', 'Fix', 'f'),
          button('drop', 'Drop', 'd'),
          button('undo', 'Undo', 'u'),
        ),
      ),
      h(
        'form',
        { id: 'panel', hidden: '' },
        h('h2', { id: 'doing' }),
        h('div', { id: 'fields' }),
        h('fieldset', { id: 'reasons' }, h('legend', 'Why')),
        h('input', { id: 'note', 'aria-label': 'note', placeholder: 'note', maxlength: 2000 }),
        h('p.bar', button('say', 'Save', 'Enter'), button('close', 'Close', 'Escape')),
      ),
    ),
  ),
  h(
    'dialog',
    { id: 'keys', 'aria-label': 'keys' },
    h('dl', ...keys.flatMap(([key, does]) => [h('dt', key), h('dd', does)])),
    h('p', 'Answer before you look at the key: the first answers are the human row of the set.'),
  ),
]
