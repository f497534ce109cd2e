import type { Box, Finding } from '../../../src/core/evidence.ts'
import type { TextLine } from '../../../src/core/services.ts'
import { type Span, spanLength } from '../../../src/core/time.ts'
import type { Shot, Still } from '../../../src/core/video.ts'
import { isPartOfLine, longestCommon, maxLine, middle, type ScreenLine, sameLine } from './same-line.ts'

interface Seen {
  text: string
  confidence: number
  box: Box
  start: number
  end: number
  frame: number
  times: number // on how many stills it was read
  missedFrom: number | undefined // the time from which on it was not read any more
  fadesFrom: number | undefined // the gradual cut in which it was read last, as what goes
  last: TextLine // as it was read last
  running: number | undefined // below 0: to the left
  isWhole: boolean // a running line that was once read from end to end
}

const GLIMPSE = 0.95 // seconds
const SURE = 0.92
const LACKING = 0.05
const BLEND = 0.3 // seconds: a text that stands shorter was read on a still within a cut, of two pictures at once
const TOGETHER = 1.1 // seconds
const GAP = 1.6 // seconds that something may pass in front of a text
const SETTLES = 2.5 // seconds after a text within which what is shown with it comes up
const FADE = 1 // seconds after a gradual cut is found in which the picture before may still shine through

// Turns what was read on single stills into rows that say from when to when a text was shown. Lines that come and go
// together are one row, as the lines of a slide are; a line added later to the same slide is a row of its own.
// `kept`: all stills, also those that were not read.
export function trackText(
  readings: { still: Still; lines: TextLine[] }[],
  shots: Shot[],
  end: number,
  kept: readonly Still[] = readings.map(({ still }) => still),
): Finding[] {
  let open: Seen[] = []
  const closed: Seen[] = []
  readings.forEach(({ still, lines }, at) => {
    const before = readings[at - 1]?.still.time
    const opening = openedShot(still, before, shots)
    const from = opening?.start ?? still.time
    const fade = opening?.opens === 'gradual' && still.time - opening.start <= FADE ? opening.start : undefined
    const broke = before === undefined ? undefined : holeBetween(before, still.time, shots)
    if (broke !== undefined) {
      for (const seen of open)
        closed.push({ ...seen, end: Math.max(seen.start, Math.min(seen.missedFrom ?? broke, broke)) })
      open = []
    }
    const gone = open.filter(seen => seen.missedFrom !== undefined && still.time - seen.missedFrom > GAP)
    for (const seen of gone) closed.push({ ...seen, end: seen.missedFrom ?? end })
    open = open.filter(seen => !gone.includes(seen))
    const matched = new Set<Seen>()
    for (const line of lines) {
      const standing = open.find(seen => !matched.has(seen) && sameLine(seen.running ? seen.last : seen, line))
      const running = standing ?? open.find(seen => !matched.has(seen) && runsOn(seen, line, opening !== undefined))
      if (standing) matched.add(continued(standing, line, still, fade))
      else if (running) matched.add(ranOn(running, line, still))
      else if (!open.some(seen => isPartOfLine(line, seen) && matched.add(continued(seen, undefined, still, fade)))) {
        const seen = {
          ...line,
          start: from,
          end: from,
          frame: still.time,
          times: 1,
          last: line,
          ...atRest,
          ...unmissed,
        }
        open.push(seen)
        matched.add(seen)
      }
    }
    for (const seen of open) if (!matched.has(seen)) seen.missedFrom ??= opening?.start ?? seen.fadesFrom ?? still.time
  })
  for (const seen of open) closed.push({ ...seen, end: Math.max(seen.missedFrom ?? end, seen.start) })
  return together(closed.filter(isLasting)).map(({ frame, ...row }) => ({
    ...row,
    frame: frame ?? wholeFrom(row.span, kept),
  }))
}

const unmissed = { missedFrom: undefined, fadesFrom: undefined }
const atRest: Pick<Seen, 'running' | 'isWhole'> = { running: undefined, isWhole: false }

// A line that runs through the picture comes in piece by piece; over a cut only one that ran before, and in the same direction.
function runsOn({ last, running, text }: Seen, line: TextLine, isCutBefore: boolean): boolean {
  const run = runBetween(last, line)
  if (run === undefined || joinedText({ ...last, text }, line) === undefined) return false
  return running === undefined ? !isCutBefore : run < 0 === running < 0
}

// Where it was read whole, that reading stands; else what its pieces make together.
function ranOn(seen: Seen, line: TextLine, still: Still): Seen {
  const running = runBetween(seen.last, line)
  const joined = joinedText(seen, line) ?? seen.text
  const isWhole = !touchesEdge(line) && line.text.length >= 0.9 * joined.length
  const box = union([seen.box, line.box])
  const isBetterWhole = isWhole && (!seen.isWhole || line.confidence > seen.confidence)
  const best = { text: line.text, confidence: line.confidence, frame: still.time, isWhole }
  const read = isBetterWhole ? best : seen.isWhole ? {} : { text: joined }
  return Object.assign(seen, { ...read, ...unmissed, box, running, last: line, times: seen.times + 1 })
}

// A better reading of the same line replaces a worse one; a part of it only says that it is still there.
function continued(seen: Seen, line: TextLine | undefined, still: Still, fadesFrom: number | undefined): Seen {
  seen.times++
  Object.assign(seen, { missedFrom: undefined, fadesFrom, last: line ?? seen.last })
  if (line && isBetter(line, seen)) Object.assign(seen, { ...line, frame: still.time })
  return seen
}

