import { foldNumbers } from '../../../../src/text/number-words.ts'
import { isStopWord, tokens } from '../../../../src/text/words.ts'

// Units by what they measure, each with its size in the first one of its kind.
interface Unit {
  kind: string // what may be compared: "length", "money EUR"
  size: number
  offset?: number // added before: degrees Fahrenheit
}

const of = (kind: string, size: number): Unit => ({ kind, size })

const table: [RegExp, Unit][] = [
  [/^(?:mm|millimet(?:re|er)s?)$/, of('length', 0.001)],
  [/^(?:cm|centimet(?:re|er)s?)$/, of('length', 0.01)],
  [/^(?:m|met(?:re|er)s?)$/, of('length', 1)],
  [/^(?:km|kms|kilomet(?:re|er)s?)$/, of('length', 1000)],
  [/^(?:inch|inches)$/, of('length', 0.0254)],
  [/^(?:ft|foot|feet)$/, of('length', 0.3048)],
  [/^(?:yd|yards?)$/, of('length', 0.9144)],
  [/^(?:mi|miles?)$/, of('length', 1609.344)],
  [/^(?:mg|milligrams?)$/, of('mass', 1e-6)],
  [/^(?:g|grams?|grammes?)$/, of('mass', 0.001)],
  [/^(?:kg|kgs|kilos?|kilograms?)$/, of('mass', 1)],
  [/^(?:t|tons?|tonnes?)$/, of('mass', 1000)],
  [/^(?:lbs?)$/, of('mass', 0.45359237)],
  [/^(?:oz|ounces?)$/, of('mass', 0.028349523125)],
  [/^(?:ms|milliseconds?)$/, of('time', 0.001)],
  [/^(?:s|secs?|seconds?)$/, of('time', 1)],
  [/^(?:min|mins|minutes?)$/, of('time', 60)],
  [/^(?:h|hrs?|hours?)$/, of('time', 3600)],
  [/^days?$/, of('time', 86_400)],
  [/^weeks?$/, of('time', 604_800)],
  [/^months?$/, of('time', 2_629_800)],
  [/^(?:yrs?|years?)$/, of('time', 31_557_600)],
  [/^(?:decades?)$/, of('time', 315_576_000)],
  [/^(?:centur(?:y|ies))$/, of('time', 3_155_760_000)],
  [/^(?:ml|millilit(?:re|er)s?)$/, of('volume', 0.001)],
  [/^(?:l|lit(?:re|er)s?)$/, of('volume', 1)],
  [/^(?:km\/h|kmh|kph|kilomet(?:re|er)s? (?:per|an) hour)$/, of('speed', 1 / 3.6)],
  [/^(?:mph|miles? (?:per|an) hour)$/, of('speed', 0.44704)],
  [/^(?:m\/s|met(?:re|er)s? (?:per|a) second)$/, of('speed', 1)],
  [/^(?:kb|kilobytes?)$/, of('data', 1e3)],
  [/^(?:mb|megabytes?)$/, of('data', 1e6)],
  [/^(?:gb|gigabytes?)$/, of('data', 1e9)],
  [/^(?:tb|terabytes?)$/, of('data', 1e12)],
  [/^(?:kw|kilowatts?)$/, of('power', 1e3)],
  [/^(?:mw|megawatts?)$/, of('power', 1e6)],
  [/^(?:w|watts?)$/, of('power', 1)],
  [/^(?:%|percent|per cent)$/, of('percent', 1)],
  [/^(?:°c|℃|celsius|centigrade|degrees? (?:celsius|centigrade|c))$/, of('temperature', 1)],
  [/^(?:°f|℉|fahrenheit|degrees? (?:fahrenheit|f))$/, { kind: 'temperature', size: 5 / 9, offset: -32 }],
  [/^(?:°|degrees?)$/, of('degrees', 1)],
  [/^(?:us\$|\$|usd|dollars?|bucks?)$/, of('money dollar', 1)],
  [/^(?:€|eur|euros?)$/, of('money euro', 1)],
  [/^(?:£|gbp|pounds? sterling)$/, of('money pound', 1)],
  [/^(?:pounds?)$/, of('pounds', 1)], // of money or of weight
  [/^(?:¥|jpy|yen)$/, of('money yen', 1)],
  [/^(?:₹|inr|rupees?)$/, of('money rupee', 1)],
  [/^(?:chf|francs?)$/, of('money franc', 1)],
  [/^(?:yuan|cny|rmb)$/, of('money yuan', 1)],
  [/^(?:cents?)$/, of('money cent', 1)],
]

