import { byTime, type Evidence } from '../../../src/core/evidence.ts'
import { overlap, spanLength } from '../../../src/core/time.ts'
import { sameText } from '../../../src/text/occurrences.ts'

// Rows of text that are on screen together are one slide. A text that stays while others come and go (a logo, a running
// clock) does not join those into one.
export function slidesIn(rows: readonly Evidence[]): Evidence[][] {
  const slides: { rows: Evidence[]; start: number; end: number; text: string }[] = []
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

// The first line of what stands highest on the slide.
export function titleOf(slide: readonly Evidence[]): string {
  const highest = slide.reduce((a, b) => ((b.box?.y ?? 1) < (a.box?.y ?? 1) ? b : a))
  return highest.text.split('\n')[0].trim()
}

function together(slide: { start: number; end: number }, row: Evidence): boolean {
  const shorter = Math.min(slide.end - slide.start, spanLength(row.span))
  const longer = Math.max(slide.end - slide.start, spanLength(row.span))
  const shared = overlap(slide, row.span)
  return shared > 0 && shared >= shorter * 0.6 && shared >= longer * 0.3
}

// The same text read once more after a moment.
function again(slide: { end: number; text: string }, row: Evidence): boolean {
  return row.span.start - slide.end <= 2.5 && row.span.start >= slide.end - 0.5 && sameText(slide.text, row.text) >= 0.7
}
