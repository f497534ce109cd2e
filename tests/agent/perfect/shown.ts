import type { ChatRequest, ContentPart } from '../../../src/core/chat.ts'
import { overlap, parseTime, type Span, spanLength } from '../../../src/core/time.ts'
import type { Truth } from './truth.ts'

// A row or a picture as the messages of a request show it. Nothing else of the video is known to a model.
export interface Shown {
  id: string
  span: Span
  text: string
  isPicture: boolean
}

const id = /\b[a-z][0-9a-f]{10}\b/g
const time = /\b(?:\d+:)?\d{1,3}:\d{2}(?:\.\d+)?\b/g

export function shownIn({ messages }: ChatRequest): Shown[] {
  const found = new Map<string, Shown>()
  for (const { role, content } of messages) {
    if (role === 'system' || role === 'assistant') continue
    for (const [at, part] of content.entries()) {
      if (part.type !== 'text') continue
      const isLabel = content[at + 1]?.type === 'image'
      const lines = part.text.split('\n')
      for (const [n, line] of lines.entries()) {
        const one = readLine(line)
        if (one) found.set(one.id, { ...one, isPicture: (isLabel && n === lines.length - 1) || isSeen(line) })
      }
    }
  }
  return [...found.values()]
}

// One id and its times; a line of several ids is a list.
function readLine(line: string): Omit<Shown, 'isPicture'> | undefined {
  const ids = line.match(id) ?? []
  const times = (line.slice(0, line.indexOf(ids[0] ?? '') + 60).match(time) ?? []).flatMap(one => parseTime(one) ?? [])
  const [first] = ids
  const [start, end = start] = times
  if (ids.length !== 1 || first === undefined || start === undefined || end === undefined) return undefined
  return { id: first, span: { start, end: Math.max(start, end) }, text: line }
}

function isSeen(line: string): boolean {
  return /(?:\]|:\d\d\.\d) (?:picture|caption)\b/.test(line)
}

// Times are shown in whole seconds, cut off.
const coarse = 1

// The rows that show or say each clue best; undefined for a clue that nothing shown covers.
export function rowsOfClues(truth: Truth, shown: readonly Shown[]): (Shown | undefined)[] {
  const fit = truth.needs === 'frames' ? shown.filter(one => one.isPicture) : shown
  return truth.clues.map(clue => {
    const near = fit.filter(({ span }) => isOf(span, clue))
    return near.sort((a, b) => closeness(b.span, clue) - closeness(a.span, clue))[0]
  })
}

// Inside the clue, or much the same span.
export function isOf(span: Span, clue: Span): boolean {
  const wide = { start: clue.start - coarse, end: clue.end + coarse }
  const isInside = span.start >= wide.start && span.end <= wide.end
  return isInside || closeness(span, clue) >= 0.3
}

function closeness(span: Span, clue: Span): number {
  const shared = overlap(span, clue)
  return shared / (spanLength(span) + spanLength(clue) - shared || 1)
}

// Frames of a request that are looked at, by the labels before them.
export function framesIn(content: readonly ContentPart[]): number[] {
  return content.flatMap((part, at) => {
    const label = content[at - 1]
    if (part.type !== 'image' || label?.type !== 'text') return []
    return (label.text.match(time) ?? []).slice(0, 1).flatMap(one => parseTime(one) ?? [])
  })
}

// Whether what is cited lies at each clue, and not much around it.
export function citesClues(cites: readonly { span: Span }[], clues: readonly Span[]): boolean {
  return clues.every(clue => cites.some(({ span }) => isOf(span, clue)))
}
