import type { Evidence } from '../../core/evidence.ts'
import { formatSpan } from '../../core/time.ts'
import { oneLine } from '../sanitise.ts'

// `[12:04-12:31] speech: "words"`, the way every command shows a row.
export function evidenceLine(row: Evidence, max = 280): string {
  const who = row.speaker ? ` (${oneLine(row.speaker)})` : ''
  const words = oneLine(row.text).replace(/\s+/g, ' ').trim()
  const shown = [...words]
  const text = shown.length > max ? `${shown.slice(0, max - 1).join('')}…` : words
  return `${formatSpan(row.span)} ${row.track}${who}${text === '' ? '' : `: ${quoted(row, text)}`}`
}

// What was said or shown is a quotation; what a tool says about it is not.
function quoted(row: Evidence, text: string): string {
  return row.track === 'speech' || row.track === 'text' ? `"${text}"` : text
}
