import { byTime, type Evidence, type Track } from '../../../src/core/evidence.ts'
import { nameOfSpeaker } from '../../../src/core/speakers.ts'
import { mergeSpans, overlap, type Span } from '../../../src/core/time.ts'
import type { RowGroup } from '../../../src/text/occurrences.ts'
import type { Term, Topic } from '../../../src/text/question/topic.ts'
import type { Wants } from '../../../src/text/question/wants.ts'
import { namedSounds } from '../../../src/text/sounds.ts'
import { findPhrase, findWord } from '../../../src/text/word-similarity.ts'
import { isStopWord, type Token, tokens } from '../../../src/text/words.ts'
import { answerPatterns } from './extract/patterns.ts'
import { prepareLine, valueIn } from './line.ts'
import { slidesIn, type TextForm, textForm } from './slides.ts'
import { areSynonyms } from './synonyms.ts'

// A row, or several that belong together, and how well they match a topic: 1 holds all of its words.
export interface Match {
  rows: RowGroup
  text: string
  score: number // share of the topic that it holds
  rank: number // the score with bonuses
}

interface MatchQuery {
  topic: Topic
  earlier?: Topic
  prior?: readonly string[] // rows that the turn before rested on
  tracks?: Track[]
  wants?: Wants
  span?: Span
  form?: TextForm // of a text on screen
}

const apart = 3 // seconds between two lines that still belong together

// Ranks rows by how well they match.
export function rankRows(wish: MatchQuery, rows: readonly Evidence[]): Match[] {
  const usable = rows.filter(isInformative)
  const within = wish.span
    ? usable.filter(row => overlap(row.span, wish.span!) > 0 || inside(row.span, wish.span!))
    : usable
  const singles = within.map(row => scoreMatch([row], wish))
  const alone = new Map(singles.map(match => [match.rows[0].id, match.score]))
  const gains = neighbours(within)
    .map(group => group.filter(row => (alone.get(row.id) ?? 0) > 0.1))
    .flatMap(([first, ...others]) => (first && others.length > 0 ? [scoreMatch([first, ...others], wish)] : []))
    .filter(match => match.rows.every(row => match.score >= (alone.get(row.id) ?? 0) + 0.12))
  return [...singles, ...gains]
    .filter(match => match.score > 0)
    .sort((a, b) => b.rank - a.rank || byTime(a.rows[0], b.rows[0]))
}

// Whether a row has informative words. A kept frame has only its time.
export function isInformative(row: Evidence): boolean {
  if (row.track === 'summary' || row.track === 'claim' || row.track === 'shot') return false
  return row.text.trim() !== '' && !(row.track === 'picture' && /^picture at [\d:]+$/.test(row.text))
}

export function scoreMatch(rows: RowGroup, wish: MatchQuery): Match {
  const [{ track, text: firstText, confidence = 0.7 }] = rows
  const text = rows.map(row => row.text).join('\n')
  const score = topicShare(wish.topic, withSpeakers(rows), track)
  let rank = score
  if (wish.earlier && wish.earlier.terms.length > 0) rank += 0.3 * topicShare(wish.earlier, text, track)
  if (wish.form && track === 'text') rank += textForm(firstText) === wish.form ? 0.12 : -0.05
  if (rows.some(row => wish.prior?.includes(row.id))) rank += 0.25
  if (wish.tracks && wish.tracks.length > 0) rank += wish.tracks.includes(track) ? 0.12 : -0.12
  if (wish.wants && score > 0) rank += kindBonus(wish.wants, text, wish.topic)
  rank += (confidence - 0.7) * 0.05 - (rows.length - 1) * 0.03
  return { rows, text, score, rank }
}

// The speaker's name counts as text: "when does Anna say goodbye".
export function withSpeakers(rows: readonly Evidence[]): string {
  return rows.map(row => (row.track === 'speech' ? withName(row) : row.text)).join('\n')
}

