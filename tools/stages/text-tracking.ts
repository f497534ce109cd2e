import { editDistance } from '../../src/core/errors.ts'
import type { Box, Finding } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import type { Shot, Still } from '../../src/core/video.ts'

interface Seen {
  text: string
  confidence: number
  box: Box
  start: number
  end: number
  frame: number
  times: number // on how many stills it was read
}

const GLIMPSE = 0.95 // seconds
const SURE = 0.92

// Turns what was read on single stills into rows that say from when to when a text was shown. Lines that come and go
// together are one row, as the lines of a slide are; a line added later to the same slide is a row of its own.
export function trackText(readings: { still: Still; lines: TextLine[] }[], shots: Shot[], end: number): Finding[] {
  const open: Seen[] = []
  const closed: Seen[] = []
  readings.forEach(({ still, lines }, at) => {
    const next = readings[at + 1]?.still.time ?? end
    const from = startOf(still, readings[at - 1]?.still.time, shots)
    const found = new Set<Seen>()
    for (const line of lines) {
      const known = open.find(seen => !found.has(seen) && sameText(seen, line))
      if (known) {
        known.times++
        if (line.confidence > known.confidence)
          Object.assign(known, { text: line.text, confidence: line.confidence, box: line.box, frame: still.time })
        found.add(known)
      } else {
        const seen = { ...line, start: from, end: next, frame: still.time, times: 1 }
        open.push(seen)
        found.add(seen)
      }
    }
    for (const seen of [...open]) {
      if (found.has(seen)) continue
      seen.end = from
      closed.push(seen)
      open.splice(open.indexOf(seen), 1)
    }
  })
  for (const seen of open) closed.push({ ...seen, end: Math.max(end, seen.start) })
  return together(closed.filter(isLasting))
}

// What is read once in the middle of a dissolve or a fast move is half a text, or none.
function isLasting(seen: Seen): boolean {
  return seen.times > 1 || seen.end - seen.start >= GLIMPSE || seen.confidence >= SURE
}

// A text on the first still of a shot was there from the shot's first frame.
function startOf(still: Still, previous: number | undefined, shots: Shot[]): number {
  const shot = shots.find(candidate => still.time >= candidate.start && still.time < candidate.end)
  if (shot && (previous === undefined || shot.start > previous)) return shot.start
  return still.time
}

function together(seen: Seen[]): Finding[] {
  const groups = new Map<string, Seen[]>()
  for (const line of seen) {
    const key = `${line.start.toFixed(3)} ${line.end.toFixed(3)}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()]
    .map(lines => {
      const ordered = lines.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
      return {
        span: { start: ordered[0].start, end: Math.max(ordered[0].end, ordered[0].start) },
        track: 'text' as const,
        text: ordered.map(line => line.text).join('\n'),
        confidence: ordered.reduce((sum, line) => sum + line.confidence, 0) / ordered.length,
        frame: ordered[0].frame,
        box: union(ordered.map(line => line.box)),
      }
    })
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}

function sameText(seen: Seen, line: TextLine): boolean {
  const a = seen.text.toLowerCase()
  const b = line.text.toLowerCase()
  const close = Math.abs(seen.box.x - line.box.x) < 0.15 && Math.abs(seen.box.y - line.box.y) < 0.1
  if (a === b) return close
  if (numbersIn(a) !== numbersIn(b)) return false // a counter or clock that moves on
  const longest = Math.max(a.length, b.length)
  return close && longest >= 4 && editDistance(a, b) <= Math.floor(longest * 0.25)
}

// Whole numbers, times and sums; a digit misread inside a word is none.
function numbersIn(text: string): string {
  return text
    .split(/\s+/)
    .filter(word => /^\W*\d[\d.,:/-]*\W*$/.test(word))
    .join(' ')
}

function union(boxes: Box[]): Box {
  const x = Math.min(...boxes.map(box => box.x))
  const y = Math.min(...boxes.map(box => box.y))
  const right = Math.max(...boxes.map(box => box.x + box.width))
  const bottom = Math.max(...boxes.map(box => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
