import { openDraft } from './review/draft.ts'
import './sheet.css'

// Answers to judge: a person chooses, and saves the verdict file, JSON lines.
interface SheetKey {
  reply: string
  id: string
  step: string
}

interface Choice {
  verdict?: string
  note: string
}

const element = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const rows: SheetKey[] = JSON.parse(element('script[type="application/json"]')?.textContent ?? '[]')
const rater = element<HTMLInputElement>('#rater')
const choiceOf = (at: number): Choice => {
  const verdict = element<HTMLInputElement>(`input[name="v${at}"]:checked`)?.value
  const note = element<HTMLTextAreaElement>(`textarea[name="n${at}"]`)?.value.trim() ?? ''
  return { note, ...(verdict !== undefined && { verdict }) }
}
const memory = openDraft<{ rater: string; choices: Record<string, Choice> }>('longtake answers to judge')
const keyOf = ({ reply, id, step }: SheetKey) => JSON.stringify([reply, id, step])

// What was chosen before a reload, or of the same answers in another sheet.
const storedSheet = memory.read() ?? { rater: '', choices: {} }
if (rater) rater.value = storedSheet.rater
rows.forEach((row, at) => {
  const { verdict = '', note = '' } = storedSheet.choices[keyOf(row)] ?? {}
  const button = element<HTMLInputElement>(`input[name="v${at}"][value="${CSS.escape(verdict)}"]`)
  if (button) button.checked = true
  const field = element<HTMLTextAreaElement>(`textarea[name="n${at}"]`)
  if (field) field.value = note
})

function count(): void {
  const counter = element('#count')
  const chosen = rows.filter((_, at) => choiceOf(at).verdict !== undefined)
  if (counter) counter.textContent = `${chosen.length} of ${rows.length}`
}

document.addEventListener('input', () => {
  count()
  const choices = Object.fromEntries(rows.map((row, at) => [keyOf(row), choiceOf(at)]))
  memory.write({ rater: rater?.value ?? '', choices: { ...storedSheet.choices, ...choices } })
})
count()

element('#save')?.addEventListener('click', () => {
  const name = rater?.value.trim() ?? ''
  if (!name) return alert('Write your name first.')
  const lines = rows.flatMap((row, at) => {
    const { verdict, note } = choiceOf(at)
    if (verdict === undefined && !note) return []

    return [
      JSON.stringify({
        ...row,
        rater: name,
        ...(verdict && { verdict }),
        ...(note && { note }),
        at: new Date().toISOString(),
      }),
    ]
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }))
  link.download = `verdicts-${name.replace(/\W+/g, '-')}.jsonl`
  link.click()
})
