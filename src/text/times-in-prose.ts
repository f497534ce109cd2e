import type { Evidence } from '../core/evidence.ts'
import { clockTime, parseTime } from '../core/time.ts'

// A moment of the video as prose states it: "1:02", "[0:12-0:15]", "at 75 seconds", "in minute 3".
export interface StatedTime {
  text: string
  start: number // characters
  end: number
  seconds: number[]
}

const moment = String.raw`${clockTime}(?:[.,]\d+)?`
const patterns = [
  new RegExp(String.raw`\[?\(?\b(${moment})\s*(?:-|–|—|to|until|and)\s*(${moment})\b\)?\]?`, 'g'),
  new RegExp(String.raw`\[?\b(${moment})\b\]?`, 'g'),
  /\b(?:at|around|about|after|before|from|until|to|by|near)\s+(?:the\s+)?(\d+(?:\.\d+)?)\s*-?\s*(?:s|secs?|seconds?)\b(?:\s+mark)?/gi,
  /\b(\d+(?:\.\d+)?)\s*-?\s*(?:s|secs?|seconds?)\s+(?:in|into|mark)\b/gi,
  /\b(?:at|around|about|after|before|from|until|in|by)\s+(?:the\s+)?(?:minute\s+(\d+)\b|(\d+(?:\.\d+)?)\s*-?\s*(?:minutes?|mins?)\b(?:\s+(?:in|into|mark))?)/gi,
]

export function statedTimes(text: string): StatedTime[] {
  const times: StatedTime[] = []
  for (const [kind, pattern] of patterns.entries()) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      if (times.some(other => start < other.end && end > other.start)) continue
      const scale = kind === 4 ? 60 : 1
      const seconds = match.slice(1).flatMap(group => (group === undefined ? [] : [(parseTime(group) ?? -1) * scale]))
      times.push({ text: match[0], start, end, seconds })
    }
  }
  return times.sort((a, b) => a.start - b.start)
}

// Whether each of the stated moments is one that a row gives: the start or end of its span, its frame, or a timed word; to
// the second, as times are shown. Words of a row that look like a time ("the train leaves at 10:30") are the row's own.
export function comesFrom(stated: StatedTime, rows: readonly Evidence[]): boolean {
  if (rows.some(row => row.text.includes(stated.text))) return true
  return stated.seconds.every(second => rows.some(row => listTimes(row).some(time => sameSecond(time, second))))
}

function listTimes(row: Evidence): number[] {
  const words = row.words?.flatMap(word => [word.start, word.end]) ?? []
  return [row.span.start, row.span.end, ...(row.frame === undefined ? [] : [row.frame]), ...words]
}

function sameSecond(time: number, stated: number): boolean {
  return Math.floor(time + 1e-6) === Math.floor(stated + 1e-6) || Math.abs(time - stated) < 0.06
}
