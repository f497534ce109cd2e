import { compareSteps, type Divergence } from '../../../src/core/run/compare-steps.ts'
import type { AskRecord, SampleLine } from '../../data/sample-line.ts'
import { h, type MarkupElement } from '../../report/page/markup.ts'
import { type ListRow, optionList, scoreChip } from '../../report/page/page.ts'
import { truncate } from '../../report/page/shapes.ts'
import { formatTimes } from '../../report/sample-row.ts'
import type { Flip, RowResult } from '../result/result.ts'

// A question that is right under one and wrong under the other, with both samples.
interface Flipped {
  row: RowResult
  flip: Flip
  before: SampleLine // of the base
  after: SampleLine
}

const maxCharacters = 400

// Tags are those of the controls ['row'], ['task'] and ['direction'].
export function flipRow({ row, flip, before, after }: Flipped): ListRow {
  const { id, task } = flip
  const gained = flip.row >= 0.5
  const asks = [before, after].map(line => line.asks.find(ask => ask.tasks.includes(task)))
  const [base, changed] = asks
  const { divergence } = compareSteps(base?.steps ?? [], changed?.steps ?? [])
  const { turns, question, choice, reference, video, groups } = before
  const options = changed?.question.options
  const parting = divergence
    ? `Step ${divergence.at + 1}: ${ways[divergence.kind]}`
    : 'the same steps; they part in the answer'
  return {
    tags: [`0:${row.id}`, `1:${task}`, `2:${gained ? 'gained' : 'lost'}`],
    summary: [
      h('span.id', id),
      h('span.question', [...turns.map(turn => `${turn.question} ${turn.answer}`), question.text].join(' / ')),
      h(
        'span.chips',
        gained ? h('span.chip.good', 'now right') : h('span.chip.bad', 'now wrong'),
        h('span.chip.warn', `${row.name}, ${task}`),
      ),
    ],
    body: h(
      'div.sample',
      options && optionList(options, choice),
      reference !== undefined && h('p', h('b', 'Right: '), reference),
      h('p.facts', `${video}; ${Object.values(groups).join(', ')}`),
      h('p.parting', `Where they part: ${parting}.`),
      h(
        'div.sides',
        sideView('base', flip.base, before.replies[task] ?? null, base, divergence),
        sideView(row.name, flip.row, after.replies[task] ?? null, changed, divergence),
      ),
    ),
  }
}

function sideView(
  title: string,
  score: number,
  reply: string | null,
  ask: AskRecord | undefined,
  divergence: Divergence | undefined,
): MarkupElement {
  const { error, answer, evidence = [], steps = [] } = ask ?? {}
  const cited = evidence.filter(row => row.cited)
  const parts = divergence?.at ?? steps.length
  return h(
    'section.side',
    h('h3', title, ' ', scoreChip(score)),
    error !== undefined && h('p.error', error),
    h('p.answer', reply === null ? '(no reply)' : truncate(reply, maxCharacters)),
    answer && h('p.facts', `Confidence ${answer.confidence.toFixed(2)}`),
    cited.length > 0 &&
      h(
        'ul.cited',
        ...cited.map(({ span, track, text }) =>
          h('li', h('span.span', formatTimes(span)), ` ${track} `, h('q', truncate(text, maxCharacters))),
        ),
      ),
    h(
      'ol.trace',
      ...steps.map(({ tool, input, outcome, evidence, notes }, at) =>
        h(
          at === parts ? 'li.parts' : at < parts ? 'li.alike' : 'li',
          h('b', tool),
          ` ${truncate(JSON.stringify(input) ?? '', maxCharacters)} `,
          h('span', { class: `outcome ${outcome}` }, outcome),
          evidence.length > 0 && ` ${evidence.length} rows`,
          notes.length > 0 && h('small', ` ${truncate(notes.join(' '), maxCharacters)}`),
        ),
      ),
      steps.length === 0 && h('li', 'no step'),
    ),
  )
}

const ways: Record<Divergence['kind'], string> = {
  'other call': 'another call',
  'other input': 'the same call, asked otherwise',
  'other result': 'the same call, another result',
  'ended earlier': 'one of them stops here',
}
