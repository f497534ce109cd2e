import type { Topic } from '../../../src/text/question/topic.ts'
import type { Wants } from '../../../src/text/question/wants.ts'
import { isStopWord, type Token, tokens } from '../../../src/text/words.ts'
import { dateIn, isDate } from './extract/date.ts'
import { numberIn } from './extract/number.ts'
import { answerPatterns, findAnswer, type PatternKind, phraseIn } from './extract/patterns.ts'
import { prepareLine, type TopicLine, valueIn } from './line.ts'
import { topicShare } from './match.ts'
import { firstLine } from './slides.ts'

// Extracts the short answer from a line, by the kind of answer that the question wants; undefined if there is none.
export function directAnswer(
  question: string,
  wants: Wants,
  topic: Topic,
  said: string,
  speaker?: string,
): string | undefined {
  if (wants === 'title') return firstLine(said) || undefined
  const topicLine = bestLine(topic, said)
  const whole = said.replace(/(?<!\s)\s*\n\s*/g, ', ')
  const read = (text: string) =>
    wants in answerPatterns
      ? findAnswer(wants as PatternKind, text)
      : readers[wants]?.(question, prepareLine(text, topic, speaker), topic)
  const value = (topicLine && read(topicLine)) ?? read(whole)
  const clean = value?.replace(/^[\s,.:;-]+|(?<![\s,.:;!?-])[\s,.:;!?-]+$/g, '').trim()
  return clean && clean.length <= 80 ? clean : undefined
}

const readers: Partial<Record<Wants, (question: string, line: TopicLine, topic: Topic) => string | undefined>> = {
  number: (question, line, topic) =>
    numberIn(question, topic, line) ?? (/\bhow\b/i.test(question) ? undefined : valueIn(line)),
  date: (_, { text }, topic) => dateIn(topic, text),
  person: personIn,
  place: placeIn,
  value: (_, line) => valueIn(line),
  phrase: (question, { text }) => phraseIn(question, text),
}

// The line of a slide that the question is about: "Visitors: 120" and not the budget above it.
function bestLine(topic: Topic, text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const quoted = tokens(topic.quoted.join(' ')).map(token => token.stem)
  const unquotedTopic = { ...topic, quoted: [], terms: topic.terms.filter(term => !quoted.includes(term.stem)) }
  const scored = lines.map(line => ({ line, score: topicShare(unquotedTopic, line) })).sort((a, b) => b.score - a.score)
  const [best, second] = scored
  return best && second && best.score > 0 && best.score > second.score ? best.line : undefined
}

const prepositions = 'from|in|at|on|near|to|inside|behind|under|into|between|beside|outside|next to|opposite|across'
const ends = 'and|but|on|at|in|is|was|who|which|from|to|because|every|for|with|by|when|where|of course'

// Where: "in the main hall", "from Chicago"; for "which city", the name after "city of".
function placeIn(question: string, { text, first }: TopicLine): string | undefined {
  const noun =
    /\b(?:what|which) (city|country|town|village|state|street|river|island|mountain|building|room|station|hotel|region|continent)\b/i.exec(
      question,
    )?.[1]
  if (noun) {
    const named = new RegExp(
      String.raw`\b${noun} (?:of|called|named)\s+([\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*)`,
      'iu',
    ).exec(text)
    if (named) return named[1]
  }
  const askedPreposition = /\b(from|to|into|toward|at)\b\s*\??$/i.exec(question.trim())?.[1]?.toLowerCase() ?? ''
  const start = first?.start ?? 0
  const pattern = new RegExp(
    String.raw`\b(${prepositions})\s+((?:the |a |an )?[\p{L}\p{N}'’-]+(?:\s+(?!(?:${ends})\b)[\p{L}\p{N}'’-]+){0,3})`,
    'giu',
  )
  const places = [...text.matchAll(pattern)]
    .map(({ 0: whole, 1: preposition = '', 2: name = '', index }) => ({ whole, preposition, name, index }))
    .filter(({ whole, name }) => !isDate(whole) && !isStopWord(name.toLowerCase()))
    .filter(({ name }) => !noun || /\p{Lu}/u.test(name) || !/\p{Lu}/u.test(text.slice(1)))
    .map(({ whole, preposition, name, index }) => {
      const to = /^(to|from)$/i.test(preposition)
      const score =
        (preposition.toLowerCase() === askedPreposition ? 3 : 0) +
        (index >= start ? 1 : 0) +
        (/\p{Lu}/u.test(name) ? 0.5 : 0) -
        (to && !askedPreposition && !/\b(send|go|travel|move|fly|drive|sail|ship)\b/i.test(question) ? 0.5 : 0) -
        index / 1e4
      return { text: whole, score }
    })
  return places.sort((a, b) => b.score - a.score)[0]?.text
}

