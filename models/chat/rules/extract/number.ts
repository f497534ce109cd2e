import type { Topic } from '../../../../src/text/question/topic.ts'
import { type Token, tokens } from '../../../../src/text/words.ts'
import type { TopicLine } from '../line.ts'

// The number nearest to the words of the question, with its unit.
export function numberIn(question: string, topic: Topic, { text, words, at }: TopicLine): string | undefined {
  const unit = /\b(?:how many|what number of|number of) ([\w-]+(?: [\w-]+)?)/i.exec(question)?.[1]
  const unitStems = unit ? tokens(unit).map(token => token.stem) : []
  const questionWords = new Set(topic.terms.map(term => term.text))
  const scored = words.flatMap((word, i) => {
    if (!/^\d/.test(word.text) || questionWords.has(word.text)) return []
    const near = Math.min(...at.map(place => Math.abs(place - i)), 20)
    const counts = words.slice(i + 1, i + 4).some(next => unitStems.includes(next.stem))
    const score =
      (counts ? 10 : 0) - near - (at.some(place => place < i) ? 0 : 0.5) + measureFits(question, words[i + 1])
    return [{ word, i, score }]
  })
  const best = scored.sort((a, b) => b.score - a.score)[0]
  if (!best) return undefined
  const next = words[best.i + 1]
  const value = wholeNumber(text, best.word)
  const money = /[$€£]\s?$/.exec(text.slice(0, best.word.start))?.[0].trim() ?? ''
  if (money) return `${money}${value}`
  return next && measures.has(next.stem) ? `${value} ${next.text}` : value
}

const measures = new Set(
  tokens(
    'percent dollars euros pounds cents meters metres kilometers kilometres km miles feet inches grams kilograms kg tons liters litres degrees years months weeks days hours minutes seconds people times',
  ).map(token => token.stem),
)

export function isMeasure(word: Token): boolean {
  return measures.has(word.stem)
}

// "How tall" is answered in meters, "how long" in minutes, "how much" in money.
const fitting: [RegExp, RegExp][] = [
  [
    /\bhow (tall|high|far|deep|wide|long)\b|\b(height|distance|length|depth|width)\b/i,
    /^(meter|metre|kilomet|km|mile|foot|inch|centimet|yard)/,
  ],
  [/\bhow (long|old)\b|\b(age|duration)\b/i, /^(year|month|week|day|hour|minut|second|meter|metr|kilomet|mile|foot)/],
  [/\bhow much\b|\b(price|cost|fee|budget|charge)\b/i, /^(dollar|euro|pound|cent)/],
  [/\b(temperature|hot|cold|warm)\b/i, /^degree/],
  [/\bpercent/i, /^percent/],
  [/\bhow (heavy)\b|\bweigh/i, /^(kilogram|kg|gram|ton|pound)/],
]

function measureFits(question: string, unit: Token | undefined): number {
  if (!unit) return 0
  return fitting.some(([asks, measure]) => asks.test(question) && measure.test(unit.stem)) ? 6 : 0
}

// The whole printed number: "9:30", "555-0199", "3.5".
function wholeNumber(text: string, token: Token): string {
  const surface = text.slice(token.start, token.end)
  if (/^\d\S* \p{L}+$/u.test(surface)) return surface // "18 million" stays as it is
  const printed = [...text.matchAll(/\d[\d.,:/-]*\d|\d/g)].find(
    match => match.index <= token.start && match.index + match[0].length >= token.end,
  )
  return printed && /[:.-]/.test(printed[0]) ? printed[0] : token.text
}
