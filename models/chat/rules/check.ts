import type { CheckBrief, CheckReply } from '../../../src/core/brief.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import { spanLength } from '../../../src/core/time.ts'
import { distinctRows } from '../../../src/text/occurrences.ts'
import { quotesIn } from '../../../src/text/question/topic.ts'
import { namedSounds, strokesIn } from '../../../src/text/sounds.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import { tellingWords, tokens } from '../../../src/text/words.ts'
import { slidesIn } from './slides.ts'

// Stems of words that frame an answer without being part of the claim.
const framing = new Set(
  `say screen hear see show shot short nearest moment ask meanwhile again first then last time once yes order different text sound
  line speech slid found find same come elsewher occur only answer question search colour fit best video`.split(/\s+/),
)

// Checks a sentence against the rows it cites: quotes must occur in them, numbers must occur or count them, and neither
// side may deny the other.
export function checkClaim(brief: CheckBrief): CheckReply {
  const { claim, evidence } = brief
  if (evidence.length === 0) return { verdict: 'unseen', reason: 'no rows are cited' }
  const speaking = checkSpeaking(claim, evidence)
  if (speaking) return speaking
  const rowText = [...evidence.map(row => row.text), ...evidence.map(row => row.speaker ?? '')].join('\n')
  const quotes = quotesIn(claim)
  for (const quote of quotes) {
    const plain = quote.replace(/(?<!\S)\S*…$/, '')
    const telling = tellingWords(plain)
    const share = coverage(telling.length > 0 ? telling : tokens(plain), rowText)
    if (share < 0.6 && !heardByOtherName(quote, evidence))
      return { verdict: 'unseen', reason: `the rows do not hold "${quote.slice(0, 60)}"` }
  }
  const outside = quotes.reduce((rest, quote) => rest.replace(quote, ' '), claim)
  const claimWords = tellingWords(outside).filter(token => !framing.has(token.stem))
  const numbers = claimWords.filter(token => /^\d+$/.test(token.text))
  const strange = numbers.find(
    number =>
      !countsRows(claim, Number(number.text), evidence) &&
      coverage([number], rowText) < 0.6 &&
      !tokens(rowText).some(token => token.text.endsWith(number.text)),
  )
  const words = claimWords.filter(token => !/^\d/.test(token.text))
  const share = words.length > 0 ? coverage(words, rowText) : 1
  if (strange) {
    const rival = tokens(rowText).some(token => /^\d/.test(token.text)) && share >= 0.6 && words.length > 0
    return rival
      ? { verdict: 'contradicted', reason: `the rows give another number than ${strange.text}` }
      : { verdict: 'unseen', reason: `the rows do not give ${strange.text}` }
  }
  if (quotes.length > 0) return { verdict: 'supported', reason: 'the rows hold the quoted words' }
  if (share < 0.55) return { verdict: 'unseen', reason: 'the rows hold too few of its words' }
  if (denies(claim) !== denies(bestPart(claim, evidence)))
    return { verdict: 'contradicted', reason: 'one of the two says the opposite' }
  return { verdict: 'supported', reason: `the rows hold ${Math.round(share * 100)} % of its words` }
}

// How long somebody speaks is a sum over lines of which not all are cited.
function checkSpeaking(claim: string, rows: readonly Evidence[]): CheckReply | undefined {
  const [, name, lines, length, unit] =
    /^(.+) speaks(?: most| least)?: (\d+) lines? of (\d+) (second|minute)s together$/.exec(claim) ?? []
  if (!name) return undefined
  const seconds = (Number(length) + 1) * (unit === 'minute' ? 60 : 1)
  const cited = rows.reduce((sum, { span }) => sum + spanLength(span), 0)
  const holds = rows.every(row => row.speaker === name) && Number(lines) >= rows.length && seconds >= cited
  return holds
    ? { verdict: 'supported', reason: `the rows are lines of ${name}` }
    : { verdict: 'contradicted', reason: `not all rows are lines of ${name}, or they are longer` }
}

// A barking dog is a "bark-like burst" to whoever names sounds by their signal.
function heardByOtherName(quote: string, rows: readonly Evidence[]): boolean {
  const names = namedSounds(quote)
  return rows.some(row => row.track === 'sound' && names.some(name => coverage(tokens(name), row.text) >= 0.75))
}

// "3 times" is supported by three rows, or by one row that says it three times.
function countsRows(claim: string, number: number, rows: readonly Evidence[]): boolean {
  return (
    number === rows.length ||
    number === distinctRows(rows).length ||
    number === slidesIn(rows).length ||
    number === rows.reduce((sum, row) => sum + strokesIn(row.text), 0) ||
    (number > rows.length && /\btimes\b/.test(claim) && rows.some(row => row.track === 'speech')) ||
    rows.some(row => row.track === 'shot')
  )
}

function denies(text: string): boolean {
  return /\b(not|no|never|isn't|aren't|wasn't|doesn't|don't|didn't|won't|can't|cannot|without|none|nobody|nothing)\b/i.test(
    text,
  )
}

// The sentence with most of the claim's words, in the row with most of them: other sentences may deny something else.
function bestPart(claim: string, rows: readonly Evidence[]): string {
  const terms = tellingWords(claim)
  const best = (texts: readonly string[]) =>
    texts.reduce((one, other) => (coverage(terms, other) > coverage(terms, one) ? other : one), texts[0] ?? '')
  const text = best(rows.map(row => row.text))
  return best(text.split(/[.;!?\n]+/).filter(part => part.trim() !== ''))
}