const titles = 'Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Captain|Sir|Lady|President|Judge|Chef|Coach'

// Who: the speaker of "I", the agent after "by", a name near the question's words, or the subject before the verb.
function personIn(question: string, line: TopicLine): string | undefined {
  const { text, first, last, speaker } = line
  if (
    /^who\b.*\b(says?|said|talks?|speaks?|tells?|told|mentions?|mentioned|explains?|asks?|asked|announces?)\b/i.test(
      question,
    )
  )
    return speaker
  if (
    /^who(?:'s| is| was| are| were) (?:(?:the |a )?\p{Lu}|(?:dr|mr|mrs|ms|prof)\b)/iu.test(question) &&
    /^who\S*(?: \w+)? (?:the |a )?(?:\p{Lu}|dr\b|mr|ms\b|prof)/u.test(question.replace(/^W/, 'w'))
  )
    return described(line)
  if (speaker && first && /\b(?:i|i'm|my|we|our)\b[^.!?]{0,20}$/i.test(text.slice(0, first.start))) return speaker
  const by =
    first &&
    /\b[Bb]y\s+((?:(?:the|doctor|professor|mister|miss|captain|king|queen)\s+)?[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*)/u.exec(
      text.slice(first.start),
    )
  if (by?.[1] && !isStopWord(by[1].toLowerCase())) return by[1]
  const names = namesIn(question, text)
  const near = names.sort((a, b) => distance(a.start, last) - distance(b.start, last))[0]?.name
  if (near) return near
  const value = /\bwho(?:'s| is| was| are| were) the\b|\bname\b/i.test(question) ? valueIn(line) : undefined
  return value ?? findSubject(line)
}

// Runs of capitalised words that are not in the question and do not follow "in" or "from", as places do.
function namesIn(question: string, text: string): { name: string; start: number }[] {
  if (text === text.toUpperCase()) return []
  const questionStems = new Set(tokens(question).map(token => token.stem))
  const pattern = new RegExp(
    String.raw`(?:\b(?:${titles})\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+(?:de |van |von |da |del |la |\p{Lu}\.? )?\p{Lu}[\p{L}'’-]+)*`,
    'gu',
  )
  return [...text.matchAll(pattern)].flatMap(match => {
    const isPlaceName = /\b(?:in|at|from|near|to|on)\s+(?:the\s+)?$/i.test(text.slice(0, match.index))
    const nameWords = match[0].split(/\s+/).filter(word => !questionStems.has(tokens(word)[0]?.stem ?? ''))
    const name = nameWords.join(' ')
    const sentenceStart = match.index === 0 && !nameWords.some((_, i) => i > 0)
    return name === '' ||
      isPlaceName ||
      isDate(name) ||
      isStopWord(name.toLowerCase()) ||
      (sentenceStart && words(text) > 3 && isCommon(name))
      ? []
      : [{ name, start: match.index }]
  })
}

// "Marine biologist" of "Dr. Eliza Grant, marine biologist".
function described(line: TopicLine): string | undefined {
  if (!line.last) return undefined
  const after = line.text.slice(line.last.end)
  return /^,\s*([^,.;]{3,60})/.exec(after)?.[1] ?? valueIn(line)
}

// "maria visited the museum": the words before the verb.
function findSubject({ text, words, at }: TopicLine): string | undefined {
  const before = words.slice(0, at[0] ?? 0)
  const from = before.findIndex(word => !isStopWord(word.text))
  const names = from < 0 ? [] : before.slice(from)
  const [first, last = first] = [names[0], names.at(-1)]
  if (!first || !last || names.length > 3 || names.some(word => isStopWord(word.text))) return undefined
  return text.slice(first.start, last.end)
}

// The first word of a sentence is capitalised whatever it is.
function isCommon(name: string): boolean {
  return /(ing|ed|ly|s)$/i.test(name) || isStopWord(name.toLowerCase())
}

function words(text: string): number {
  return text.split(/\s+/).length
}

function distance(start: number, token: Token | undefined): number {
  return token ? Math.abs(start - token.start) : start
}
