import { groupBy } from '../../../src/core/basics/group-by.ts'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { csvText } from '../../../src/core/words/csv-cell.ts'
import { scales } from '../../protocols/judge/scale.ts'
import { h, type MarkupElement } from '../../report/page/markup.ts'
import { pageFile } from '../../report/page/page-file.ts'
import { loadRuns } from '../agree-runs.ts'
import { type DataPlace, type Item, listItems } from '../judged-run.ts'

interface SheetWork extends DataPlace {
  folders: readonly string[]
  count: number
  seed: number
  form: 'html' | 'csv'
}

export async function writtenSheet({
  folders,
  count,
  seed,
  form,
  ...place
}: SheetWork): Promise<{ text: string; rows: number }> {
  const runs = await loadRuns(folders, place)
  const rows = sheetRows(sampleItems(runs.flatMap(listItems), count, seed))
  if (rows.length === 0)
    throw new UsageError('These runs have no open answers to judge.', { hint: 'Was the open task asked?' })
  return { text: form === 'html' ? sheetPage(rows) : sheetCsv(rows), rows: rows.length }
}

// The sheet as one page that opens offline and sends nothing: a person chooses, and saves the verdict file.
function sheetPage(rows: readonly SheetRow[]): string {
  const content = [
    h(
      'header.top-bar',
      h('span.brand', 'longtake'),
      h('label', 'Your name ', h('input', { id: 'rater' })),
      h('button.primary', { id: 'save', type: 'button' }, 'Save verdicts'),
      h('span', { id: 'count', role: 'status' }),
    ),
    h(
      'main',
      h('h1', 'Answers to judge'),
      h(
        'p',
        'The right answer is given. Choose for each what holds; where only the video can tell, write "needs the picture" into the note.',
      ),
      ...rows.map(question),
    ),
  ]
  const data = rows.map(({ reply, id, step }) => ({ reply, id, step }))
  return pageFile({ code: 'sheet', title: 'Answers to judge', content, data }).html
}

function question(row: SheetRow, at: number): MarkupElement {
  const facts = {
    Question: row.question,
    'Right answer': row.reference,
    'Answer to judge': row.answer,
    'Is it': row.about,
  }
  const filledFacts = Object.entries(facts).filter(([, text]) => text)
  return h(
    'fieldset',
    h('legend', String(at + 1)),
    h('dl', ...filledFacts.flatMap(([name, text]) => [h('dt', name), h('dd', text ?? '')])),
    ...(row.choices ?? '')
      .split(' ')
      .map(word => h('label', h('input', { type: 'radio', name: `v${at}`, value: word }), ` ${meaning(word)}`)),
    h('div', h('textarea', { name: `n${at}`, rows: 1, 'aria-label': 'note' })),
  )
}

function meaning(word: string): string {
  const meanings: Record<string, string> = {
    A: 'A correct',
    B: 'B incorrect',
    C: 'C not attempted',
    true: 'yes',
    false: 'no',
  }
  return meanings[word] ?? word
}

const columns = [
  'reply',
  'id',
  'step',
  'question',
  'reference',
  'answer',
  'about',
  'choices',
  'verdict',
  'rater',
  'note',
]
type SheetRow = Record<(typeof columns)[number], string>

// Answers for people to judge, as evenly as it goes from each model and type, in an order that tells neither. An answer is
// known again by the hash of its words: the sheet has no name of a run, a model or a judge.
export function sampleItems(items: readonly Item[], count: number, seed: number): Item[] {
  const random = seededRandom(seed)
  const sheetItems = items.filter(({ answer, run, step }) => isAsked(run.benchmark.judge.verdicts(answer.sample), step))
  const strata = [...groupBy(sheetItems, nameStratum).values()].map(stratum => shuffled(stratum, random))
  const chosen: Item[] = []
  for (let round = 0; chosen.length < Math.min(count, sheetItems.length); round++)
    for (const stratum of shuffled(strata, random)) {
      const item = stratum[round]
      if (item && chosen.length < count) chosen.push(item)
    }
  return shuffled(chosen, random)
}

// The first thing that can be said of an answer; each criterion, if there are several of one kind.
function isAsked(verdicts: { step: string; scale: string }[], step: string): boolean {
  const [first] = verdicts
  return verdicts.some(verdict => verdict.step === step && verdict.scale === first?.scale)
}

function nameStratum({ run, answer }: Item): string {
  return `${run.model}\n${Object.values(answer.sample.groups)[0] ?? ''}`
}

function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  const mixed = [...things]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j] as Thing, mixed[i] as Thing]
  }
  return mixed
}

export function sheetRows(items: readonly Item[]): SheetRow[] {
  return items.map(({ answer: { sample, reply, hash }, step, scale, about }) => ({
    reply: hash,
    id: sample.id,
    step,
    question: sample.question.text,
    reference: sample.reference ?? '',
    answer: reply,
    about: about ?? '',
    choices: scales[scale].words.join(' '),
    verdict: '',
    rater: '',
    note: '',
  }))
}

function sheetCsv(rows: readonly SheetRow[]): string {
  return csvText([columns, ...rows.map(row => columns.map(name => row[name]))])
}
