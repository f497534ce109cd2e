import { createHash } from 'node:crypto'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { random as randomFrom } from '../../../src/core/basics/numbers.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { csvText } from '../../../src/core/words/csv-cell.ts'
import { scales } from '../../protocols/judge/scale.ts'
import { h, jsonScript, type MarkupElement, toHtml } from '../../report/page/markup.ts'
import { loadRuns } from '../agree-runs.ts'
import { type DataPlace, type Item, listItems } from '../judged-run.ts'

export interface SheetWork extends DataPlace {
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

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
fieldset{border:1px solid #999;margin:1rem 0;padding:.5rem 1rem}dt{font-weight:600}dd{margin:0 0 .4rem;white-space:pre-wrap}
label{margin-right:1rem}header{position:sticky;top:0;background:#fff;padding:.5rem 0}textarea{width:100%}`

// Saves what was chosen as a verdict file: JSON lines.
const script = `const rows = JSON.parse(document.querySelector('script[type="application/json"]').textContent)
const chosen = i => document.querySelector('input[name="v' + i + '"]:checked')
const count = () => document.querySelector('#count').textContent = rows.filter((_, i) => chosen(i)).length + ' of ' + rows.length
document.addEventListener('change', count)
count()
document.querySelector('#save').addEventListener('click', () => {
  const rater = document.querySelector('#rater').value.trim()
  if (!rater) return alert('Write your name first.')
  const lines = rows.flatMap((row, i) => {
    const note = document.querySelector('textarea[name="n' + i + '"]').value.trim()
    const verdict = chosen(i)
    if (!verdict && !note) return []
    return [JSON.stringify({ ...row, rater, ...(verdict && { verdict: verdict.value }), ...(note && { note }), at: new Date().toISOString() })]
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([lines.join('\\n') + '\\n'], { type: 'application/jsonl' }))
  link.download = 'verdicts-' + rater.replace(/\\W+/g, '-') + '.jsonl'
  link.click()
})
`

// The sheet as one page that opens offline and sends nothing: a person chooses, and saves the verdict file.
function sheetPage(rows: readonly SheetRow[]): string {
  const policy = `default-src 'none'; script-src ${hashContent(script)}; style-src ${hashContent(style)}; base-uri 'none'; form-action 'none'`
  const keys = rows.map(({ reply, id, step }) => ({ reply, id, step }))
  const content = [
    h('h1', 'Answers to judge'),
    h(
      'p',
      'The right answer is given. Choose for each what holds; where only the video can tell, write "needs the picture" into the note.',
    ),
    h(
      'header',
      h('label', 'Your name ', h('input', { id: 'rater' })),
      h('button', { id: 'save' }, 'Save verdicts'),
      h('span', { id: 'count' }),
    ),
    ...rows.map(question),
    jsonScript(keys),
  ]
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>Answers to judge</title><style>${style}</style></head><body>`,
    ...content.map(toHtml),
    `<script>${script}</script></body></html>`,
    '',
  ].join('\n')
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

function hashContent(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
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
  const random = randomFrom(seed)
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

// The first thing that can be said of an answer; each criterion, where there are several of one kind.
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
