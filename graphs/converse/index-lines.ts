import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { formatMoment } from '../../src/core/time.ts'

const unsure = 0.5 // confidence of speech below which a row is marked
const longestRow = 600 // characters

// The rows of an index for a model: one line a row in time order, times to a tenth, silence left out, doubtful speech marked, and a
// text that was read again directly after itself joined to one line.
export function indexLines(rows: readonly Evidence[]): { lines: string[]; ids: string[]; silences: number } {
  const telling = rows.filter(row => row.text.trim() !== '' && !(row.track === 'sound' && emptySound.test(row.text)))
  const merged: Evidence[] = []
  const last = new Map<string, number>()
  for (const row of [...telling].sort(byTime)) {
    const key = `${row.track} ${row.speaker ?? ''} ${row.text}`
    const at = last.get(key)
    const before = at === undefined ? undefined : merged[at]
    if (before && at !== undefined && row.span.start - before.span.end < 0.5) {
      merged[at] = { ...before, span: { start: before.span.start, end: Math.max(before.span.end, row.span.end) } }
      continue
    }
    last.set(key, merged.length)
    merged.push(row)
  }
  return { lines: merged.map(indexLine), ids: merged.map(row => row.id), silences: rows.length - telling.length }
}

export function indexLine(row: Evidence): string {
  const { id, span, track, speaker, text, confidence } = row
  const doubt = track === 'speech' && confidence !== undefined && confidence < unsure ? ' (unsure)' : ''
  const words = text.replace(/\s+/g, ' ').trim()
  const short = words.length > longestRow ? `${words.slice(0, longestRow - 3)}...` : words
  return `${id} ${formatMoment(span.start)}-${formatMoment(span.end)} ${track}${speaker ? ` ${speaker}` : ''}${doubt}: ${short}`
}

const emptySound = /^(silence|quiet|speech-like sound|speech)$/i
