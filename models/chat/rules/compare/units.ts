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

export function unitNamed(name: string): Unit | undefined {
  const plain = name.toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '').trim()
  return table.find(([pattern]) => pattern.test(plain))?.[1]
}

// A unit, or the word after a number: "square metres" is not a length.
export const unitPattern = String.raw`(?:(?:kilomet(?:re|er)s?|miles?) (?:per|an) hour|met(?:re|er)s? (?:per|a) second|degrees? (?:celsius|fahrenheit|centigrade|[cf]\b)|pounds? sterling|per cent|km\/h|m\/s|us\$|°\s?[cf]?|[%$€£¥₹℃℉]|(?:square|cubic) [a-z]+|[a-z]+)`
