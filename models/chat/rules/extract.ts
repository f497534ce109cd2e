import { alike } from '../../../src/core/alike.ts'
import { isStopWord, type Token, tokens } from '../../../src/core/words.ts'
import { held } from './match.ts'
import { areSynonyms } from './synonyms.ts'
import type { Topic } from './topic.ts'
import type { Wants } from './wants.ts'

// The short answer within a line, where the question's sort of answer can be picked out; undefined where it cannot.
export function directAnswer(question: string, wants: Wants, topic: Topic, line: string): string | undefined {
  if (wants === 'title') return line.split('\n')[0].trim() || undefined
  const one = bestLine(topic, line)
  const text = line.replace(/\s*\n\s*/g, ', ')
  const found =
    (one && pick(question, wants, topic, one, tokens(one))) ?? pick(question, wants, topic, text, tokens(text))
  const clean = found?.replace(/^[\s,.:;-]+|[\s,.:;!?-]+$/g, '').trim()
  return clean && clean.length <= 80 ? clean : undefined
}

// Of a slide with several lines, the one that the question is about: "Visitors: 120" and not the budget above it.
function bestLine(topic: Topic, text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const quoted = tokens(topic.quoted.join(' ')).map(token => token.stem)
  const own = { ...topic, quoted: [], terms: topic.terms.filter(term => !quoted.includes(term.stem)) }
  const scored = lines.map(line => ({ line, score: held(own, line) })).sort((a, b) => b.score - a.score)
  return scored[0].score > 0 && scored[0].score > scored[1].score ? scored[0].line : undefined
}

function pick(question: string, wants: Wants, topic: Topic, text: string, line: Token[]): string | undefined {
  const at = line
    .map((token, i) => ({ i, hit: isTerm(token, topic) }))
    .filter(one => one.hit)
    .map(one => one.i)
  switch (wants) {
    case 'number':
      return numberNear(question, topic, text, line, at)
    case 'colour':
      return colour.exec(text)?.[0]
    case 'reason':
      return /\b(?:because(?: of)?|due to|so that|in order to|since)\s+([^.!?;]{3,90})/i.exec(text)?.[0]
    case 'date':
      return dateIn(topic, text)
    case 'person':
      return personIn(question, text, line, at)
    case 'place':
      return placeIn(question, text, line, at)
    case 'value':
      return valueIn(text, line, at)
    default:
      return undefined
  }
}

function isTerm(token: Token, topic: Topic): boolean {
  return topic.terms.some(term => alike(term, token) >= 0.6 || areSynonyms(term.stem, token.stem))
}

const measures = new Set(
  tokens(
    'percent dollars euros pounds cents meters metres kilometers kilometres km miles feet inches grams kilograms kg tons liters litres degrees years months weeks days hours minutes seconds people times',
  ).map(token => token.stem),
)

// The number that stands nearest to the words of the question, with its unit.
function numberNear(question: string, topic: Topic, text: string, line: Token[], at: number[]): string | undefined {
  const unit = /\bhow many ([\w-]+(?: [\w-]+)?)/i.exec(question)?.[1]
  const unitStems = unit ? tokens(unit).map(token => token.stem) : []
  const asked = new Set(topic.terms.map(term => term.text))
  const numbers = line
    .map((token, i) => ({ token, i }))
    .filter(({ token }) => /^\d/.test(token.text) && !asked.has(token.text))
  const scored = numbers.map(({ token, i }) => {
    const near = Math.min(...at.map(place => Math.abs(place - i)), 20)
    const before = line.slice(i + 1, i + 4).some(next => unitStems.includes(next.stem))
    return { token, i, score: (before ? 10 : 0) - near - (at.some(place => place < i) ? 0 : 0.5) }
  })
  const best = scored.sort((a, b) => b.score - a.score)[0]
  if (!best) return undefined
  const next = line[best.i + 1]
  const value = wholeNumber(text, best.token)
  const money = /[$€£]\s?$/.exec(text.slice(0, best.token.start))?.[0].trim() ?? ''
  if (money) return `${money}${value}`
  return next && measures.has(next.stem) ? `${value} ${next.text}` : value
}

// With what belongs to it in print: "9:30", "555-0199", "3.5".
function wholeNumber(text: string, token: Token): string {
  const printed = [...text.matchAll(/\d[\d.,:/-]*\d|\d/g)].find(
    match => match.index <= token.start && match.index + match[0].length >= token.end,
  )
  return printed && /[:.-]/.test(printed[0]) ? printed[0] : token.text
}

const colour =
  /\b(?:(?:dark|light|bright|pale) )?(red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ea]y|gold|silver|turquoise|beige|cyan|magenta)\b/i
