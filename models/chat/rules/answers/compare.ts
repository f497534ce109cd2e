import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { understandQuestion } from '../../../../src/text/question/understand.ts'
import { tokens } from '../../../../src/text/words.ts'
import { comparisonIn, type QuantityComparison, type Relation } from '../compare/comparison.ts'
import { type Quantity, quantitiesIn } from '../compare/quantity.ts'
import { isInformative, topicShare, withSpeakers } from '../match.ts'
import { quoteRows } from '../sentence.ts'
import { answerAbsent } from './absent.ts'

// "Is the bridge cheaper than 20 million?": decided by the numbers in rows about the subject. Undefined if the question
// does not compare.
export function compareQuantities(asked: ParsedQuestion, brief: WriteBrief): Draft | undefined {
  const comparison = comparisonIn(asked.text)
  if (!comparison) return undefined
  const { with: given } = comparison
  return given ? compareWithNumber(comparison, given, asked, brief) : compareWithOther(comparison, asked, brief)
}

function compareWithNumber(
  comparison: QuantityComparison,
  given: Quantity,
  asked: ParsedQuestion,
  brief: WriteBrief,
): Draft {
  const target = isAge(comparison) && given.kind === 'count' ? years(given) : given
  const candidateFacts = factsAbout(comparison.rest, comparison, target, brief)
  const usable = candidateFacts.filter(fact => comparable(fact.quantity, target))
  const best = usable[0]
  if (!best) {
    const other = candidateFacts[0]
    if (!other) return answerAbsent(asked, brief)
    return undecided('The video gives it in another unit', [other.row])
  }
  const verdict = judge(best.quantity, comparison.relation, target)
  const rival = usable.find(
    fact => fact.score >= best.score - 0.05 && judge(fact.quantity, comparison.relation, target) !== verdict,
  )
  if (rival) return undecided('The video gives more than one number', [best.row, rival.row])
  if (verdict === 'unclear') return undecided('The video does not say it exactly enough', [best.row])
  const lead = verdict === 'yes' ? 'Yes' : 'No'
  const condition = target.kind !== best.quantity.kind && best.quantity.kind === 'count' && target.kind !== 'year'
  return {
    sentences: [quoteRows(condition ? `${lead}, if it is in the same unit` : lead, [best.row])],
    confidence: Math.min(0.9, 0.4 + 0.5 * best.score) - (condition ? 0.15 : 0),
  }
}

// "Is the bridge longer than the tunnel?": needs a number of the same kind for each.
function compareWithOther(comparison: QuantityComparison, asked: ParsedQuestion, brief: WriteBrief): Draft | undefined {
  const leftFacts = factsAbout(comparison.rest, comparison, undefined, brief)
  const two = factsAbout(comparison.other ?? '', comparison, undefined, brief)
  const pair = leftFacts.flatMap(a =>
    two.filter(b => b.row.id !== a.row.id && sameKind(a.quantity, b.quantity)).map(b => ({ a, b })),
  )[0]
  if (!pair) {
    if (!leftFacts[0] || !two[0]) return answerAbsent(asked, brief)
    return undecided('The video gives them in different units', [leftFacts[0].row, two[0].row])
  }
  const { a, b } = pair
  const verdict = judge(a.quantity, comparison.relation, b.quantity)
  if (verdict === 'unclear') return undecided('The video does not say it exactly enough', [a.row, b.row])
  return {
    sentences: [quoteRows(verdict === 'yes' ? 'Yes' : 'No', [a.row, b.row])],
    confidence: Math.min(0.85, 0.3 + 0.5 * Math.min(a.score, b.score)),
  }
}

function undecided(lead: string, rows: Evidence[]): Draft {
  return { sentences: [quoteRows(lead, rows)], abstained: true, confidence: 0.4 }
}

interface Fact {
  row: Evidence
  quantity: Quantity
  score: number
}

const near = 10 // seconds around a row in which its subject is named
const minAbout = 0.5

// Numbers from rows about the subject, best first.
function factsAbout(
  subject: string,
  comparison: QuantityComparison,
  wanted: Quantity | undefined,
  brief: WriteBrief,
): Fact[] {
  const { topic } = understandQuestion({ text: subject }, brief.duration)
  const attribute = tokens(comparison.attribute)
  const rows = brief.evidence.filter(isInformative)
  const facts = rows.flatMap(row => {
    const rowShare = topic.terms.length === 0 ? 0 : topicShare(topic, withSpeakers([row]), row.track)
    const around = rows.filter(one => one.span.start <= row.span.end + near && one.span.end >= row.span.start - near)
    const about =
      topic.terms.length === 0 ? 1 : Math.max(rowShare, 0.9 * topicShare(topic, withSpeakers(around), row.track))
    if (about < minAbout) return []
    return parts(row.text).flatMap(part => {
      const words = tokens(part)
      const named = attribute.some(word => words.some(token => token.stem === word.stem))
      const inPart = topic.terms.length === 0 ? 0 : topicShare(topic, part, row.track)
      return quantitiesIn(part)
        .map(quantity => asWanted(quantity, comparison, wanted, named))
        .filter(quantity => mayMean(quantity, comparison, wanted, named, rowShare > 0.3, part))
        .map(quantity => ({
          row,
          quantity,
          score: Math.min(1, 0.5 * about + 0.2 * rowShare + 0.2 * inPart + (named ? 0.3 : 0)),
        }))
    })
  })
  return facts.sort((a, b) => b.score - a.score)
}

