import { alike } from '../../../src/core/alike.ts'
import type { Draft, WriteBrief } from '../../../src/core/brief.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import { parseTime, type Span, touches } from '../../../src/core/time.ts'
import { tokens } from '../../../src/core/words.ts'
import { timesOf, unitsOf } from './answers/count.ts'
import { place } from './answers/order.ts'
import { momentsOf } from './answers/when.ts'
import { splitItems } from './items.ts'
import { held, isTelling } from './match.ts'
import type { Asked } from './question.ts'
import { capital, quoted } from './sentence.ts'
import { noTopic, type Topic, topicOf } from './topic.ts'

// How well each option fits, 0..1, and the rows that say so.
interface Scored {
  score: number
  rows: Evidence[]
}

// Chooses an option by evidence. One is always chosen; where little speaks for it the confidence says so.
export function choose(asked: Asked, given: readonly string[], brief: WriteBrief, draft: Draft): Draft {
  const options = given.map(bare)
  const scored =
    byCount(asked, options, brief) ??
    byTimeOf(asked, options, brief) ??
    bySequence(asked, options, brief) ??
    byFirst(asked, options, brief) ??
    byYesNo(options, draft) ??
    byEvidence(asked, options, brief, draft)
  const order = scored
    .map((one, i) => ({ ...one, i }))
    .sort((a, b) => (asked.excluded ? a.score - b.score : b.score - a.score) || a.i - b.i)
  const [best, second] = order
  const margin = Math.abs(best.score - (second?.score ?? 0))
  const strength = asked.excluded ? 1 - best.score : best.score
  const chance = 1 / options.length
  const confidence = chance + (0.95 - chance) * strength * Math.min(1, 0.4 + margin * 2)
  const rows = best.rows.slice(0, 2)
  const sentences = asked.excluded
    ? order
        .slice(1)
        .flatMap(one =>
          one.rows.slice(0, 1).map(row => ({ text: `"${options[one.i]}" is there — ${quoted(row)}`, cites: [row.id] })),
        )
    : rows.map(row => ({ text: capital(quoted(row)), cites: [row.id] }))
  const kept = sentences.length > 0 ? sentences : draft.sentences
  return {
    sentences: kept,
    choice: best.i,
    confidence: best.rows.length > 0 || asked.excluded ? confidence : Math.min(confidence, 1 / options.length),
    abstained: false,
  }
}

// The telling words of each option: what all of them share tells nothing.
export function optionTopics(given: readonly string[]): Topic[] {
  const options = given.map(bare)
  const all = options.map(option => new Set(tokens(option).map(token => token.stem)))
  const shared = options.length > 1 ? [...all[0]].filter(stem => all.every(set => set.has(stem))) : []
  return options.map(option => {
    const topic = topicOf(option)
    const terms = topic.terms.filter(term => !shared.includes(term.stem))
    if (terms.length > 0) return { ...topic, terms, words: terms.map(term => term.text).join(' ') }
    const plain = tokens(option)
      .filter(token => !shared.includes(token.stem))
      .map(token => ({ ...token, weight: 1 }))
    return plain.length > 0 ? { words: plain.map(term => term.text).join(' '), terms: plain, quoted: [] } : noTopic
  })
}

function bare(option: string): string {
  return option.replace(/^\s*\(?(?:[A-Ja-j]|\d)[).:]\s+/, '').trim()
}

function byCount(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  if (asked.kind !== 'count' && asked.kind !== 'count-units') return undefined
  const numbers = options
    .map(option => tokens(option).find(token => /^\d+$/.test(token.text)))
    .map(token => token && Number(token.text))
  if (numbers.some(number => number === undefined)) return undefined
  const times = asked.kind === 'count' ? timesOf(asked, brief) : unitsOf(asked, brief.evidence)
  if (times.length === 0) return undefined
  const rows = times.map(one => one.rows[0])
  return numbers.map(number => ({ score: 1 / (1 + Math.abs(number! - times.length)), rows }))
}

