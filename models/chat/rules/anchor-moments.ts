import type { Evidence } from '../../../src/core/evidence.ts'
import type { Span } from '../../../src/core/time.ts'
import { distinctRows, spanOfWords } from '../../../src/text/occurrences.ts'
import { pickNth } from '../../../src/text/question/nth.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { findPhrase } from '../../../src/text/word-similarity.ts'
import { tokens } from '../../../src/text/words.ts'
import { rankRows } from './match.ts'

export interface AnchorMoment extends Span {
  row?: Evidence
  rest?: string // of the line, after the quoted words
}

const minScore = 0.4

// Finds the moments that a question refers to, best first.
export function anchorMoments(asked: ParsedQuestion, rows: readonly Evidence[]): AnchorMoment[] {
  const { anchor } = asked
  if (!anchor) return []
  if (anchor.span) return [anchor.span]
  if (anchor.topic.terms.length === 0) {
    const there = distinctRows(rows.filter(row => anchor.tracks.includes(row.track)))
    return nthMoment(
      there.map(one => ({ ...one.span, row: one.rows[0] })),
      anchor.nth,
    )
  }
  const matches = rankRows({ topic: anchor.topic, tracks: anchor.tracks }, rows).filter(
    match => match.score >= minScore,
  )
  const best = matches[0]?.rank ?? 0
  const close = matches.filter(match => match.rank >= best - 0.15)
  if (anchor.nth === undefined) return close.map(match => anchorMoment(match.rows[0], anchor.topic.quoted))
  const distinct = distinctRows(close.filter(match => match.rows.length === 1).map(match => match.rows[0]))
  return nthMoment(
    distinct.map(({ rows: [row] }) => anchorMoment(row, anchor.topic.quoted)),
    anchor.nth,
  )
}

function nthMoment(moments: AnchorMoment[], nth: number | 'last' | undefined): AnchorMoment[] {
  if (nth === undefined) return moments
  const moment = pickNth(moments, nth)
  return moment ? [moment] : []
}

// Within a long line the quoted words have their own time, and the rest of the line comes after.
function anchorMoment(row: Evidence, quotes: readonly string[]): AnchorMoment {
  const line = tokens(row.text)
  for (const quote of quotes) {
    const phrase = findPhrase(tokens(quote), line)[0]
    const last = phrase && line[phrase.to]
    if (!last || row.track !== 'speech') continue
    const rest = row.text
      .slice(last.end)
      .replace(/^[\s,.;:!?]+/, '')
      .trim()
    return { ...spanOfWords(row, line, phrase), row, rest: rest || undefined }
  }
  return { ...row.span, row }
}
