import { createHash } from 'node:crypto'
import { h, jsonScript, type MarkupElement, toHtml } from '../../report/page/markup.ts'
import type { SheetRow } from './sheet.ts'

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
export function sheetPage(rows: readonly SheetRow[]): string {
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
