import type { PageElement } from '../../../report/html/dom.ts'
import type { Elements } from '../../../report/html/elements.ts'
import type { PageFlip, PageSide } from '../page-data.ts'

export interface FlipViews {
  row(flip: PageFlip, rowName: string): PageElement
}

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself. Texts only ever become text
// nodes, so whatever stands in a question or was read in a video is shown and never obeyed.
export function flipTools({ element, time, percent }: Elements): FlipViews {
  const score = (value: number) =>
    element(
      'span',
      { class: `badge ${value >= 0.5 ? 'right' : 'wrong'}` },
      value === 1 ? 'right' : value === 0 ? 'wrong' : percent(value * 100),
    )

  const how: Record<PageFlip['parting']['how'], string> = {
    'other call': 'another call',
    'other result': 'the same call, another result',
    'one goes on': 'one of them stops here',
    'same steps': 'the same steps; they part in the answer',
  }

  const steps = (side: PageSide, parting: PageFlip['parting']) => {
    const list = element('ol', { class: 'trace', start: 1 })
    side.steps.forEach((step, at) => {
      list.append(
        element(
          'li',
          { class: at === parting.at ? 'parts' : at < parting.at ? 'alike' : '' },
          element('b', {}, step.tool),
          ` ${step.input} `,
          element('span', { class: `outcome ${step.outcome}` }, step.outcome),
          step.rows > 0 && ` ${step.rows} rows`,
          step.notes !== '' && element('small', {}, ` ${step.notes}`),
        ),
      )
    })
    if (side.steps.length === 0) list.append(element('li', {}, 'no step'))
    return list
  }

  const sideView = (title: string, side: PageSide, parting: PageFlip['parting']) => {
    const cited = element('ul', { class: 'cited' })
    for (const row of side.cited)
      cited.append(
        element(
          'li',
          {},
          element('span', { class: 'span' }, `${time(row.start)}–${time(row.end)}`),
          ` ${row.track} `,
          element('q', {}, row.text),
        ),
      )
    return element(
      'section',
      { class: 'side' },
      element('h4', {}, title, ' ', score(side.score)),
      side.error !== undefined && element('p', { class: 'error' }, side.error),
      element('p', { class: 'answer' }, side.reply ?? '(no reply)'),
      side.confidence !== undefined && element('p', { class: 'facts' }, `Confidence ${side.confidence.toFixed(2)}`),
      side.cited.length > 0 && cited,
      steps(side, parting),
    )
  }

  const open = (flip: PageFlip, rowName: string) => {
    const body = element('div', { class: 'sample' })
    if (flip.options) {
      const list = element('ol', { class: 'options' })
      flip.options.forEach((option, at) => {
        list.append(
          element('li', { class: at === flip.choice ? 'right' : '' }, `${String.fromCharCode(65 + at)}. ${option}`),
        )
      })
      body.append(list)
    }
    if (flip.reference !== undefined) body.append(element('p', {}, element('b', {}, 'Right: '), flip.reference))
    const place = flip.parting.how === 'same steps' ? '' : `Step ${flip.parting.at + 1}: `
    body.append(
      element('p', { class: 'facts' }, `${flip.video}; ${flip.group}`),
      element('p', { class: 'parting' }, `Where they part: ${place}${how[flip.parting.how]}.`),
      element(
        'div',
        { class: 'sides' },
        sideView('base', flip.base, flip.parting),
        sideView(rowName, flip.changed, flip.parting),
      ),
    )
    return body
  }

  return {
    row(flip, rowName) {
      const made = element(
        'details',
        { class: 'row' },
        element(
          'summary',
          {},
          element('span', { class: 'id' }, flip.id),
          element('span', { class: 'question' }, flip.question),
          element(
            'span',
            { class: 'badges' },
            element(
              'span',
              { class: `badge ${flip.gained ? 'right' : 'wrong'}` },
              `${flip.gained ? 'now right' : 'now wrong'}`,
            ),
            element('span', { class: 'badge open' }, `${rowName}, ${flip.task}`),
          ),
        ),
      )
      let filled = false
      made.addEventListener('toggle', () => {
        if (!made.open || filled) return
        filled = true
        made.append(open(flip, rowName))
      })
      return made
    },
  }
}
