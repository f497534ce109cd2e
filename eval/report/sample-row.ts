import { formatTime } from '../../src/core/time.ts'
import type { AskRecord, Grade, SampleLine } from '../data/sample-line.ts'
import type { Attribution } from '../metrics/attribution.ts'
import { h, type MarkupElement } from './page/markup.ts'
import { type ListRow, optionList, scoreChip } from './page/page.ts'
import { truncate } from './page/shapes.ts'

// Which samples the list of a run can be narrowed to, by the grades of one task or of all, and the asks they come from.
const kinds: Record<string, (given: Graded[], line: SampleLine) => boolean> = {
  wrong: given => given.some(({ grade: { score } }) => score !== null && score < 0.5),
  right: given => given.every(({ grade: { score } }) => score !== null && score >= 0.5),
  abstained: given => given.some(({ ask }) => ask?.answer?.abstained === true),
  error: (_, line) => line.error !== undefined,
  'low confidence': given => given.some(({ ask }) => (ask?.answer?.confidence ?? 1) < 0.5),
  'not judged': given => given.some(({ grade: { score } }) => score === null),
}
export const sampleKinds = Object.keys(kinds)

interface Graded {
  task: string
  grade: Grade
  ask?: AskRecord
}

// Gives a frame of the run as an address that holds the picture itself.
export type ReadFrame = (file: string) => Promise<string | undefined>

const maxRows = 24 // of the ledger beyond those that are cited

// Tags are those of the controls ['kind', 'task'] and ['group'].
export async function sampleRow(
  line: SampleLine,
  attributions: readonly Attribution[],
  readFrame: ReadFrame,
): Promise<ListRow> {
  const graded = Object.entries(line.grades).map(
    ([task, grade]): Graded => ({ task, grade, ask: line.asks.find(ask => ask.tasks.includes(task)) }),
  )
  const causes = new Map(attributions.filter(({ id }) => id === line.id).map(({ task, cause }) => [task, cause]))
  const answers = line.asks.map(ask => ask.answer?.text ?? '')
  const asks: MarkupElement[] = []
  for (const ask of line.asks) asks.push(await askView(ask, line, causes, readFrame))
  return {
    tags: [
      ...listTags('', graded, line),
      ...graded.flatMap(one => [`0:/${one.task}`, ...listTags(one.task, [one], line)]),
      ...Object.values(line.groups).map(group => `1:${group}`),
    ],
    words: [line.id, line.video, line.question.text, line.reference ?? '', ...answers].join(' ').toLowerCase(),
    summary: [
      h('span.id', line.id),
      h('span.question', line.question.text),
      h(
        'span.chips',
        line.error !== undefined && h('span.chip.bad', 'error'),
        ...graded.map(({ task, grade }) => scoreChip(grade.score, `${task} `)),
      ),
    ],
    body: sampleView(line, asks),
  }
}

function listTags(task: string, given: Graded[], line: SampleLine): string[] {
  return Object.entries(kinds).flatMap(([kind, fits]) => (fits(given, line) ? [`0:${kind}/${task}`] : []))
}

function sampleView(line: SampleLine, asks: readonly MarkupElement[]): MarkupElement {
  const { turns, question, choice, reference, clues = [], video, groups, judge } = line
  const facts = Object.entries(groups).map(([way, value]) => `${way}: ${value}`)
  return h(
    'div.sample',
    ...turns.map(turn => h('p.turn', `Before: ${turn.question} — ${turn.answer}`)),
    question.options && optionList(question.options, choice),
    reference !== undefined && h('p', h('b', 'Right: '), reference),
    clues.length > 0 && h('p.facts', `Gold intervals: ${clues.map(formatTimes).join(', ')}`),
    h('p.facts', `${video}; ${facts.join('; ')}`),
    ...asks,
    judge &&
      fold(
        `Judge: ${judge.by}`,
        ...Object.entries(judge.replies).map(([step, reply]) => h('div', h('b', step), h('pre', reply ?? '(none)'))),
        ...Object.entries(judge.failed).map(([step, reason]) => h('p.error', `${step}: ${reason}`)),
      ),
  )
}

