import type { Evidence } from '../../core/evidence.ts'
import { formatTime } from '../../core/time.ts'
import type { Overview } from '../../core/video.ts'
import { oneLine, plain } from '../../core/visible-text.ts'

const names = ['id', 'start', 'end', 'track', 'text', 'by', 'confidence', 'speaker'] as const

export function csv(rows: readonly Evidence[]): string {
  const lines = rows.map(({ id, span, track, text, by, confidence, speaker }) =>
    [id, span.start, span.end, track, text, by, confidence, speaker].map(cell).join(','),
  )
  return `${[names.join(','), ...lines].join('\n')}\n`
}

// Spreadsheets run a cell that begins like a formula, also after spaces; the apostrophe makes it text.
function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = plain(value.replaceAll('\r', ''))
  const safe = /^\s*[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

// "0:00 Title", one line each: the form that video pages and players read from a description.
export function chapters(overview: Overview): string {
  return overview.chapters.map(({ span, title }) => `${formatTime(span.start)} ${oneLine(title)}\n`).join('')
}
