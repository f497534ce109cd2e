import type { CheckBrief, CheckReply } from '../../../src/core/brief.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import { distinctRows } from '../../../src/text/occurrences.ts'
import { quotesIn } from '../../../src/text/question/topic.ts'
import { soundNames, strokesIn } from '../../../src/text/sounds.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../../src/text/words.ts'
import { slidesIn } from './slides.ts'

const framing = new Set([
  'say',
  'screen',
  'hear',
  'see',
  'show',
  'shot',
  'short',
  'nearest',
  'moment',
  'ask',
  'meanwhile',
  'again',
  'first',
  'then',
  'last',
  'time',
  'once',
  'yes',
  'order',
  'different',
  'text',
  'sound',
  'line',
  'speech',
  'slid',
  'found',
  'find',
  'same',
  'come',
  'found',
  'elsewher',
  'occur',
  'only',
  'answer',
  'question',
  'search',
  'colour',
  'fit',
  'best',
  'video',
])

// Tries a sentence against the rows it cites by their words: quotes must be theirs, numbers must be theirs or their count,
// and neither may deny what the other says.
export function checkClaim(brief: CheckBrief): CheckReply {
  const { claim, evidence } = brief
  if (evidence.length === 0) return { verdict: 'unseen', reason: 'no rows are cited' }
  const said = evidence.map(row => `${row.speaker ?? ''} ${row.text}`).join('\n')
  const quotes = quotesIn(claim)
  for (const quote of quotes) {
    const words = tokens(quote.replace(/(?<!\S)\S*…$/, ''))
    const telling = words.filter(word => !isStopWord(word.text))
    const share = coverage(telling.length > 0 ? telling : words, tokens(said))
    if (share < 0.6 && !heardByOtherName(quote, evidence))
      return { verdict: 'unseen', reason: `the rows do not hold "${quote.slice(0, 60)}"` }
  }
  const outside = quotes.reduce((rest, quote) => rest.replace(quote, ' '), claim)
  const own = tokens(outside).filter(token => !isStopWord(token.text) && !framing.has(token.stem))
  const numbers = own.filter(token => /^\d+$/.test(token.text))
  const strange = numbers.filter(
    number =>
      !countsRows(claim, Number(number.text), evidence) &&
      coverage([number], tokens(said)) < 0.6 &&
      !tokens(said).some(token => token.text.endsWith(number.text)),
  )
  const words = own.filter(token => !/^\d/.test(token.text))
  const share = words.length > 0 ? coverage(words, tokens(said)) : 1
  if (strange.length > 0) {
    const rival = tokens(said).some(token => /^\d/.test(token.text)) && share >= 0.6 && words.length > 0
    return rival
      ? { verdict: 'contradicted', reason: `the rows give another number than ${strange[0].text}` }
      : { verdict: 'unseen', reason: `the rows do not give ${strange[0].text}` }
  }
  if (quotes.length > 0) return { verdict: 'supported', reason: 'the rows hold the quoted words' }
  if (share < 0.55) return { verdict: 'unseen', reason: 'the rows hold too few of its words' }
  if (denies(claim) !== denies(bestPart(claim, bestRow(claim, evidence).text)))
    return { verdict: 'contradicted', reason: 'one of the two says the opposite' }
  return { verdict: 'supported', reason: `the rows hold ${Math.round(share * 100)} % of its words` }
}

// A barking dog is a "bark-like burst" to whoever names sounds by their signal.
function heardByOtherName(quote: string, rows: readonly Evidence[]): boolean {
  const names = soundNames(quote)
  return rows.some(row => row.track === 'sound' && names.some(name => coverage(tokens(name), row.text) >= 0.75))
}

// "3 times" is borne out by three rows, or by one row that says it three times.
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

function bestRow(claim: string, rows: readonly Evidence[]): Evidence {
  const terms = tokens(claim).filter(token => !isStopWord(token.text))
  return rows.reduce((best, row) => (coverage(terms, row.text) > coverage(terms, best.text) ? row : best))
}

// The sentence of a row that speaks most of what the claim says: another one may deny something else.
function bestPart(claim: string, text: string): string {
  const terms = tokens(claim).filter(token => !isStopWord(token.text))
  const parts = text.split(/[.;!?\n]+/).filter(part => part.trim() !== '')
  return parts.reduce((best, part) => (coverage(terms, part) > coverage(terms, best) ? part : best), parts[0] ?? '')
}
