// A number as it is, without rounding: n/d in lowest terms, d above 0.
export interface Fraction {
  n: bigint
  d: bigint
}

// Exact as long as it can be; a plain number from the first function that only has a rounded value.
export type CalculatorValue = Fraction | number

export const zero: Fraction = { n: 0n, d: 1n }
export const unitFraction: Fraction = { n: 1n, d: 1n }

export function fraction(n: bigint, d = 1n): Fraction {
  if (d === 0n) throw new RangeError('division by zero')
  const sign = d < 0n ? -1n : 1n
  const shared = gcd(n, d)
  return { n: (sign * n) / shared, d: (sign * d) / shared }
}

export function isExact(value: CalculatorValue): value is Fraction {
  return typeof value !== 'number'
}

// The nearest number that the machine has; also where n and d are far too large for it themselves.
export function toNumber(value: CalculatorValue): number {
  if (!isExact(value)) return value
  const { n, d } = value
  const plain = Number(n) / Number(d)
  if (Number.isFinite(plain) && (plain !== 0 || n === 0n)) return plain
  const shift = digitCount(n) - digitCount(d) - 20
  const scaled = shift >= 0 ? n / (d * 10n ** BigInt(shift)) : (n * 10n ** BigInt(-shift)) / d
  return Number(`${scaled}e${shift}`)
}

type Operation = (a: CalculatorValue, b: CalculatorValue) => CalculatorValue

export const plus = operation(
  (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d),
  (a, b) => a + b,
)
export const minus = operation(
  (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d),
  (a, b) => a - b,
)
export const times = operation(
  (a, b) => fraction(a.n * b.n, a.d * b.d),
  (a, b) => a * b,
)
export const over = operation(
  (a, b) => fraction(a.n * b.d, a.d * b.n),
  (a, b) => a / b,
)
// What is left of a after b goes into it a whole number of times; it has the sign of a, as in most languages.
export const modulo = operation(
  (a, b) => {
    const { n, d } = fraction(a.n * b.d, a.d * b.n)
    return fraction(a.n * b.d - (n / d) * b.n * a.d, a.d * b.d)
  },
  (a, b) => a % b,
)

function operation(
  exact: (a: Fraction, b: Fraction) => CalculatorValue,
  rounded: (a: number, b: number) => number,
): Operation {
  return (a, b) => (isExact(a) && isExact(b) ? exact(a, b) : rounded(toNumber(a), toNumber(b)))
}

export function isLess(a: CalculatorValue, b: CalculatorValue): boolean {
  return isExact(a) && isExact(b) ? a.n * b.d < b.n * a.d : toNumber(a) < toNumber(b)
}

export function isEqual(a: CalculatorValue, b: CalculatorValue): boolean {
  return !isLess(a, b) && !isLess(b, a)
}

const maxBits = 40_000 // some 12,000 digits

// Keeps numbers from growing without end; what is not a number is not a result.
export function boundValue(value: CalculatorValue): CalculatorValue {
  const bits = (part: bigint) => magnitude(part).toString(16).length * 4
  const isTooLarge = isExact(value) ? Math.max(bits(value.n), bits(value.d)) > maxBits : Math.abs(value) === Infinity
  if (isTooLarge) throw new RangeError('the number is too large to be worked out')
  if (Number.isNaN(value)) throw new RangeError('there is no real result')
  return value
}

export function checkBits(expected: number): void {
  if (expected <= maxBits) return
  const digits = expected < 1e15 ? `about ${Math.ceil(expected * 0.30103).toLocaleString('en')}` : 'far too many'
  throw new RangeError(`the result would have ${digits} digits`)
}

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [magnitude(a), magnitude(b)]
  while (y > 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function digitCount(value: bigint): number {
  return magnitude(value).toString().length
}
