import type { Evidence } from '../../../src/core/evidence.ts'
import { slidesIn } from './slides.ts'

// What a text on screen looks like: a sign is short and in capitals, running text is one long line, a slide is the rest.
export type TextForm = 'sign' | 'slide' | 'line'

// The form that a question names: "the next slide", "the last sign".
export function formAsked(question: string): TextForm | undefined {
  if (/\bslides?\b/i.test(question)) return 'slide'
  return /\bsigns?\b/i.test(question) ? 'sign' : undefined
}

// What is on screen together, of that form only where the video has texts of several.
export function slidesOfForm(form: TextForm | undefined, rows: readonly Evidence[]): Evidence[][] {
  const slides = slidesIn(rows)
  if (!form) return slides
  const fitting = slides.filter(slide => formOf(slide.map(row => row.text).reduce(longer)) === form)
  const least = form === 'sign' ? 1 : 2
  const mixed = fitting.length >= least && slides.length - fitting.length >= least
  return mixed ? fitting : slides
}

export function formOf(text: string): TextForm {
  // Shapes and textures are read as stray letters; a line without a word of three is none.
  const lines = text.split('\n').filter(line => /[\p{L}\p{N}]{3}/u.test(line))
  const words = lines.join(' ').split(/\s+/).filter(Boolean)
  const letters = lines.join('').replace(/[^\p{L}]/gu, '')
  const capitals = letters.replace(/[^\p{Lu}]/gu, '').length
  if (words.length <= 4 && lines.length <= 2 && letters.length > 0 && capitals >= letters.length * 0.7) return 'sign'
  return lines.length === 1 && words.length >= 5 ? 'line' : 'slide'
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a
}
