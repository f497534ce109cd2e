import { longestCommon, maxLine, middle, type ScreenLine } from './same-line.ts'

const moved = 0.05 // of the picture's width, between two readings; boxes of a line that rests differ by less
const edge = 0.03 // this near to the edge of the picture a line is cut off

// How far a line has run since it was read as `before`, in widths of the picture; undefined if it is another line, or rests.
export function runBetween(before: ScreenLine, line: ScreenLine): number | undefined {
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
export function joinedText(before: ScreenLine, line: ScreenLine): string | undefined {
  const { length, inA, inB } = commonRun(before, line)
  const [a, b] = [before.text, line.text]
  const [tailA, tailB] = [a.slice(inA + length), b.slice(inB + length)]
  const head = inB > inA || (inB === inA && !isCutLeft(line)) ? b.slice(0, inB) : a.slice(0, inA)
  const tail = tailB.length > tailA.length || (tailB.length === tailA.length && !isCutRight(line)) ? tailB : tailA
  const joined = head + a.slice(inA, inA + length) + tail
  return joined.length <= maxLine ? joined : undefined
}

// True if the line begins or ends where the picture does.
export function touchesEdge(line: ScreenLine): boolean {
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