const months = 'january|february|march|april|may|june|july|august|september|october|november|december'
const numberWord =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|oh|hundred)'
const dates = [
  new RegExp(
    String.raw`\b(?:(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|${numberWord}(?:[ -]${numberWord})*)(?: of)? )?(?:${months})\b(?: (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?\b(?!\d)|${numberWord}(?:[ -]${numberWord})*))?(?:,? \d{4})?`,
    'i',
  ),
  /\b(?:on |every |next |last )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?: (?:morning|afternoon|evening|night))?(?: at (?:\d[\d:.]*|noon|[a-z]+(?: thirty| fifteen| o'?clock)?)(?: ?[ap]\.?m\.?)?)?/i,
  new RegExp(
    String.raw`\b(?:at )?\d{1,2}(?:[:.]\d{2})? ?(?:[ap]\.?m\b\.?|o'?clock|hours)|\b\d{1,2}:\d{2}\b|\bat (?:(?:half|quarter) (?:past|to) )?${numberWord}(?:[ -](?:${numberWord}|o'?clock))*(?: (?:in the (?:morning|afternoon|evening)|[ap]\.? ?m\.?))?|\b(?:at )?(?:noon|midnight)\b`,
    'i',
  ),
  /\b(?:in (?:the year )?)?(?:1[0-9]|20)\d{2}\b/,
  /\b(?:tomorrow|today|yesterday|tonight|next (?:week|month|year)|last (?:week|month|year)|in (?:spring|summer|autumn|winter))\b/i,
]

function dateIn(topic: Topic, text: string): string | undefined {
  const fresh = dates.map(pattern => pattern.exec(text)?.[0]).filter(found => found !== undefined)
  const unasked = fresh.find(found => !topic.terms.some(term => found.toLowerCase().split(/\s+/).includes(term.text)))
  if (unasked) return unasked
  const number = tokens(text).find(
    token => /^\d/.test(token.text) && !topic.terms.some(term => term.text === token.text),
  )
  return number ? text.slice(number.start, number.end) : undefined
}

function personIn(question: string, text: string, line: Token[], at: number[]): string | undefined {
  const asked = new Set(tokens(question).map(token => token.stem))
  // "Who is Eliza Grant?" has the name and wants what goes with it.
  if (/^who (is|was|are|were) (?:(?:the )?\p{Lu}|(?:dr|mr|mrs|ms|prof)\b)/u.test(question.replace(/^W/, 'w')))
    return described(text, line, at)
  const names = [
    ...text.matchAll(
      /(?:\b(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Captain|Sir|Lady)\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+(?:de|van|von|da|del|la|\p{Lu}\.?)?\s*\p{Lu}[\p{L}'’-]+)*/gu,
    ),
  ]
    .map(match => ({ name: match[0], start: match.index }))
    .filter(
      ({ name, start }) =>
        !tokens(name).some(token => asked.has(token.stem)) &&
        (start > 0 || name.includes(' ')) &&
        text !== text.toUpperCase(),
    )
  const last = at.length > 0 ? line[at[at.length - 1]] : undefined
  const by =
    /\b(?:by|is|was|am|called|named|i'?m|name is)\s+((?:(?:the|doctor|professor|mister|miss|captain)\s+)?[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)/iu.exec(
      last ? text.slice(line[at[0]].start) : text,
    )
  const near = names.sort((a, b) => distance(a.start, last) - distance(b.start, last))[0]?.name
  if (near) return near
  if (by && !isStopWord(by[1].toLowerCase())) return by[1]
  // "maria visited the museum": whoever stands before what was done.
  const subject = line.slice(0, at[0] ?? 0).filter(token => !isStopWord(token.text))
  return subject.length > 0 && subject.length <= 3
    ? text.slice(subject[0].start, subject[subject.length - 1].end)
    : undefined
}

function described(text: string, line: Token[], at: number[]): string | undefined {
  if (at.length === 0) return undefined
  const after = text.slice(line[at[at.length - 1]].end)
  return /^,\s*([^,.;]{3,60})/.exec(after)?.[1] ?? valueIn(text, line, at)
}

function placeIn(question: string, text: string, line: Token[], at: number[]): string | undefined {
  const wanted = /\b(from|to|into|toward|at)\b\s*\??$/i.exec(question.trim())?.[1] ?? ''
  const start = at.length > 0 ? line[at[0]].start : 0
  const places = [
    ...text.matchAll(
      /\b(from|in|at|on|near|to|inside|behind|under|into|between|beside|outside|next to|opposite|across)\s+((?:the |a |an )?[\p{L}\p{N}'’-]+(?:\s+(?!and\b|but\b|on\b|at\b|in\b|is\b|was\b|who\b|which\b|from\b|to\b|because\b|every\b|for\b|with\b)[\p{L}\p{N}'’-]+){0,3})/giu,
    ),
  ]
  const scored = places.map(match => ({
    text: match[0],
    score:
      (match[1].toLowerCase() === wanted.toLowerCase() ? 3 : 0) +
      (match.index >= start ? 1 : 0) +
      (/\p{Lu}/u.test(match[2]) ? 0.5 : 0) -
      (/^(to|from)$/i.test(match[1]) && !wanted ? 0.5 : 0) -
      match.index / 1e4,
  }))
  return scored.sort((a, b) => b.score - a.score)[0]?.text
}

// "The password is blue falcon": what stands on the other side of "is", or after a colon.
function valueIn(text: string, line: Token[], at: number[]): string | undefined {
  if (at.length === 0) return undefined
  const last = line[at[at.length - 1]]
  const first = line[at[0]]
  const after = text.slice(last.end)
  const stated =
    /^[^.!?;]{0,30}?(?:\b(?:is|was|are|were|will be|would be|called|named|equals|means|costs?|reads?|says?)\b|[:=]|\s[-–]\s)\s*(?:called |named )?([^.!?;\n]{1,80})/i.exec(
      after,
    )
  if (stated) return boundary(stated[1])
  const before =
    /([^.!?;,\n]{1,60}?)\s+\b(?:is|was|are|were|will be)\b\s+(?:the |our |my |his |her |its |their |a )?$/i.exec(
      text.slice(0, first.start),
    )
  return before ? before[1].trim().replace(/^(?:and|so|but|well|now)\s+/i, '') : undefined
}

function boundary(value: string): string {
  const cut = value.split(
    /,|\s+(?:and (?:then|i|we|he|she|it|they|my|you|this|the|there)|but|because|which|that is|so|who)\s+/i,
  )[0]
  return cut.split(/\s+/).slice(0, 9).join(' ')
}

function distance(start: number, token: Token | undefined): number {
  return token ? Math.abs(start - token.start) : start
}
