import { countValues } from '../../metrics/kappa.ts'
import type { SourceRecord, SourceRow } from '../item.ts'

// What a source record holds for certain: text that stands still and was read well, sentences that were heard well.

export interface SlideFact {
  title: string
  lines: { label: string; value: string }[] // of a slide; none of a sign
  span: SourceRow['span']
  row: string
}

export interface SpokenSentence {
  text: string
  span: SourceRow['span']
  row: string
}

export interface Facts {
  shown: SlideFact[] // by time, every title once
  slides: SlideFact[] // those with lines
  said: SpokenSentence[] // sentences that are said once
  texts: SourceRow[] // all that was seen, also what is not a fact: read badly, shown twice, running through
}

const minConfidence = 0.9

export function collectFacts({ rows }: SourceRecord): Facts {
  const texts = rows.filter(row => row.track === 'text')
  const sure = texts.filter((row, at) => isSure(row) && isShowing(row, texts, at))
  const all = sure.map(shownIn)
  const count = countValues(texts.map(row => foldCase(shownIn(row).title))) // also where it was read badly or for a moment
  const isTitle = (text: string) => /\p{L}{2}/u.test(text) && labelled(text).length === 0
  const titledTexts = all.filter(({ title }) => count.get(foldCase(title)) === 1 && isTitle(title))
  const heard = rows.filter(row => row.track === 'speech' && row.text.trim().split(/\s+/).length >= 4)
  const times = countValues(heard.map(({ text }) => foldCase(text)))
  return {
    shown: titledTexts,
    slides: titledTexts.filter(({ lines }) => lines.length > 0),
    said: heard
      .filter(row => isSure(row) && times.get(foldCase(row.text)) === 1)
      .map(({ id, text, span }) => ({ row: id, span, text: text.trim() })),
    texts,
  }
}

// Those that begin so long after the one before that nobody doubts their order.
export function secondsApart<One extends { span: SourceRow['span'] }>(all: readonly One[]): One[] {
  return all.filter((one, at) => at === 0 || one.span.start - (all[at - 1]?.span.start ?? 0) >= 5)
}

// Subtitles and scripts of people carry no confidence: they are taken as they are.
function isSure({ confidence }: SourceRow): boolean {
  return confidence === undefined || confidence >= minConfidence
}

function shownIn({ id, span, text }: SourceRow): SlideFact {
  const [title = '', ...rest] = text.split('\n').map(line => line.trim())
  return { title, lines: rest.flatMap(labelled), span, row: id }
}

// "Budget: 375 dollars"; the colon may be lost.
function labelled(line: string): { label: string; value: string }[] {
  const labelMatch = /^(\p{L}[\p{L} ]*?)\s*[:;]\s*(\S.*)$/u.exec(line) ?? /^(\p{L}+)\s+(\d.*)$/u.exec(line)
  return labelMatch?.[1] && labelMatch[2] ? [{ label: labelMatch[1], value: labelMatch[2].trim() }] : []
}

export function foldCase(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

const minSeconds = 3

// Text that stands: shown three seconds and more, and not the beginning, the end or a piece of what is shown just before or after it,
// as the pieces of a line that runs through are.
function isShowing(row: SourceRow, texts: readonly SourceRow[], at: number): boolean {
  if (row.span.end - row.span.start < minSeconds) return false
  return ![texts[at - 1], texts[at + 1]].some(other => other && isNear(row, other) && isFragment(row.text, other.text))
}

function isNear(row: SourceRow, other: SourceRow): boolean {
  return row.span.start - other.span.end < 1 && other.span.start - row.span.end < 1
}

function isFragment(text: string, other: string): boolean {
  const [words, others] = [splitWords(text), splitWords(other)]
  if (sharesEdge(words.join(' '), others.join(' '))) return true
  const [short, long] = words.length <= others.length ? [words, others] : [others, words]
  const shared = short.filter(word => long.includes(word)).length
  return short.length > 0 && shared / short.length >= 0.6
}

// Also in the middle of a word, as "Flight t" of "Flight to Toronto".
function sharesEdge(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short !== '' && (long.startsWith(short) || long.endsWith(short))
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
