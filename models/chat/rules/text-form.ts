import type { Evidence } from '../../../src/core/evidence.ts'

// What a text on screen looks like: a sign is short and in capitals, running text is one long line, a slide is the rest.
export type TextForm = 'sign' | 'slide' | 'line'

// The form that a question names: "the next slide", "the last sign".
export function formAsked(question: string): TextForm | undefined {
  if (/\bslides?\b/i.test(question)) return 'slide'
  return /\bsigns?\b/i.test(question) ? 'sign' : undefined
}

// Only the texts of that form, where the video has texts of several.
export function ofForm(form: TextForm | undefined, rows: readonly Evidence[]): Evidence[] {
  if (!form) return [...rows]
  const fitting = rows.filter(row => formOf(row) === form)
  const least = form === 'sign' ? 1 : 2
  const mixed = fitting.length >= least && rows.length - fitting.length >= least
  return mixed ? fitting : [...rows]
}

export function formOf(row: Evidence): TextForm {
  const lines = row.text.split('\n').filter(line => line.trim() !== '')
  const words = row.text.split(/\s+/).filter(Boolean)
  const letters = row.text.replace(/[^\p{L}]/gu, '')
  const capitals = letters.replace(/[^\p{Lu}]/gu, '').length
  if (words.length <= 4 && lines.length <= 2 && letters.length > 0 && capitals >= letters.length * 0.7) return 'sign'
  return lines.length === 1 && words.length >= 5 ? 'line' : 'slide'
}