function unitNamed(name: string): Unit | undefined {
  const plain = name.toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '').trim()
  return table.find(([pattern]) => pattern.test(plain))?.[1]
}

// A unit, or the word after a number: "square metres" is not a length.
const unitPattern = String.raw`(?:(?:kilomet(?:re|er)s?|miles?) (?:per|an) hour|met(?:re|er)s? (?:per|a) second|degrees? (?:celsius|fahrenheit|centigrade|[cf]\b)|pounds? sterling|per cent|km\/h|m\/s|us\$|°\s?[cf]?|[%$€£¥₹℃℉]|(?:square|cubic) [a-z]+|[a-z]+)`

// A number with its unit in a text, as the range of values that the text leaves open: "about 18 million" is not a
// single one.
export interface Quantity {
  low: number // in the first unit of its kind
  high: number
  size: number // of its unit, in the first one of its kind
  kind: string // "count" where no unit is known; the noun then says of what
  noun?: string // stem of the word after a plain number
  at: number
  text: string
}

// All quantities of a text, in their order.
export function quantitiesIn(text: string): Quantity[] {
  const plain = withDigits(text)
  const quantities = [...plain.matchAll(number)].flatMap(single)
  return joinRanges(plain, quantities).map(one => hedged(plain, one))
}

const digits = String.raw`\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+|(?=\D|$)(?<=\.\d{3}\.\d{3}))|\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)?`
const scales: [RegExp, number][] = [
  [/^(k|thousand)$/i, 1e3],
  [/^(m|mn|mio|millions?)$/i, 1e6],
  [/^(b|bn|billions?)$/i, 1e9],
  [/^trillion$/i, 1e12],
]
const number = new RegExp(
  String.raw`(?<![\p{L}\d.,:/#-])(?<before>us\$|[$€£¥₹]|\b(?:usd|eur|gbp|chf)\s?)?\s?(?<sign>[-−](?=\d))?(?<digits>${digits})(?![\d:])(?:\s?(?<scale>thousand|millions?|billions?|trillion|mn|mio|bn|[kKmMbB])(?![\p{L}\d/]))?(?:[\s-]?(?<unit>${unitPattern})(?![\p{L}\d]))?`,
  'giu',
)

function single(match: RegExpMatchArray): Quantity[] {
  const { before, sign, digits: written = '', scale, unit: after } = match.groups ?? {}
  const money = before ? unitNamed(before) : undefined
  const named = after ? unitNamed(after) : undefined
  // "18m" is a length, "$18m" is not, and neither is "18M".
  const isMetre = scale === 'm' && !money && !named?.kind.startsWith('money')
  const unit = money ?? (isMetre ? unitNamed('m') : named)
  const [, scaled = 1] = (scale && !isMetre && scales.find(([name]) => name.test(scale))) || []
  const value = parseNumber(written) * scaled * (sign ? -1 : 1)
  if (!Number.isFinite(value)) return []
  const at = match.index ?? 0
  const isOfNumber = unit !== undefined || (after && !isStopWord(after.toLowerCase()))
  const base = { at, text: (isOfNumber ? match[0] : match[0].slice(0, match[0].length - (after ?? '').length)).trim() }
  if (unit) {
    const size = (value + (unit.offset ?? 0)) * unit.size
    return [{ ...base, low: size, high: size, size: unit.size, kind: unit.kind }]
  }
  const noun = after && !isStopWord(after.toLowerCase()) ? tokens(after)[0]?.stem : undefined
  return [{ ...base, low: value, high: value, size: 1, kind: 'count', ...(noun ? { noun } : {}) }]
}

// "1,234.5", "1.234.567,8", "1 234", "18,5": a comma before three digits parts thousands, else it is a decimal point.
function parseNumber(text: string): number {
  if (/^\d{1,3}([,'’ \u00a0\u202f]\d{3})+(\.\d+)?$/.test(text)) return Number(text.replace(/[,'’ \u00a0\u202f]/g, ''))
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text) || /^\d{1,3}(\.\d{3}){2,}$/.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'))
  return Number(text.replace(',', '.'))
}

