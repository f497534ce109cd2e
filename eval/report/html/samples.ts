import type { PageElement } from './dom.ts'
import type { Elements } from './elements.ts'
import type { PageAsk, PageSample, PageTask } from './page-data.ts'

export interface SampleViews {
  row(sample: PageSample): PageElement
  matches(sample: PageSample, filter: SampleFilter): boolean
}

export interface SampleFilter {
  kind: string // all, wrong, right, abstained, error, low confidence, unjudged
  task: string
  group: string
  words: string
}

// Runs in the browser, and is put into the page as text: it may use nothing from outside itself.
export function sampleTools({ element, time, percent }: Elements): SampleViews {
  const letter = (at: number) => String.fromCharCode(65 + at)
  const tasksOf = (sample: PageSample, task: string) => sample.tasks.filter(one => task === '' || one.task === task)
  const askOf = (sample: PageSample, task: string) => sample.asks.find(ask => ask.tasks.includes(task))
  const isWrong = (task: PageTask) => task.score !== null && task.score < 0.5

  const kinds: Record<string, (sample: PageSample, task: string) => boolean> = {
    all: () => true,
    wrong: (sample, task) => tasksOf(sample, task).some(isWrong),
    right: (sample, task) => tasksOf(sample, task).every(one => one.score !== null && one.score >= 0.5),
    abstained: (sample, task) => tasksOf(sample, task).some(one => askOf(sample, one.task)?.answer?.abstained === true),
    error: sample => sample.error !== undefined,
    'low confidence': (sample, task) =>
      tasksOf(sample, task).some(one => (askOf(sample, one.task)?.answer?.confidence ?? 1) < 0.5),
    'not judged': (sample, task) => tasksOf(sample, task).some(one => one.score === null),
  }

  const badge = (task: PageTask) => {
    const { score } = task
    const kind = score === null ? 'open' : score >= 0.5 ? 'right' : 'wrong'
    const shown = score === null ? 'not judged' : score === 1 ? 'right' : score === 0 ? 'wrong' : percent(score * 100)
    return element('span', { class: `badge ${kind}` }, `${task.task} ${shown}`)
  }

  const rowList = (ask: PageAsk) => {
    const frames = new Map(ask.frames.map(frame => [frame.row, frame]))
    const list = element('ol', { class: 'evidence' })
    for (const row of ask.evidence) {
      const frame = frames.get(row.id)
      list.append(
        element(
          'li',
          { class: row.cited ? 'cited' : 'seen' },
          frame && element('img', { src: frame.source, alt: `the picture at ${time(frame.time)}`, width: 128 }),
          element(
            'div',
            {},
            element('span', { class: 'span' }, `${time(row.span.start)}–${time(row.span.end)}`),
            ` ${row.track} `,
            element('q', {}, row.text),
            element('small', {}, ` ${row.by}${row.cited ? ', cited' : ''}`),
          ),
        ),
      )
    }
    if (ask.more > 0) list.append(element('li', { class: 'seen' }, `and ${ask.more} more rows that were seen`))
    return list
  }

  const trace = (ask: PageAsk) => {
    const list = element('ol', { class: 'trace' })
    for (const step of ask.steps) {
      const input = JSON.stringify(step.input) ?? ''
      list.append(
        element(
          'li',
          {},
          element('b', {}, step.tool),
          ` ${input.length > 300 ? `${input.slice(0, 299)}…` : input} `,
          element('span', { class: `outcome ${step.outcome}` }, step.outcome),
          `${step.evidence.length > 0 ? ` ${step.evidence.length} rows,` : ','} ${step.seconds.toFixed(2)} s`,
          step.notes.length > 0 && element('small', {}, ` ${step.notes.join(' ')}`),
        ),
      )
    }
    return list
  }

  const fold = (title: string, ...content: PageElement[]) =>
    element('details', {}, element('summary', {}, title), ...content)

  const askView = (sample: PageSample, ask: PageAsk) => {
    const { answer } = ask
    const part = element('section', { class: 'ask' }, element('h4', {}, `Asked for ${ask.tasks.join(', ')}`))
    if (ask.error !== undefined) part.append(element('p', { class: 'error' }, ask.error))
    if (answer) {
      part.append(
        element('p', { class: 'answer' }, answer.text),
        element(
          'p',
          { class: 'facts' },
          `Confidence ${answer.confidence.toFixed(2)}${answer.abstained ? ', declined' : ''}, ${ask.seconds.toFixed(2)} s, ` +
            `${ask.usage.calls} model calls, stopped: ${ask.stop ?? 'unknown'}`,
        ),
      )
      for (const note of answer.degraded) part.append(element('p', { class: 'note' }, note))
    }
    if (ask.evidence.length > 0) part.append(rowList(ask))
    if (ask.steps.length > 0) part.append(fold(`Trace: ${ask.steps.length} steps`, trace(ask)))
    for (const task of sample.tasks.filter(one => ask.tasks.includes(one.task))) part.append(gradeView(task))
    return part
  }

  const gradeView = (task: PageTask) => {
    const part = element(
      'div',
      { class: 'grade' },
      element(
        'p',
        {},
        badge(task),
        ` read by: ${task.rule}`,
        task.cause !== undefined && element('em', {}, ` — ${task.cause}`),
      ),
      fold('Raw reply', element('pre', {}, task.reply ?? '(none)')),
    )
    if (task.criteria && task.criteria.length > 0) {
      const body = element('tbody')
      for (const criterion of task.criteria) {
        const met =
          criterion.met === null ? 'not judged' : criterion.met ? 'met' : criterion.penalty ? 'violated' : 'not met'
        body.append(
          element(
            'tr',
            {},
            element('td', {}, criterion.name),
            element('td', {}, criterion.description),
            element('td', { class: 'number' }, String(criterion.weight)),
            element('td', { class: criterion.met ? 'right' : 'wrong' }, met),
          ),
        )
      }
      const head = element(
        'tr',
        {},
        ...['criterion', 'what it asks', 'weight', ''].map(name => element('th', {}, name)),
      )
      part.append(element('div', { class: 'wide' }, element('table', {}, element('thead', {}, head), body)))
    }
    return part
  }

  const open = (sample: PageSample) => {
    const body = element('div', { class: 'sample' })
    for (const turn of sample.turns)
      body.append(element('p', { class: 'turn' }, `Before: ${turn.question} — ${turn.answer}`))
    if (sample.options) {
      const list = element('ol', { class: 'options' })
      sample.options.forEach((option, at) => {
        list.append(element('li', { class: at === sample.choice ? 'right' : '' }, `${letter(at)}. ${option}`))
      })
      body.append(list)
    }
    if (sample.reference !== undefined) body.append(element('p', {}, element('b', {}, 'Right: '), sample.reference))
    if (sample.clues.length > 0)
      body.append(
        element(
          'p',
          { class: 'facts' },
          `Gold intervals: ${sample.clues.map(({ start, end }) => `${time(start)}–${time(end)}`).join(', ')}`,
        ),
      )
    body.append(
      element(
        'p',
        { class: 'facts' },
        `${sample.video}; ${Object.entries(sample.groups)
          .map(([way, value]) => `${way}: ${value}`)
          .join('; ')}`,
      ),
    )
    for (const ask of sample.asks) body.append(askView(sample, ask))
    if (sample.judge) {
      const { by, replies, failed } = sample.judge
      const said = Object.entries(replies).map(([step, reply]) =>
        element('div', {}, element('b', {}, step), element('pre', {}, reply ?? '(none)')),
      )
      const missing = Object.entries(failed).map(([step, reason]) =>
        element('p', { class: 'error' }, `${step}: ${reason}`),
      )
      body.append(fold(`Judge: ${by}`, ...said, ...missing))
    }
    return body
  }

  return {
    // What is inside is only made when somebody opens it: a run may have thousands.
    row(sample) {
      const made = element(
        'details',
        { class: 'row' },
        element(
          'summary',
          {},
          element('span', { class: 'id' }, sample.id),
          element('span', { class: 'question' }, sample.question),
          element(
            'span',
            { class: 'badges' },
            ...(sample.error !== undefined ? [element('span', { class: 'badge wrong' }, 'error')] : []),
            ...sample.tasks.map(badge),
          ),
        ),
      )
      let filled = false
      made.addEventListener('toggle', () => {
        if (!made.open || filled) return
        filled = true
        made.append(open(sample))
      })
      return made
    },
    matches(sample, { kind, task, group, words }) {
      if (!(kinds[kind] ?? kinds.all)(sample, task)) return false
      if (group !== '' && !Object.values(sample.groups).includes(group)) return false
      if (words === '') return true
      const all = [
        sample.id,
        sample.video,
        sample.question,
        sample.reference ?? '',
        ...sample.asks.map(ask => ask.answer?.text ?? ''),
      ]
      return all.join(' ').toLowerCase().includes(words.toLowerCase())
    },
  }
}