function withName({ speaker, text }: Evidence): string {
  const name = speaker && nameOfSpeaker(speaker)
  return name ? `${name}: ${text}` : text
}

// The share of the topic's weight that a text holds.
export function topicShare(topic: Topic, text: string, track?: Track): number {
  if (topic.terms.length === 0) return 0
  const line = tokens(text)
  const sounds = track === 'sound' ? namedSounds(text) : []
  let reached = 0
  let whole = 0
  for (const term of topic.terms) {
    const share = termIn(term, line, sounds)
    // A sound row has only its name: "siren" may be the fire alarm in question.
    const weight = sounds.length > 0 && share === 0 ? term.weight * 0.5 : term.weight
    whole += weight
    reached += weight * share
  }
  const share = reached / whole
  const phrase = topic.quoted.some(quote => findPhrase(tokens(quote), line).length > 0)
  return phrase ? Math.max(share, 0.5 + 0.5 * share) : share
}

function termIn(term: Term, line: readonly Token[], sounds: readonly string[]): number {
  const { score } = findWord(term, line)
  if (score >= 0.6) return score
  if (sounds.length > 0 && namedSounds(term.text).some(name => sounds.includes(name))) return 0.75
  return line.some(token => areSynonyms(term.stem, token.stem)) ? 0.7 : 0
}

// Bonus for a line that holds the kind of answer that is wanted.
export function kindBonus(wants: Wants, text: string, topic: Topic): number {
  if (wants === 'number') {
    const questionWords = new Set(topic.terms.map(term => term.text))
    return tokens(text).some(token => /^\d/.test(token.text) && !questionWords.has(token.text)) ? 0.15 : -0.1
  }
  if (wants === 'contact') return answerPatterns.contact.test(text) ? 0.3 : -0.05
  if (wants === 'rhythm') return answerPatterns.rhythm.test(text) ? 0.15 : -0.05
  if (wants === 'value') return informs(text, topic)
  const pattern = patterns[wants]
  return pattern ? (pattern.test(text) ? 0.1 : -0.02) : 0
}

// A heading that only repeats the question's words, or another question, is not an answer.
function informs(text: string, topic: Topic): number {
  if (/\?\s*$/.test(text)) return -0.15
  const line = prepareLine(text.replace(/(?<!\s)\s*\n\s*/g, ', '), topic)
  const more = line.words.filter((word, i) => !line.at.includes(i) && !isStopWord(word.text))
  return more.length === 0 ? -0.15 : valueIn(line) ? 0.1 : 0
}

const patterns: Partial<Record<Wants, RegExp>> = {
  date: /\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight|morning|evening|afternoon|o'?clock|tomorrow|today|yesterday|tonight)\b|\d/i,
  reason: /\b(because|since|due to|so that|in order to|reason|caused?)\b/i,
  colour: answerPatterns.colour,
  place: /\b(in|at|from|on|near|to|inside|behind|under|between|of)\b/i,
}

// Consecutive lines of speech, and texts that are on screen together.
function neighbours(rows: readonly Evidence[]): RowGroup[] {
  const pairs: RowGroup[] = []
  const speech = rows.filter(row => row.track === 'speech').sort(byTime)
  for (const [i, row] of speech.entries()) {
    const next = speech[i + 1]
    if (next && next.span.start - row.span.end <= apart) pairs.push([row, next])
  }
  const text = rows.filter(row => row.track === 'text').sort(byTime)
  for (const [i, row] of text.entries()) {
    for (const other of text.slice(i + 1, i + 8)) if (other.span.start < row.span.end) pairs.push([row, other])
  }
  return [...pairs, ...slidesIn(text).filter(slide => slide.length > 2)]
}

function inside(span: Span, whole: Span): boolean {
  return span.start >= whole.start && span.start <= whole.end
}

export function spanOfRows(rows: readonly Evidence[]): Span {
  const merged = mergeSpans(
    rows.map(row => row.span),
    Number.POSITIVE_INFINITY,
  )
  return merged[0] ?? { start: 0, end: 0 }
}
