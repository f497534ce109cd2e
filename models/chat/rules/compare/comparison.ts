import { type Quantity, quantitiesIn, withDigits } from './quantity.ts'

// What a yes-or-no question compares a thing with.
export interface QuantityComparison {
  rest: string // the question without it: what the thing is
  attribute: string // words by which the evidence may name what is compared
  kinds?: string[] // what may be compared, if the word itself says it
  relation: Relation
  with?: Quantity // with its bounds for "between"
  other?: string // the other thing, where no number is given
}

export type Relation = 'less' | 'more' | 'min' | 'max' | 'between' | 'equal'

const money = ['money', 'count', 'pounds']
const priced = 'cost costs price priced fee budget ticket'
const table: [pattern: string, relation: 'less' | 'more', attribute: string, kinds?: string[]][] = [
  ['less expensive|cheaper|less costly', 'less', priced, money],
  ['more expensive|dearer|costlier|more costly|pricier', 'more', priced, money],
  ['shorter', 'less', 'long length lasts takes duration tall height', ['length', 'time']],
  ['longer', 'more', 'long length lasts takes duration span', ['length', 'time']],
  ['taller|higher', 'more', 'tall high height'],
  ['lower', 'less', 'low high height'],
  ['wider|broader', 'more', 'wide width', ['length']],
  ['narrower', 'less', 'wide width', ['length']],
  ['deeper', 'more', 'deep depth', ['length']],
  ['shallower', 'less', 'deep depth', ['length']],
  ['farther|further', 'more', 'far away distance', ['length']],
  ['closer|nearer', 'less', 'far away distance', ['length']],
  ['younger', 'less', 'old age aged', ['time', 'count']],
  ['older', 'more', 'old age aged', ['time', 'count']],
  ['heavier', 'more', 'weighs weight mass heavy', ['mass', 'pounds']],
  ['lighter', 'less', 'weighs weight mass', ['mass', 'pounds']],
  ['faster|quicker', 'more', 'speed fast', ['speed']],
  ['slower', 'less', 'speed fast', ['speed']],
  ['warmer|hotter', 'more', 'temperature degrees', ['temperature', 'degrees']],
  ['colder|cooler', 'less', 'temperature degrees', ['temperature', 'degrees']],
  ['smaller|fewer|less', 'less', ''],
  ['bigger|larger|greater|more', 'more', ''],
]

// A question that compares with a number, or one thing with another; undefined if it does neither.
export function comparisonIn(asked: string): QuantityComparison | undefined {
  const question = withDigits(asked)
  return between(question) ?? bounded(question) ?? thanWhat(question) ?? yearBound(question)
}

function between(question: string): QuantityComparison | undefined {
  const match = /\bbetween\b(?<range>.+?\band\b.+?)[?.!]*$/i.exec(question)
  const [range, ...others] = match ? quantitiesIn(`between${match.groups?.range}`) : []
  if (!match || !range || others.length > 0 || range.low === range.high) return undefined
  return comparison(question, match.index, 'between', range)
}

const bounds: [RegExp, Relation][] = [
  [/\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of)\b/i, 'min'],
  [/\b(?:at most|no more than|not more than|up to|a maximum of)\b/i, 'max'],
  [
    /\b(?:over|above|exceed|exceeds|exceeded)\b(?=\s+(?:[\d$€£¥₹]|an? (?:hundred|thousand|million|billion)|half an?|\w+(?:y|een|n|e|o|r|x|t|d)\b))/i,
    'more',
  ],
  [
    /\b(?:under|below)\b(?=\s+(?:[\d$€£¥₹]|an? (?:hundred|thousand|million|billion)|half an?|\w+(?:y|een|n|e|o|r|x|t|d)\b))/i,
    'less',
  ],
  [/\b(?:exactly|equal to)\b/i, 'equal'],
]

function bounded(question: string): QuantityComparison | undefined {
  for (const [pattern, relation] of bounds) {
    const match = pattern.exec(question)
    const with_ = match && leading(question.slice(match.index + match[0].length))
    if (match && with_) return comparison(question, match.index, relation, with_, match[0].length)
  }
  return undefined
}

function thanWhat(question: string): QuantityComparison | undefined {
  for (const [pattern, relation, attribute, kinds] of table) {
    const match = new RegExp(String.raw`\b(?:${pattern})(?<what>(?:\s+[\p{L}-]+){0,3}?)\s+than\b`, 'iu').exec(question)
    if (!match) continue
    const after = question.slice(match.index + match[0].length)
    const with_ = leading(after)
    const what = match.groups?.what ?? ''
    if (with_) {
      const base = comparison(question, match.index, relation, with_, match[0].length)
      return { ...base, rest: `${base.rest} ${what}`.trim(), attribute, ...(kinds && { kinds }) }
    }
    if (attribute === '' || quantitiesIn(after).length > 0) return undefined
    const other = after.replace(/[?.!]+\s*$/, '').trim()
    const rest = question.slice(0, match.index).trim()
    return other === '' ? undefined : { rest, attribute, ...(kinds && { kinds }), relation, other }
  }
  return undefined
}

// "Was it built before 1900?": a year is a number too.
function yearBound(question: string): QuantityComparison | undefined {
  const match =
    /\b(?<word>before|after|earlier than|later than|since)\s+(?:the year\s+)?(?<year>1\d{3}|20\d{2})\b(?!\s*(?:seconds?|minutes?|h))/i.exec(
      question,
    )
  if (!match) return undefined
  const year = Number(match.groups?.year)
  const word = match.groups?.word?.toLowerCase() ?? ''
  const relation = word.startsWith('b') || word.startsWith('e') ? 'less' : word === 'since' ? 'min' : 'more'
  const with_: Quantity = { low: year, high: year, size: 1, kind: 'year', at: 0, text: String(year) }
  return { ...comparison(question, match.index, relation, with_, match[0].length), kinds: ['year'] }
}

// The quantity that the text begins with.
function leading(text: string): Quantity | undefined {
  const lead = text.replace(/^\s+(?:the age of |a total of )?/, '')
  const [first] = quantitiesIn(lead)
  return first && first.at === 0 ? first : undefined
}

function comparison(question: string, at: number, relation: Relation, with_: Quantity, length = 0): QuantityComparison {
  const tail = relation === 'between' ? '' : question.slice(at + length).replace(with_.text, ' ')
  const rest = `${question.slice(0, at)} ${tail}`.replace(/\s+/g, ' ').trim()
  return { rest, attribute: '', relation, with: with_ }
}
