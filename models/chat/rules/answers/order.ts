import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { distinctRows } from '../../../../src/text/occurrences.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { parseTopic, type Topic } from '../../../../src/text/question/topic.ts'
import { findWord } from '../../../../src/text/word-similarity.ts'
import { tokens } from '../../../../src/text/words.ts'
import { rankRows } from '../match.ts'
import { type CitedSentence, quoteEvidence, shortLine } from '../sentence.ts'
import { slidesIn } from '../slides.ts'
import { answerAbsent } from './absent.ts'

interface Placed {
  item: string
  row?: Evidence
  at: number // characters into the row
}

// The order of things, by the first occurrence of each.
export function answerOrder(asked: ParsedQuestion, brief: WriteBrief): Draft {
  if (asked.items.length < 2) return listing(asked, brief)
  const placed = placeItems(asked.items, asked, brief.evidence)
  const located = placed.filter((one): one is Required<Placed> => one.row !== undefined).sort(byFirstTime)
  const missing = placed.filter(one => one.row === undefined).map(one => one.item)
  const [first] = located
  if (!first) return answerAbsent(asked, brief, asked.items.join(' and '))
  const compares = asked.yesNo && asked.items.length === 2 && located.length === 2
  const wantsAfter = /\b(after|later than)\b/i.test(asked.text)
  const yes = (first.item === asked.items[0]) !== wantsAfter
  const wantsLast = /\b(last|latest|later)\b/i.test(asked.text) && !compares
  const names = located.map(one => one.item)
  const chain = names.map((name, i) => (i === 0 ? `"${name}"` : `then "${name}"`)).join(', ')
  const lead = compares
    ? `${yes ? 'Yes' : 'No'}: first ${chain}`
    : wantsLast
      ? `"${names.at(-1)}" comes last; first ${chain}`
      : `First ${chain}`
  const sentences: CitedSentence[] = [
    { text: lead, cites: located.map(one => one.row.id) },
    ...located
      .slice(0, 6)
      .map(one => ({ text: `"${one.item}" — ${quoteEvidence(one.row, 100)}`, cites: [one.row.id] })),
    ...(missing.length > 0 ? [{ text: `Not found: ${missing.join(', ')}.`, cites: [] }] : []),
  ]
  return { sentences, confidence: missing.length > 0 ? 0.4 : 0.8, abstained: located.length < 2 }
}

// Finds the first row that holds each item, preferring the tracks of the question.
export function placeItems(items: readonly string[], asked: ParsedQuestion, rows: readonly Evidence[]): Placed[] {
  return items.map(item => {
    const topic = parseTopic(item)
    const named = topic.terms.length > 0 ? topic : parseTopic(`"${item}"`)
    const matches = rankRows({ topic: named, tracks: asked.tracks }, rows).filter(
      match => match.rows.length === 1 && match.score >= 0.55,
    )
    const { score = 0, rank = 0 } = matches[0] ?? {}
    const close = matches.filter(match => match.score >= score - 0.1 && match.rank >= rank - 0.15)
    const row = close.map(match => match.rows[0]).sort(byTime)[0]
    return { item, row, at: row ? firstWordStart(named, row.text) : 0 }
  })
}

// Two items in one line are ordered by their words.
export function byFirstTime(a: Placed, b: Placed): number {
  return a.row && b.row ? byTime(a.row, b.row) || a.at - b.at : 0
}

function firstWordStart(topic: Topic, text: string): number {
  const words = tokens(text)
  const places = topic.terms.map(term => findWord(term, words).at).filter(at => at >= 0)
  return words[Math.min(...places)]?.start ?? 0
}

function listing(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const tracks = asked.tracks.length > 0 ? asked.tracks : ['text' as const]
  const rows = brief.evidence.filter(row => tracks.includes(row.track))
  const groups = tracks.includes('text')
    ? slidesIn(rows.filter(row => row.track === 'text'))
    : distinctRows(rows).map(one => one.rows)
  if (groups.length === 0) return answerAbsent(asked, brief, 'what should be ordered')
  const firstGroups = groups.slice(0, 12)
  const text = `In this order: ${firstGroups.map(([row]) => `"${shortLine(row.text, 60)}"`).join(', ')}`
  return { sentences: [{ text, cites: firstGroups.map(([row]) => row.id) }], confidence: 0.65 }
}