// The surer one; but a reading that only lacks letters at an end of the other is worse, unless it is much surer.
function isBetter(line: TextLine, { text, confidence }: Seen): boolean {
  const margin = line.text === text ? 0 : line.text.includes(text) ? -LACKING : text.includes(line.text) ? LACKING : 0
  return line.confidence > confidence + margin
}

// What is read once in the middle of a dissolve or a fast move is half a text, or none.
function isLasting(seen: Seen): boolean {
  const length = seen.end - seen.start
  return seen.times > 1 || length >= GLIMPSE || (seen.confidence >= SURE && length >= BLEND)
}

// The shot of which this is the first still: a text on it was there from the shot's first frame.
function openedShot(still: Still, previous: number | undefined, shots: Shot[]): Shot | undefined {
  const shot = shots.find(({ start, end }) => still.time >= start && still.time < end)
  return shot && (previous === undefined || shot.start > previous) ? shot : undefined
}

// Where the first hole between two moments begins; there shots do not follow on each other.
function holeBetween(from: number, to: number, shots: Shot[]): number | undefined {
  return shots.find((shot, at) => {
    const next = shots[at + 1]?.start ?? Number.POSITIVE_INFINITY
    return shot.end >= from && next <= to && next > shot.end
  })?.end
}

// When the picture beside a text is whole: what belongs to it often comes up a moment after it, or out of a dissolve.
function wholeFrom(span: Span, kept: readonly Still[]): number | undefined {
  const until = span.start + Math.min(SETTLES, spanLength(span) / 2)
  const during = kept.filter(({ time }) => time >= span.start && time < span.end)
  return (during.findLast(({ time, reason }) => time <= until && reason !== 'interval') ?? during[0])?.time
}

// Lines of one slide come and go within the time a dissolve takes.
function together(seen: Seen[]): Finding[] {
  const groups: [Seen, ...Seen[]][] = []
  for (const line of seen.sort((a, b) => a.start - b.start || a.end - b.end)) {
    const near = (other: Seen) =>
      Math.abs(other.start - line.start) <= TOGETHER && Math.abs(other.end - line.end) <= TOGETHER
    const group = groups.find(
      ([first, ...rest]) => near(first) && ![first, ...rest].some(other => overlapsPlace(line, other)),
    )
    if (group) group.push(line)
    else groups.push([line])
  }
  return groups
    .map(lines => {
      const ordered = lines.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
      return {
        span: { start: Math.min(...lines.map(line => line.start)), end: Math.max(...lines.map(line => line.end)) },
        track: 'text' as const,
        text: ordered.map(line => line.text).join('\n'),
        confidence: ordered.reduce((sum, line) => sum + line.confidence, 0) / ordered.length,
        frame: ordered.find(line => line.running)?.frame,
        box: union(ordered.map(line => line.box)),
      }
    })
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}

// Two texts in one place are one after the other, as the readings of a clock are.
function overlapsPlace({ box: a }: Seen, { box: b }: Seen): boolean {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return across > 0 && down > Math.min(a.height, b.height) / 2
}

function union(boxes: Box[]): Box {
  const x = Math.min(...boxes.map(box => box.x))
  const y = Math.min(...boxes.map(box => box.y))
  const right = Math.max(...boxes.map(box => box.x + box.width))
  const bottom = Math.max(...boxes.map(box => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

const moved = 0.05 // of the picture's width, between two readings; boxes of a line that rests differ by less
const edge = 0.03 // this near to the edge of the picture a line is cut off

// How far a line has run since it was read as `before`, in widths of the picture; undefined if it is another line, or rests.
function runBetween(before: ScreenLine, line: ScreenLine): number | undefined {
  if (Math.abs(middle(before) - middle(line)) >= Math.max(before.box.height, line.box.height) / 2) return undefined
  const { length, inA, inB } = commonRun(before, line)
  const short = Math.min(before.text.length, line.text.length)
  const fewest = touchesEdge(before) || touchesEdge(line) ? 2 : 5
  if (length < Math.max(fewest, short * 0.6)) return undefined
  const run = computePlace(line, inB) - computePlace(before, inA)
  return Math.abs(run) >= moved ? run : undefined
}

// The text of a running line after one more reading: of what comes before and after the words that both hold, the longer,
// of equal ones that which is not cut off. Undefined if that is more than one line holds.
function joinedText(before: ScreenLine, line: ScreenLine): string | undefined {
  const { length, inA, inB } = commonRun(before, line)
  const [a, b] = [before.text, line.text]
  const [tailA, tailB] = [a.slice(inA + length), b.slice(inB + length)]
  const head = inB > inA || (inB === inA && !isCutLeft(line)) ? b.slice(0, inB) : a.slice(0, inA)
  const tail = tailB.length > tailA.length || (tailB.length === tailA.length && !isCutRight(line)) ? tailB : tailA
  const joined = head + a.slice(inA, inA + length) + tail
  return joined.length <= maxLine ? joined : undefined
}

// True if the line begins or ends where the picture does.
function touchesEdge(line: ScreenLine): boolean {
  return isCutLeft(line) || isCutRight(line)
}

function isCutLeft({ box }: ScreenLine): boolean {
  return box.x < edge
}

function isCutRight({ box }: ScreenLine): boolean {
  return box.x + box.width > 1 - edge
}

function commonRun(a: ScreenLine, b: ScreenLine): ReturnType<typeof longestCommon> {
  return longestCommon(a.text.slice(0, maxLine).toLowerCase(), b.text.slice(0, maxLine).toLowerCase())
}

// Where a character of the line stands.
function computePlace({ text, box }: ScreenLine, at: number): number {
  return box.x + (box.width * at) / Math.max(1, text.length)
}