async function askView(
  ask: AskRecord,
  { grades, replies }: SampleLine,
  causes: ReadonlyMap<string, string>,
  readFrame: ReadFrame,
): Promise<MarkupElement> {
  const { answer, tasks, error, usage, stop, steps } = ask
  const replyText =
    answer &&
    (answer.abstained ? `Declined (${answer.cause ?? 'absent'})` : `Confidence ${answer.confidence.toFixed(2)}`)
  const spent = `${ask.seconds.toFixed(2)} s, ${usage.calls} model calls, stopped: ${stop ?? 'unknown'}`
  return h(
    'section.ask',
    h('h3', `Asked for ${tasks.join(', ')}`),
    error !== undefined && h('p.error', error),
    answer && h('p.answer', answer.text),
    answer && h('p.facts', `${replyText}, ${spent}`),
    ...(answer?.degraded ?? []).map(note => h('p.note', note)),
    ask.evidence.length > 0 && (await evidenceList(ask, readFrame)),
    steps.length > 0 && fold(`Trace: ${steps.length} steps`, trace(steps)),
    ...Object.entries(grades)
      .filter(([task]) => tasks.includes(task))
      .map(([task, grade]) => gradeView(task, grade, replies[task] ?? null, causes.get(task))),
  )
}

async function evidenceList({ evidence, frames }: AskRecord, readFrame: ReadFrame): Promise<MarkupElement> {
  const pictures = new Map<string, MarkupElement>()
  for (const { time, row, file } of frames) {
    const src = await readFrame(file)
    if (src) pictures.set(row, h('img', { src, alt: `the picture at ${formatTime(time)}`, width: 128 }))
  }
  const uncitedRows = evidence.filter(row => !row.cited)
  const shownRows = [...evidence.filter(row => row.cited), ...uncitedRows.slice(0, maxRows)]
  return h(
    'ol.evidence',
    ...shownRows.map(({ id, span, track, text, by, cited }) =>
      h(
        cited ? 'li.cited' : 'li.seen',
        pictures.get(id),
        h(
          'div',
          h('span.span', formatTimes(span)),
          ` ${track} `,
          h('q', text),
          h('small', ` ${by}${cited ? ', cited' : ''}`),
        ),
      ),
    ),
    uncitedRows.length > maxRows && h('li.seen', `and ${uncitedRows.length - maxRows} more rows that were seen`),
  )
}

function trace(steps: AskRecord['steps']): MarkupElement {
  return h(
    'ol.trace',
    ...steps.map(({ tool, input, outcome, evidence, seconds, notes }) =>
      h(
        'li',
        h('b', tool),
        ` ${truncate(JSON.stringify(input) ?? '', 300)} `,
        h('span', { class: `outcome ${outcome}` }, outcome),
        `${evidence.length > 0 ? ` ${evidence.length} rows,` : ','} ${seconds.toFixed(2)} s`,
        notes.length > 0 && h('small', ` ${notes.join(' ')}`),
      ),
    ),
  )
}

function gradeView(task: string, grade: Grade, reply: string | null, cause: string | undefined): MarkupElement {
  const { score, rule, criteria = [] } = grade
  const head = ['criterion', 'what it asks', 'weight', 'verdict'].map(name => h('th', name))
  return h(
    'div.grade',
    h('p', scoreChip(score, `${task} `), ` read by: ${rule}`, cause !== undefined && h('em', ` — ${cause}`)),
    fold('Raw reply', h('pre', reply ?? '(none)')),
    criteria.length > 0 &&
      h('div.wide', h('table', h('thead', h('tr', ...head)), h('tbody', ...criteria.map(criterionRow)))),
  )
}

function criterionRow({ name, description, weight, penalty, met }: NonNullable<Grade['criteria']>[number]) {
  const verdict = met === null ? 'not judged' : met ? 'met' : penalty ? 'violated' : 'not met'
  return h(
    'tr',
    ...[h('td', name), h('td', description), h('td.number', String(weight))],
    h(met ? 'td.right' : 'td.wrong', verdict),
  )
}

function fold(title: string, ...content: MarkupElement[]): MarkupElement {
  return h('details', h('summary', title), ...content)
}

export function formatTimes({ start, end }: { start: number; end: number }): string {
  return `${formatTime(start)}–${formatTime(end)}`
}
