import { digitCount, type Fraction, magnitude, toNumber } from './fraction.ts'

// Exact as long as it can be; a plain number from the first function that only has a rounded value.
export type Value = Fraction | number

const mostBits = 40_000 // some 12,000 digits

export function isExact(value: Value): value is Fraction {
  return typeof value !== 'number'
}

export function asNumber(value: Value): number {
  return isExact(value) ? toNumber(value) : value
}

// Keeps numbers from growing without end; what is not a number is not a result.
export function bounded(value: Value): Value {
  if (isExact(value)) {
    if (bits(value.n) > mostBits || bits(value.d) > mostBits)
      throw new RangeError('the number is too large to be worked out')
    return value
  }
  if (Number.isNaN(value)) throw new RangeError('there is no real result')
  if (!Number.isFinite(value)) throw new RangeError('the number is too large to be worked out')
  return value
}

export function checkBits(expected: number): void {
  if (expected > mostBits)
    throw new RangeError(
      `the result would have ${expected < 1e15 ? `about ${Math.ceil(expected * 0.30103).toLocaleString('en')}` : 'far too many'} digits`,
    )
}

function bits(value: bigint): number {
  return magnitude(value).toString(16).length * 4
}

// "0.3", "1/3 = 0.333333333333...", "≈ 1.4142135623731": exact where it is, and saying so where it is not.
export function showValue(value: Value): string {
  if (!isExact(value)) return `≈ ${Number(value.toPrecision(14))}`
  const { n, d } = value
  if (d === 1n) return wholeText(n)
  if (digitCount(d) - digitCount(n) > 30) return `≈ ${scientific(n, d)}`
  const places = decimalPlaces(d)
  if (places !== undefined && places <= 60) return fixed(n, d, places)
  const near = `${fixed(n, d, Math.max(12, digitCount(d) - digitCount(n) + 12))}...`
  return digitCount(n) + digitCount(d) <= 60 ? `${n}/${d} = ${near}` : near
}

// How many places a decimal number with this denominator has; undefined where it never ends.
function decimalPlaces(d: bigint): number | undefined {
  let rest = d
  let twos = 0
  let fives = 0
  for (; rest % 2n === 0n; twos++) rest /= 2n
  for (; rest % 5n === 0n; fives++) rest /= 5n
  return rest === 1n ? Math.max(twos, fives) : undefined
}

// Cut, not rounded: what follows is shown by dots.
function fixed(n: bigint, d: bigint, places: number): string {
  const scaled = (magnitude(n) * 10n ** BigInt(places)) / d
  const digits = scaled.toString().padStart(places + 1, '0')
  return `${n < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function scientific(n: bigint, d: bigint): string {
  const shift = digitCount(d) - digitCount(n) + 14
  const digits = ((magnitude(n) * 10n ** BigInt(shift)) / d).toString()
  const mantissa = `${digits[0]}.${digits.slice(1, 14)}`.replace(/\.?0+$/, '')
  return `${n < 0n ? '-' : ''}${mantissa}e-${shift - digits.length + 1}`
}

// A number of more digits than anybody reads is shown by its ends.
function wholeText(n: bigint): string {
  const text = String(n)
  return text.length <= 2000 ? text : `${text.slice(0, 40)}...${text.slice(-20)} (${digitCount(n)} digits)`
}
