import { byTime, type Evidence } from '../../../src/core/evidence.ts'
import { overlap, spanLength } from '../../../src/core/time.ts'
import { type RowGroup, textOverlap } from '../../../src/text/occurrences.ts'

// Groups rows of text that are on screen together into slides. Text that stays while others change (a logo, a running
// clock) does not join these.
export function slidesIn(rows: readonly Evidence[]): RowGroup[] {
  const slides: { rows: RowGroup; start: number; end: number; text: string }[] = []
  for (const row of [...rows].sort(byTime)) {
    const home = slides.find(slide => together(slide, row) || again(slide, row))
    if (home) {
      home.rows.push(row)
      home.end = Math.max(home.end, row.span.end)
      home.text += `\n${row.text}`
    } else slides.push({ rows: [row], start: row.span.start, end: row.span.end, text: row.text })
  }
  return slides.map(slide => slide.rows)
}

// The first line of the topmost text.
export function slideTitle(slide: RowGroup): string {
  const highest = slide.reduce((a, b) => ((b.box?.y ?? 1) < (a.box?.y ?? 1) ? b : a))
  return firstLine(highest.text)
}

export function firstLine(text: string): string {
  return text.replace(/\n[\s\S]*/, '').trim()
}

function together(slide: { start: number; end: number }, row: Evidence): boolean {
  const shorter = Math.min(slide.end - slide.start, spanLength(row.span))
  const longer = Math.max(slide.end - slide.start, spanLength(row.span))
  const shared = overlap(slide, row.span)
  return shared > 0 && shared >= shorter * 0.6 && shared >= longer * 0.3
}

// The same text, read again shortly after.
function again(slide: { end: number; text: string }, row: Evidence): boolean {
  return (
    row.span.start - slide.end <= 2.5 && row.span.start >= slide.end - 0.5 && textOverlap(slide.text, row.text) >= 0.7
  )
}

// What a text on screen looks like: a sign is short and in capitals, running text is one long line, a slide is the
// rest.
export type TextForm = 'sign' | 'slide' | 'line'

// The form that a question asks for: "the next slide", "the last sign".
export function formAsked(question: string): TextForm | undefined {
  if (/\bslides?\b/i.test(question)) return 'slide'
  return /\bsigns?\b/i.test(question) ? 'sign' : undefined
}

// The slides of that form, if the video has texts of several forms.
export function slidesOfForm(form: TextForm | undefined, rows: readonly Evidence[]): RowGroup[] {
  const slides = slidesIn(rows)
  if (!form) return slides
  const fitting = slides.filter(slide => textForm(longestText(slide)) === form)
  const min = form === 'sign' ? 1 : 2
  const mixed = fitting.length >= min && slides.length - fitting.length >= min
  return mixed ? fitting : slides
}

export function textForm(text: string): TextForm {
  // Shapes and textures are read as stray letters: ignores lines without three letters in a row.
  const lines = text.split('\n').filter(line => /[\p{L}\p{N}]{3}/u.test(line))
  const words = lines.join(' ').split(/\s+/).filter(Boolean)
  const letters = lines.join('').replace(/[^\p{L}]/gu, '')
  const capitals = letters.replace(/[^\p{Lu}]/gu, '').length
  if (words.length <= 4 && lines.length <= 2 && letters.length > 0 && capitals >= letters.length * 0.7) return 'sign'
  return lines.length === 1 && words.length >= 5 ? 'line' : 'slide'
}

function longestText(rows: RowGroup): string {
  return rows.map(row => row.text).reduce((a, b) => (b.length > a.length ? b : a))
}