// Parts between commas or line breaks may be about different things; a comma inside a number does not separate.
function parts(text: string): string[] {
  return text.split(/[;!?\n]|[.,](?=\s)|\bbut\b|\bwhile\b|\bwhereas\b/i).filter(part => part.trim() !== '')
}

function asWanted(
  quantity: Quantity,
  comparison: QuantityComparison,
  wanted: Quantity | undefined,
  named: boolean,
): Quantity {
  if (wanted?.kind === 'year' && isYear(quantity)) return { ...quantity, kind: 'year' }
  if (isAge(comparison) && named && quantity.kind === 'count' && !quantity.noun && !isYear(quantity))
    return years(quantity)
  if (wanted?.kind.startsWith('money') && quantity.kind === 'pounds') return { ...quantity, kind: 'money pound' }
  if (wanted?.kind === 'mass' && quantity.kind === 'pounds')
    return { ...quantity, kind: 'mass', low: quantity.low * pound, high: quantity.high * pound }
  return quantity
}

function isYear({ kind, low }: Quantity): boolean {
  return kind === 'count' && Number.isInteger(low) && low >= 1000 && low <= 2100
}

const pound = 0.45359237 // kilograms

function isAge({ attribute }: QuantityComparison): boolean {
  return /\bage\b/.test(attribute)
}

function years(quantity: Quantity): Quantity {
  const year = 31_557_600
  return { ...quantity, kind: 'time', low: quantity.low * year, high: quantity.high * year }
}

// A number without a unit counts as a price, a length or an age only if the row says so, and as a count only if the row
// names what is counted.
function mayMean(
  quantity: Quantity,
  { kinds, attribute }: QuantityComparison,
  wanted: Quantity | undefined,
  named: boolean,
  own: boolean,
  part: string,
): boolean {
  if (kinds && !kinds.includes(quantity.kind.replace(/ .*/, ''))) return false
  if (quantity.kind === 'year') return true
  if (/\bage\b/.test(attribute)) return named && quantity.kind === 'time'
  if (wanted?.kind === 'count' && wanted.noun) {
    if (quantity.kind !== 'count') return false
    if (quantity.noun) return quantity.noun === wanted.noun
    return tokens(part).some(token => token.stem === wanted.noun)
  }
  if (quantity.kind === 'count') return named || (attribute === '' && own)
  return true
}

// A question without a unit uses the unit of the video.
function comparable(found: Quantity, wanted: Quantity): boolean {
  if (wanted.kind === found.kind) return true
  if (wanted.kind === 'count' && !wanted.noun) return true
  return found.kind === 'count' && wanted.kind !== 'year'
}

function sameKind(a: Quantity, b: Quantity): boolean {
  return a.kind === b.kind && (a.kind !== 'count' || a.noun === b.noun)
}

// Yes or no only if all values within the evidence's range agree.
function judge(given: Quantity, relation: Relation, wanted: Quantity): 'yes' | 'no' | 'unclear' {
  const converted = convertTo(given, wanted)
  const tests: Record<Relation, [always: boolean, never: boolean]> = {
    less: [converted.high < wanted.low, converted.low >= wanted.high],
    more: [converted.low > wanted.high, converted.high <= wanted.low],
    min: [converted.low >= wanted.low, converted.high < wanted.low],
    max: [converted.high <= wanted.high, converted.low > wanted.high],
    between: [
      converted.low >= wanted.low && converted.high <= wanted.high,
      converted.high < wanted.low || converted.low > wanted.high,
    ],
    equal: [
      converted.low === converted.high && isSame(converted.low, wanted.low),
      converted.high < wanted.low || converted.low > wanted.high,
    ],
  }
  const [always, never] = tests[relation]
  return always ? 'yes' : never ? 'no' : 'unclear'
}

// A number without a unit is read in the unit of the other.
function convertTo(found: Quantity, wanted: Quantity): Quantity {
  if (found.kind === wanted.kind || wanted.kind === 'year') return found
  const factor = found.kind === 'count' ? wanted.size : 1 / found.size
  return { ...found, low: found.low * factor, high: found.high * factor }
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}
