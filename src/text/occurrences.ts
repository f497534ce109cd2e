import { byTime, type Evidence } from '../core/evidence.ts'
import type { Span } from '../core/time.ts'
import { findPhrase, findWord } from './word-similarity.ts'
import { type Token, tokens } from './words.ts'

// Rows that belong together.
export type RowGroup = [Evidence, ...Evidence[]]

// One time that something is said, shown or heard.
export interface Occurrence {
  span: Span
  rows: RowGroup
  text: string
}

// Text on screen is read from frames, so one caption may come as several rows; a pause this short is not a new showing.
const sameShowing = 2.5

// Each time that the words occur. A word repeated within one line of speech counts each time; a text that stays on screen,
// though it was read several times, counts once.
export function findOccurrences(words: string, rows: readonly Evidence[]): Occurrence[] {
  const phrase = tokens(words)
  const occurrences = [...rows].sort(byTime).flatMap((row): Occurrence[] => {
    const line = tokens(row.text)
    const [only, ...others] = phrase
    const places = only && others.length === 0 ? wordPlaces(only, line) : findPhrase(phrase, line)
    const times = row.track === 'speech' ? places : places.slice(0, 1)
    return times.map(place => ({ span: spanOfWords(row, line, place), rows: [row], text: row.text }))
  })
  return joinShowings(occurrences)
}

// Distinct things of a track in time order: the slides, the sounds, the shots.
export function distinctRows(rows: readonly Evidence[]): Occurrence[] {
  return joinShowings([...rows].sort(byTime).map(row => ({ span: row.span, rows: [row], text: row.text })))
}

// 0..1: what share of the words of the shorter text the other one holds too.
export function textOverlap(a: string, b: string): number {
  const [one, other] = [tokens(a), tokens(b)]
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length === 0) return long.length === 0 ? 1 : 0
  const sharedWords = short.filter(token => findWord(token, long).score >= 0.6).length
  return sharedWords / Math.max(short.length, long.length * 0.6)
}

function wordPlaces(term: Token, line: readonly Token[]): { from: number; to: number }[] {
  const places: { from: number; to: number }[] = []
  for (let at = 0; at < line.length; at++) {
    const { score, at: within } = findWord(term, line.slice(at, at + 2))
    if (score < 0.6 || within !== 0) continue
    places.push({ from: at, to: at })
  }
  return places
}

// The time of some words of a line: exact where the recogniser timed each word, else that of the line.
export function spanOfWords(row: Evidence, line: readonly Token[], place: { from: number; to: number }): Span {
  const { words = [], text, span } = row
  const before = wordCount(text.slice(0, line[place.from]?.start ?? 0))
  const through = wordCount(text.slice(0, line[place.to]?.end ?? 0))
  const first = words[Math.min(before, words.length - 1)]
  const last = words[Math.min(Math.max(before, through - 1), words.length - 1)]
  return first && last && wordCount(text) === words.length
    ? { start: first.start, end: Math.max(first.start, last.end) }
    : span
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

function joinShowings(found: Occurrence[]): Occurrence[] {
  const joined: Occurrence[] = []
  for (const occurrence of found) {
    const isText = occurrence.rows[0].track === 'text'
    const before = isText ? joined.findLast(other => sameShow(other, occurrence)) : undefined
    if (before) {
      before.span = {
        start: Math.min(before.span.start, occurrence.span.start),
        end: Math.max(before.span.end, occurrence.span.end),
      }
      before.rows.push(...occurrence.rows)
      if (occurrence.text.length > before.text.length) before.text = occurrence.text
    } else joined.push({ ...occurrence, span: { ...occurrence.span }, rows: [...occurrence.rows] })
  }
  return joined
}

function sameShow(before: Occurrence, next: Occurrence): boolean {
  return (
    before.rows[0].track === 'text' &&
    next.span.start - before.span.end <= sameShowing &&
    textOverlap(before.text, next.text) >= 0.7
  )
}