function byTimeOf(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const spans = options.map(timeIn)
  if (spans.some(span => span === undefined)) return undefined
  const rows = momentsOf(asked, brief)
  if (rows.length === 0) return undefined
  return spans.map(span => {
    const near = rows.map(row => ({ row, gap: gapBetween(row.span, span!) })).sort((a, b) => a.gap - b.gap)[0]
    return { score: 1 / (1 + near.gap / 5), rows: [near.row] }
  })
}

function timeIn(option: string): Span | undefined {
  const times = option.match(/\d{1,3}:\d{2}(?::\d{2})?/g) ?? option.match(/\d+(?:\.\d+)?(?=\s*(?:s\b|sec|seconds?))/g)
  const seconds = times?.map(time => parseTime(time)).filter(time => time !== undefined)
  if (!seconds || seconds.length === 0) return undefined
  return { start: seconds[0], end: seconds[1] ?? seconds[0] }
}

function gapBetween(a: Span, b: Span): number {
  if (b.start === b.end)
    return b.start >= a.start && b.start <= a.end ? 0 : Math.min(Math.abs(a.start - b.start), Math.abs(a.end - b.start))
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared > 0 ? Math.abs(a.start - b.start) * 0.1 : -shared
}

// "A -> B -> C": the option whose things come in the order they are named.
function bySequence(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const sequences = options.map(splitItems)
  const named = asked.kind === 'order' || /\border\b|\bsequence\b/i.test(asked.text)
  if (!named || sequences.some(items => items.length < 2)) return undefined
  const scored = sequences.map(items => {
    const placed = place(items, asked, brief.evidence)
    let right = 0
    let pairs = 0
    for (let i = 0; i < placed.length; i++)
      for (let j = i + 1; j < placed.length; j++) {
        const [a, b] = [placed[i].row, placed[j].row]
        pairs++
        if (a && b) right += a.span.start < b.span.start ? 1 : a.span.start === b.span.start ? 0.5 : 0
      }
    return { score: pairs === 0 ? 0 : right / pairs, rows: placed.flatMap(one => (one.row ? [one.row] : [])) }
  })
  return scored.some(one => one.rows.length > 1) ? scored : undefined
}

// "Which comes first?" with one thing an option.
function byFirst(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const match = /\b(first|earliest|last|latest)\b/i.exec(asked.text)
  if (!match || asked.nth === undefined || !/\b(which|what|who)\b.*\b(first|earliest|last|latest)\b/i.test(asked.text))
    return undefined
  if (asked.anchor || asked.unit === 'slide' || asked.topic.terms.length > 3) return undefined
  const placed = place(options, asked, brief.evidence)
  const found = placed.filter(one => one.row !== undefined)
  if (found.length < 2) return undefined
  const sorted = [...found].sort((a, b) => a.row!.span.start - b.row!.span.start)
  if (/last|latest/i.test(match[1])) sorted.reverse()
  return placed.map(one => ({
    score: one.row ? 1 - sorted.indexOf(one) / sorted.length : 0,
    rows: one.row ? [one.row] : [],
  }))
}

function byYesNo(options: readonly string[], draft: Draft): Scored[] | undefined {
  if (
    options.length > 3 ||
    !options.some(option => /^yes\b/i.test(option)) ||
    !options.some(option => /^no\b/i.test(option))
  )
    return undefined
  const says = draft.abstained || /^No\b/.test(draft.sentences[0]?.text ?? '') ? /^no\b/i : /^yes\b/i
  return options.map(option => ({ score: says.test(option) ? (draft.confidence ?? 0.5) : 0, rows: [] }))
}

