import type { Evidence } from '../../core/evidence.ts'
import { formatSpan, mergeSpans } from '../../core/time.ts'
import { ordinalValue } from '../number-words.ts'
import { optionText } from '../option.ts'
import { coverage } from '../word-similarity.ts'
import { tokens } from '../words.ts'
import type { PastTurn } from './past-turn.ts'
import { exchange, meaning, type Reading, refer } from './reference.ts'

const ordinal = 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1st|2nd|3rd|[4-9]th|last|final'
const itemNoun = 'one|ones|of (?:them|those|these)(?: \\w+)?|time|mention|occurrence'
// "the first and the second one"
const both = new RegExp(`\\bthe (${ordinal})(?: one)? and the (${ordinal}) one\\b`, 'i')
const things = new RegExp(
  `\\b(?:the |that )?(?:very )?(${ordinal})(?: (?:${itemNoun}))\\b|\\bthe (${ordinal})(?=\\W*$|\\s+(?:occurs?|happens?|rings?|sounds?|appears?|starts?|begins?)\\b)|\\bnumber (one|two|three|four|five|[1-9])(?=\\W*$|,| )`,
  'i',
)
const another =
  /\bthe (other) (?:ones?|time|mention)\b|\bthe (other)(?=\W*$|\W+(?:is|was|are|were|come|came|appear|heard|said|shown)\b)/i
const option = new RegExp(
  `\\bthe (other|${ordinal}|former|latter|wrong|right|chosen) (?:options?|answers?|choices?|alternatives?)\\b|\\b(?:option|answer|choice) ([A-J]|[1-9]|one|two|three|four|five)\\b|\\bthe (former|latter)\\b`,
  'i',
)

// "the second one", "the other option", "the last of them": which of the things that an earlier turn listed.
export function listedThings(reading: Reading, past: readonly PastTurn[]): Reading {
  const spelled = { ...reading, text: reading.text.replace(both, 'the $1 one and the $2 one') }
  const replaced = toOption(spelled, past) ?? toItem(spelled, past)
  if (!replaced) return reading
  return placed(toItem(replaced, past) ?? replaced)
}

// "between [0:48-0:49] and [1:30-1:31]" is what lies between, "when [0:48-0:49] is heard" is that moment.
function placed(reading: Reading): Reading {
  const [a, b] = reading.references.flatMap(({ span }) => span ?? [])
  const between = /\bbetween (?:\[[\d:-]+\]) and (?:\[[\d:-]+\])/i.exec(reading.text)
  if (between && a && b) {
    const span = { start: Math.min(a.end, b.end), end: Math.max(a.start, b.start) }
    const reference = { ...meaning(between[0], 'moment', 'what lies between them'), span }
    return exchange(reading, between[0], between.index, `during ${formatSpan(span)}`, reference)
  }
  return {
    ...reading,
    text: reading.text.replace(
      /\b(?:when|while|as) (\[[\d:-]+\]) (?:is|was|are|were) [\p{L}]+(?=\W*$|,)/iu,
      'during $1',
    ),
  }
}

function toOption(reading: Reading, past: readonly PastTurn[]): Reading | undefined {
  const turn = past.findLast(one => listOptions(one).texts.length > 1)
  if (!turn) return undefined
  const latest = turn === past.at(-1)
  const match = option.exec(reading.text) ?? (latest ? (things.exec(reading.text) ?? another.exec(reading.text)) : null)
  if (!match) return undefined
  const { texts, chosen } = listOptions(turn)
  const word = match.slice(1).find(Boolean)?.toLowerCase() ?? ''
  const picked = pick(word, texts, chosen === undefined ? undefined : texts[chosen])
  if (picked.length === 0) return undefined
  const named = picked.join(' or ')
  return exchange(reading, match[0], match.index, named, meaning(match[0], 'option', named))
}

function toItem(reading: Reading, past: readonly PastTurn[]): Reading | undefined {
  const match = things.exec(reading.text) ?? another.exec(reading.text)
  if (!match) return undefined
  const word = match.slice(1).find(Boolean)?.toLowerCase() ?? ''
  const ordinalPlace = parsePlace(word)
  const turn = past.findLast(one => one.items.length > Math.max(1, typeof ordinalPlace === 'number' ? ordinalPlace : 1))
  if (!turn) return toNoun(reading, past, match, word)
  const items = turn.items
  const rows =
    word === 'other' ? otherItem(turn, past) : ordinalPlace === 'last' ? items.at(-1) : items[ordinalPlace ?? 0]
  if (!rows) return undefined
  const [span] = mergeSpans(
    rows.map(row => row.span),
    Number.POSITIVE_INFINITY,
  )
  return span && exchange(reading, match[0], match.index, formatSpan(span), refer(match[0], 'item', rows, span))
}

