import {
  add,
  compare,
  divide,
  exactRoot,
  type Fraction,
  fraction,
  gcd,
  magnitude,
  multiply,
  one,
  remainder,
  toNumber,
  zero,
} from './fraction.ts'
import { asNumber, checkBits, isExact, type Value } from './value.ts'

type Work = (values: Value[]) => Value

export interface CalculatorFunction {
  least: number // arguments
  most: number
  work: Work
}

export const constants: Record<string, number> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  phi: (1 + Math.sqrt(5)) / 2,
}

// Exact where the result is: sqrt(49), 8^(1/3), log(1000). Angles are in radians.
export const functions: Record<string, CalculatorFunction> = {
  sqrt: unary(value => root(value, 2n)),
  cbrt: unary(value => root(value, 3n)),
  abs: unary(value => (isExact(value) ? { n: magnitude(value.n), d: value.d } : Math.abs(value))),
  sign: unary(value => fraction(BigInt(Math.sign(isExact(value) ? compare(value, zero) : value)))),
  floor: unary(value => (isExact(value) ? fraction(floor(value)) : Math.floor(value))),
  ceil: unary(value => (isExact(value) ? fraction(-floor({ n: -value.n, d: value.d })) : Math.ceil(value))),
  trunc: unary(value => (isExact(value) ? fraction(value.n / value.d) : Math.trunc(value))),
  round: several(1, 2, ([value, places]) => round(value, places === undefined ? 0 : whole(places, 'the places'))),
  min: several(1, 1000, values => values.reduce((a, b) => (less(b, a) ? b : a))),
  max: several(1, 1000, values => values.reduce((a, b) => (less(a, b) ? b : a))),
  sum: several(1, 1000, values => values.reduce(plus)),
  mean: several(1, 1000, values => over(values.reduce(plus), BigInt(values.length))),
  avg: several(1, 1000, values => over(values.reduce(plus), BigInt(values.length))),
  median: several(1, 1000, median),
  mod: several(2, 2, ([a, b]) => (isExact(a) && isExact(b) ? remainder(a, b) : asNumber(a) % asNumber(b))),
  pow: several(2, 2, ([a, b]) => power(a, b)),
  gcd: several(2, 2, ([a, b]) => fraction(gcd(integer(a, 'gcd'), integer(b, 'gcd')))),
  lcm: several(2, 2, ([a, b]) => lcm(integer(a, 'lcm'), integer(b, 'lcm'))),
  factorial: unary(factorial),
  choose: several(2, 2, ([n, k]) => choose(whole(n, 'choose'), whole(k, 'choose'))),
  log: several(1, 2, ([value, base]) => logarithm(value, base ?? fraction(10n))),
  log10: unary(value => logarithm(value, fraction(10n))),
  log2: unary(value => logarithm(value, fraction(2n))),
  ln: unary(value => (isOne(value) ? zero : positiveLog(value))),
  exp: unary(value => (isZero(value) ? one : Math.exp(asNumber(value)))),
  sin: unary(value => (isZero(value) ? zero : nearZero(Math.sin(asNumber(value))))),
  cos: unary(value => (isZero(value) ? one : nearZero(Math.cos(asNumber(value))))),
  tan: unary(value => (isZero(value) ? zero : nearZero(Math.tan(asNumber(value))))),
  asin: rounded(Math.asin),
  acos: rounded(Math.acos),
  atan: rounded(Math.atan),
  atan2: several(2, 2, ([y, x]) => Math.atan2(asNumber(y), asNumber(x))),
  sinh: rounded(Math.sinh),
  cosh: rounded(Math.cosh),
  tanh: rounded(Math.tanh),
  hypot: several(1, 1000, values => root(values.map(value => power(value, fraction(2n))).reduce(plus), 2n)),
  deg: unary(value => (asNumber(value) * 180) / Math.PI),
  rad: unary(value => (asNumber(value) * Math.PI) / 180),
}

export function power(base: Value, exponent: Value): Value {
  if (!isExact(base) || !isExact(exponent)) return asNumber(base) ** asNumber(exponent)
  const times = magnitude(exponent.n)
  if (exponent.d === 1n) {
    if (base.n === 0n && exponent.n < 0n) throw new RangeError('division by zero')
    if (base.d === 1n && magnitude(base.n) < 2n)
      return fraction(base.n === -1n && times % 2n === 0n ? 1n : times === 0n ? 1n : base.n)
    checkBits((Math.max(bigLog(magnitude(base.n)), bigLog(base.d)) / Math.LN2) * Number(times))
    const grown = { n: base.n ** times, d: base.d ** times }
    return exponent.n < 0n ? fraction(grown.d, grown.n) : grown
  }
  if (exponent.d <= 64n && times <= 64n) {
    const exact = root(base, exponent.d)
    if (isExact(exact)) return power(exact, fraction(exponent.n))
  }
  return toNumber(base) ** toNumber(exponent)
}