// In general: an option is as good as the best moment that holds its words near the words of the question, and as the answer
// that was found without the options.
function byEvidence(asked: Asked, options: readonly string[], brief: WriteBrief, draft: Draft): Scored[] {
  const topics = optionTopics(options)
  const rows = brief.evidence.filter(isTelling)
  const cited = new Set(draft.abstained ? [] : draft.sentences.flatMap(sentence => sentence.cites))
  const answered = draft.abstained ? '' : (draft.sentences[0]?.text ?? '')
  const nearQuestion = new Map(rows.map(row => [row.id, questionNear(asked, row, rows)]))
  const scored = topics.map((topic): Scored => {
    let best: { score: number; row?: Evidence } = { score: 0 }
    for (const row of rows) {
      const share = held(topic, row.text, row.track)
      if (share < 0.3) continue
      const near = nearQuestion.get(row.id) ?? 0
      const there = !asked.span || touches(row.span, asked.span) ? 1 : 0.5
      const onTrack = asked.tracks.length === 0 || asked.tracks.includes(row.track) ? 1 : 0.75
      const beside = closeness(topic, asked.topic, row.text) * denial(asked, topic, row.text)
      const score = share * (0.15 + 0.65 * near + (cited.has(row.id) ? 0.2 : 0)) * onTrack * there * beside
      if (score > best.score) best = { score, row }
    }
    const direct = answered ? 0.25 * held(topic, answered) : 0
    return { score: Math.min(1, best.score + direct), rows: best.row ? [best.row] : [] }
  })
  return withAllOrNone(options, scored)
}

// Of two options in one line the one counts that stands nearer to what is asked: "basalt is heavy, pumice floats".
function closeness(option: Topic, question: Topic, text: string): number {
  const words = tokens(text)
  const places = (topic: Topic) =>
    words.flatMap((word, i) => (topic.terms.some(term => alike(term, word) >= 0.6) ? [i] : []))
  const [a, b] = [places(option), places(question)]
  if (a.length === 0 || b.length === 0) return 0.9
  const gap = Math.min(...a.flatMap(i => b.filter(j => j !== i).map(j => Math.abs(i - j))), 20)
  return 0.8 + 0.2 * Math.exp(-gap / 6)
}

// "What should one not bring?" is answered by what "no" or "not" stands before.
function denial(asked: Asked, option: Topic, text: string): number {
  if (!/\b(not|never)\b|n't\b/i.test(asked.text)) return 1
  const words = tokens(text)
  const at = words.findIndex(word => option.terms.some(term => alike(term, word) >= 0.6))
  const before = words
    .slice(Math.max(0, at - 4), Math.max(0, at))
    .some(word => /^(no|not|never|without|except|dont|cannot|cant|nor)$/.test(word.text))
  return before ? 1 : 0.5
}

// The share of the question that a row and what lies within some seconds of it hold.
function questionNear(asked: Asked, row: Evidence, rows: readonly Evidence[]): number {
  if (asked.topic.terms.length === 0) return 0.5
  const own = held(asked.topic, row.text, row.track)
  if (own >= 0.8) return own
  const around = rows.filter(other => other.span.start < row.span.end + 5 && other.span.end > row.span.start - 5)
  const text = around.map(other => other.text).join('\n')
  return Math.max(own, 0.75 * held(asked.topic, text))
}

function withAllOrNone(options: readonly string[], scored: Scored[]): Scored[] {
  const others = scored.filter(
    (_, i) => !/\b(all|none|neither|both) of (the above|these|them)\b|^(all|none|both|neither)$/i.test(options[i]),
  )
  if (others.length === scored.length) return scored
  const lowest = Math.min(...others.map(one => one.score))
  const highest = Math.max(...others.map(one => one.score))
  return scored.map((one, i) => {
    if (/^(all|both)\b/i.test(options[i]))
      return { score: lowest >= 0.5 ? highest + 0.01 : 0, rows: others.flatMap(other => other.rows.slice(0, 1)) }
    if (/^(none|neither)\b/i.test(options[i])) return { score: highest < 0.25 ? 0.3 : 0, rows: [] }
    return one
  })
}