// Of two things the one that the turns since have not been about.
function otherItem(turn: PastTurn, past: readonly PastTurn[]): Evidence[] | undefined {
  const since = past.slice(past.indexOf(turn) + 1)
  const used = new Set(
    since.flatMap(one => (one.question.refers?.references ?? []).flatMap(reference => reference.evidence)),
  )
  const unused = turn.items.filter(item => !item.some(row => used.has(row.id)))
  return unused.length === turn.items.length ? turn.items[1] : unused[0]
}

// Nothing was listed that far: "the second one" after a question about a bell is the second bell.
function toNoun(
  reading: Reading,
  past: readonly PastTurn[],
  match: RegExpExecArray,
  word: string,
): Reading | undefined {
  const turn = past.at(-1)
  const noun = turn && findNoun(turn.question.text)
  if (!noun || word === 'other' || /\btime|mention|occurrence/i.test(match[0])) return undefined
  const itemName = `the ${word} ${noun}`
  return exchange(reading, match[0], match.index, itemName, meaning(match[0], 'item', itemName))
}

function findNoun(question: string): string | undefined {
  return /\b(?:the|a|an) (?:first |next |last |second )?([\p{L}-]+)(?=\s+(?:is|was|are|were|heard|shown|said|rings?|appears?|sounds?|comes?)\b|\W*$)/iu.exec(
    question,
  )?.[1]
}

function parsePlace(word: string): number | 'last' | undefined {
  if (word === 'last' || word === 'final') return 'last'
  const digit = /^(\d)/.exec(word)?.[1]
  const names = ['one', 'two', 'three', 'four', 'five']
  if (digit) return Number(digit) - 1
  if (names.includes(word)) return names.indexOf(word)
  const value = ordinalValue(word)
  return value === undefined ? undefined : value - 1
}

function pick(word: string, texts: readonly string[], chosen: string | undefined): string[] {
  if (word === 'other' || word === 'wrong') return texts.filter(text => text !== chosen)
  if (word === 'right' || word === 'chosen') return chosen === undefined ? [] : [chosen]
  if (word === 'former') return texts.slice(0, 1)
  if (word === 'latter') return texts.slice(-1)
  if (/^[a-j]$/.test(word)) return texts.slice(word.charCodeAt(0) - 97).slice(0, 1)
  const ordinalPlace = parsePlace(word)
  return ordinalPlace === 'last'
    ? texts.slice(-1)
    : ordinalPlace === undefined
      ? []
      : texts.slice(ordinalPlace, ordinalPlace + 1)
}

// What an earlier question let choose from, and which of it the answer took.
function listOptions({ question, choice, answer }: PastTurn): { texts: string[]; chosen?: number } {
  const options = question.options ?? []
  const texts = (options.length > 0 ? options : listedIn(question.text.slice(0, 1000).replace(/\s+/g, ' '))).map(
    optionText,
  )
  if (options.length > 0 && choice !== undefined) return { texts, chosen: choice }
  // "First the weather, then the whales": what is named first is what was taken.
  const places = texts.map(text => answer.toLowerCase().indexOf(text.toLowerCase().replace(/^(the|an?) /, '')))
  if (places.length > 1 && places.every(place => place >= 0))
    return { texts, chosen: places.indexOf(Math.min(...places)) }
  const scores = texts.map(text => coverage(tokens(text), answer))
  const best = Math.max(0, ...scores)
  const chosen = scores.indexOf(best)
  return best >= 0.5 && scores.filter(score => score === best).length === 1 ? { texts, chosen } : { texts }
}

// "Is it the red or the blue one?", "Which is named: Rome, Oslo or Bern?"
function listedIn(question: string): string[] {
  const list =
    /[:,]\s*((?:[^,?:]+,)*[^,?:]+,?\s+or\s+[^,?]+)\??\s*$/i.exec(question)?.[1] ??
    /\b((?:the |an? )?[\p{L}\d'-]+(?: [\p{L}\d'-]+)? or (?:the |an? )?[\p{L}\d'-]+(?: [\p{L}\d'-]+)?)\??\s*$/iu.exec(
      question,
    )?.[1]
  if (!list) return []
  const items = list.split(/(?<!\s)\s*,\s*(?:or\s+)?|(?<!\s)\s+or\s+/i).map(item => item.trim())
  return items.filter(item => item !== '')
}
