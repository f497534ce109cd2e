import { clockTime, parseTime, type Span } from '../../../../src/core/time.ts'
import { tokens } from '../../../../src/text/words.ts'
import { findTimes, findUnits } from '../answers/count.ts'
import { findMoments } from '../answers/when.ts'
import type { ScoreOptions } from './fixed.ts'

// The number nearest to the count.
export const byCount: ScoreOptions = (asked, options, brief) => {
  if (asked.kind !== 'count' && asked.kind !== 'count-units') return undefined
  const numbers = options.map(numberIn)
  if (numbers.some(number => number === undefined)) return undefined
  const times = asked.kind === 'count' ? findTimes(asked, brief) : findUnits(asked, brief.evidence)
  if (times.length === 0) return undefined
  const rows = times.flatMap(one => one.rows.slice(0, 1))
  return numbers.map((number = 0) => ({ score: 1 / (1 + Math.abs(number - times.length)), rows }))
}

function numberIn(option: string): number | undefined {
  const words: Record<string, number> = { once: 1, twice: 2, never: 0 }
  const token = tokens(option).find(one => /^\d+$/.test(one.text) || one.text in words)
  return token && (words[token.text] ?? Number(token.text))
}

// Options that are times: the one nearest to a found moment.
export const byTimes: ScoreOptions = (asked, options, brief) => {
  const spans = options.flatMap(option => spanIn(option) ?? [])
  if (spans.length < options.length) return undefined
  const rows = findMoments(asked, brief)
  if (rows.length === 0) return undefined
  const chosen = asked.nth === 'last' ? rows.slice(-1) : rows
  return spans.map(span => {
    const [near] = chosen.map(row => ({ row, gap: gapBetween(row.span, span) })).sort((a, b) => a.gap - b.gap)
    return near ? { score: 1 / (1 + near.gap / 5), rows: [near.row] } : { score: 0, rows: [] }
  })
}

function spanIn(option: string): Span | undefined {
  const times =
    option.match(new RegExp(clockTime, 'g')) ?? option.match(/(?<!\d)\d+(?:\.\d+)?(?=\s*(?:s\b|sec|seconds?))/g)
  const [start, end = start] = times?.map(time => parseTime(time)).filter(time => time !== undefined) ?? []
  return start === undefined || end === undefined ? undefined : { start, end }
}

// A time is best at the start of the found span; a span is best where it overlaps it.
function gapBetween(found: Span, option: Span): number {
  if (option.start === option.end) {
    if (option.start >= found.start && option.start <= found.end) return (option.start - found.start) * 0.1
    return Math.min(Math.abs(found.start - option.start), Math.abs(found.end - option.start))
  }
  const shared = Math.min(found.end, option.end) - Math.max(found.start, option.start)
  return shared > 0 ? Math.abs(found.start - option.start) * 0.1 : -shared
}
