import { byTime, type Evidence, type Track } from '../evidence.ts'
import { formatMoment } from '../time.ts'

const unsure = 0.7 // confidence of speech below which a row is marked
const longestRow = 600 // characters
const pause = 0.5 // seconds between rows that are one

export interface IndexLine {
  id: string
  ids: string[] // with those of the rows that are joined to it
  track: Track
  line: string
}

// The rows of an index for a model: one line a row in time order, times to a tenth, silence left out, doubtful speech marked, and a
// text that was read again directly after itself, or a line that runs or is written letter by letter, joined to one line.
export function indexLines(rows: readonly Evidence[], longest = longestRow): IndexLine[] {
  const merged: { row: Evidence; ids: string[] }[] = []
  const last = new Map<string, number>()
  for (const row of rows.filter(isTelling).sort(byTime)) {
    const key = `${row.track} ${row.speaker ?? ''}`
    const at = last.get(row.track === 'text' ? key : `${key} ${row.text}`)
    const before = at === undefined ? undefined : merged[at]
    const joined = before && row.span.start - before.row.span.end < pause ? joinedRow(before.row, row) : undefined
    if (before && joined && at !== undefined) {
      merged[at] = { row: joined, ids: [...before.ids, row.id] }
      continue
    }
    last.set(row.track === 'text' ? key : `${key} ${row.text}`, merged.length)
    merged.push({ row, ids: [row.id] })
  }
  return merged.map(({ row, ids }) => ({ id: row.id, ids, track: row.track, line: rowLine(row, longest) }))
}

// Of a row that repeats the one before, or has more of its line, the longer one with the span of both.
function joinedRow(before: Evidence, row: Evidence): Evidence | undefined {
  const same = before.text === row.text
  if (!same && (row.track !== 'text' || !isSameLine(before.text, row.text))) return undefined
  const longer = row.text.length > before.text.length ? row : before
  const span = {
    start: Math.min(before.span.start, row.span.start),
    end: Math.max(before.span.end, row.span.end),
  }
  return { ...longer, span }
}

// "Flight ti" and "Flight to Toronto": one goes on as the other, but for its last letter, which may be cut. "Room 20" and "Room 204" are two.
function isSameLine(a: string, b: string): boolean {
  const [short, long] = [a, b].map(plainText).sort((x, y) => x.length - y.length) as [string, string]
  if (short.length < 6 || long.length < short.length + 2) return false
  if (!long.startsWith(short)) return long.startsWith(short.slice(0, -1)) && !/\d/.test(short.slice(-1))
  return !(/\d$/.test(short) && /\d/.test(long[short.length] ?? ''))
}

function plainText(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

export function isTelling({ track, text }: Evidence): boolean {
  return text.trim() !== '' && !(track === 'sound' && emptySound.test(text))
}

export function indexLine(row: Evidence): string {
  return rowLine(row, longestRow)
}

function rowLine(row: Evidence, longest: number): string {
  const { id, span, track, speaker, text, confidence } = row
  const doubt = track === 'speech' && confidence !== undefined && confidence < unsure ? ' (?)' : ''
  const words = text.replace(/\s+/g, ' ').trim()
  const short = words.length > longest ? `${words.slice(0, longest - 3)}...` : words
  return `${id} ${formatMoment(span.start)}-${formatMoment(span.end)} ${track}${speaker ? ` ${speaker}` : ''}${doubt}: ${short}`
}

// Shorter, where what a row without a track's name is stands beside the rows: speech, and in quotation marks text on screen.
export function compactLine({
  track,
  line,
  isDoubted,
}: Pick<IndexLine, 'track' | 'line'> & { isDoubted?: boolean }): string {
  if (track === 'text') return line.replace(/^(\S+ \S+) text: (.*)$/, '$1 "$2"')
  if (track !== 'speech') return line
  return line.replace(/^(\S+ \S+) speech/, '$1').replace(isDoubted ? / \(\?\)(?=: )/ : '', '')
}

const emptySound = /^(silence|quiet|speech|(?:\w+ )?speech-like sound\b.*)$/i