export function factorial(value: Value): Value {
  const n = whole(value, 'factorial')
  if (n < 0) throw new RangeError('there is no factorial of a number below 0')
  if (n > 3000) throw new RangeError(`the factorial of ${n} is too large to be worked out`)
  let product = 1n
  for (let factor = 2n; factor <= BigInt(n); factor++) product *= factor
  return fraction(product)
}

function unary(work: (value: Value) => Value): CalculatorFunction {
  return { least: 1, most: 1, work: ([value]) => work(value) }
}

function several(least: number, most: number, work: Work): CalculatorFunction {
  return { least, most, work }
}

function rounded(work: (value: number) => number): CalculatorFunction {
  return unary(value => work(asNumber(value)))
}

function root(value: Value, degree: bigint): Value {
  if (isExact(value)) {
    const top = exactRoot(value.n, degree)
    const below = exactRoot(value.d, degree)
    if (top !== undefined && below !== undefined) return fraction(top, below)
  }
  const number = asNumber(value)
  if (number < 0 && degree % 2n === 0n) throw new RangeError('a number below 0 has no real root')
  return degree === 2n ? Math.sqrt(number) : degree === 3n ? Math.cbrt(number) : number ** (1 / Number(degree))
}

function floor({ n, d }: Fraction): bigint {
  return n >= 0n || n % d === 0n ? n / d : n / d - 1n
}

// Halves go away from zero, as at school.
function round(value: Value, places: number): Value {
  if (Math.abs(places) > 1000) throw new RangeError('round takes at most 1000 places')
  const shift = places >= 0 ? fraction(10n ** BigInt(places)) : fraction(1n, 10n ** BigInt(-places))
  if (!isExact(value))
    return Number(`${Math.sign(value) * Math.round(Number(`${Math.abs(value)}e${places}`))}e${-places}`)
  const scaled = multiply({ n: magnitude(value.n), d: value.d }, shift)
  const nearest = floor(add(scaled, fraction(1n, 2n)))
  return divide(fraction(value.n < 0n ? -nearest : nearest), shift)
}

function less(a: Value, b: Value): boolean {
  return isExact(a) && isExact(b) ? compare(a, b) < 0 : asNumber(a) < asNumber(b)
}

function plus(a: Value, b: Value): Value {
  return isExact(a) && isExact(b) ? add(a, b) : asNumber(a) + asNumber(b)
}

function over(value: Value, count: bigint): Value {
  return isExact(value) ? divide(value, fraction(count)) : value / Number(count)
}

function median(values: Value[]): Value {
  const sorted = [...values].sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0))
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : over(plus(sorted[middle - 1], sorted[middle]), 2n)
}

function lcm(a: bigint, b: bigint): Fraction {
  return a === 0n || b === 0n ? zero : fraction(magnitude(a * b) / gcd(a, b))
}

function choose(n: number, k: number): Fraction {
  if (n < 0 || k < 0) throw new RangeError('choose takes no number below 0')
  if (k > n) return zero
  const few = Math.min(k, n - k)
  if (few > 2000) throw new RangeError('the number is too large to be worked out')
  let product = 1n
  for (let i = 1; i <= few; i++) product = (product * BigInt(n - few + i)) / BigInt(i)
  return fraction(product)
}

function logarithm(value: Value, base: Value): Value {
  const rough = positiveLog(value) / positiveLog(base)
  const near = Math.round(rough)
  if (isExact(value) && isExact(base) && Math.abs(rough - near) < 1e-9 && Math.abs(near) < 10_000) {
    const back = power(base, fraction(BigInt(near)))
    if (isExact(back) && compare(back, value) === 0) return fraction(BigInt(near))
  }
  return rough
}

// Also for numbers that are too large for the machine.
function positiveLog(value: Value): number {
  if (less(value, zero) || isZero(value)) throw new RangeError('only numbers above 0 have a logarithm')
  if (!isExact(value)) return Math.log(value)
  return bigLog(value.n) - bigLog(value.d)
}

function bigLog(value: bigint): number {
  const digits = value.toString()
  return digits.length < 300
    ? Math.log(Number(value))
    : Math.log(Number(`0.${digits.slice(0, 20)}`)) + digits.length * Math.LN10
}

function integer(value: Value, what: string): bigint {
  if (isExact(value) && value.d === 1n) return value.n
  throw new RangeError(`${what} takes whole numbers`)
}

function whole(value: Value, what: string): number {
  return Number(integer(value, what))
}

function isZero(value: Value): boolean {
  return isExact(value) ? value.n === 0n : value === 0
}

function isOne(value: Value): boolean {
  return isExact(value) && value.n === 1n && value.d === 1n
}

// sin(pi) is 0; the machine's pi is not quite pi.
function nearZero(value: number): number {
  return Math.abs(value) < 1e-15 ? 0 : value
}