// "18 to 22 million": the first takes the unit and the scale of the second.
function joinRanges(text: string, found: readonly Quantity[]): Quantity[] {
  const joined: Quantity[] = []
  for (const quantity of found) {
    const last = joined.at(-1)
    const between = last ? text.slice(last.at + last.text.length, quantity.at) : ''
    const begins = last && /\bbetween\s*$/i.test(text.slice(0, last.at))
    const isRange = last && (/^\s*(?:to|–|—|-)\s*$/.test(between) || (begins && /^\s*and\s*$/.test(between)))
    const sameKind = last && (last.kind === quantity.kind || last.kind === 'count')
    if (!last || !isRange || !sameKind) {
      joined.push(quantity)
      continue
    }
    const factor = last.kind === quantity.kind && last.text !== String(last.low) ? 1 : unitFactor(quantity)
    const from = last.low * factor
    joined[joined.length - 1] = {
      ...quantity,
      at: last.at,
      low: Math.min(from, quantity.low),
      high: Math.max(from, quantity.low),
    }
  }
  return joined
}

function unitFactor({ text, low }: Quantity): number {
  const bare = parseNumber(new RegExp(digits).exec(text)?.[0] ?? '1')
  return bare === 0 ? 1 : low / bare
}

const approximate = 0.1 // what "about" leaves open, on both sides

function hedged(text: string, one: Quantity): Quantity {
  const before = text.slice(Math.max(0, one.at - 30), one.at).toLowerCase()
  const width = Math.abs(one.low) * approximate
  if (
    /\b(?:more than|over|above|exceed(?:s|ing)?|at least|no less than|not less than|from|a minimum of)\s*$/.test(before)
  )
    return { ...one, high: Number.POSITIVE_INFINITY }
  if (/\b(?:less than|fewer than|under|below|at most|up to|no more than|not more than|a maximum of)\s*$/.test(before))
    return { ...one, low: Number.NEGATIVE_INFINITY }
  if (/\b(?:almost|nearly|close to)\s*$/.test(before)) return { ...one, low: one.low - width }
  if (/(?:\b(?:about|around|roughly|approximately|some|circa|ca\.?)|~|≈)\s*$/.test(before))
    return { ...one, low: one.low - width, high: one.high + width }
  return one
}

const words =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fou?rty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion'
const run = new RegExp(
  String.raw`(?<![\d.,]\s?)\b(?:an? |half an? )?(?:${words})(?:[\s-]+(?:and[\s-]+)?(?:${words}))*\b`,
  'gi',
)

const oneOf =
  'hours?|minutes?|miles?|kilomet(?:re|er)s?|met(?:re|er)s?|kilos?|grams?|tons?|tonnes?|lit(?:re|er)s?|dollars?|euros?'
const period = 'days?|weeks?|months?|years?|decades?|century|centuries'
const bareUnit = new RegExp(
  String.raw`(?<!\b(?:miles?|km|kilomet(?:re|er)s?|met(?:re|er)s?|times|dollars?|euros?|pounds?|\d) )\b(half )?an? (?=(?:${oneOf})\b)`,
  'gi',
)
const barePeriod = new RegExp(
  String.raw`(?<=\b(?:than|about|lasts?|lasted|takes?|took|over|under|most|least|within|exactly|only)\s)(half )?an? (?=(?:${period})\b)`,
  'gi',
)

// Number words as digits: "half a million", "an hour", "minus three". "Twelve dollars a day" holds one number.
export function withDigits(text: string): string {
  const half = (_: string, part?: string) => (part ? '0.5 ' : '1 ')
  return text
    .replace(run, found => {
      const list = found
        .toLowerCase()
        .replace(/^(?:half )?an? (?=hundred|thousand|million|billion)/, 'one ')
        .replace(/^(?:half )?an? /, '')
        .split(/[\s-]+/)
      const folded = foldNumbers(list)
      if (/^half an? /i.test(found)) return String(Number(folded[0]?.text) / 2)
      return folded.map(one => one.text).join(' ')
    })
    .replace(bareUnit, half)
    .replace(barePeriod, half)
    .replace(/\bminus (?=\d)/gi, '-')
}
