import * as value from './value.ts'
import {
  type Fraction,
  fraction,
  isExact,
  isLess,
  magnitude,
  over,
  plus,
  times,
  toNumber,
  unitFraction,
  zero,
} from './value.ts'

type Value = value.CalculatorValue

// How many arguments a function takes, and what it makes of them.
type CalculatorFunction = [min: number, max: number, work: (...values: Value[]) => Value]

export const constants: Record<string, number> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  phi: (1 + Math.sqrt(5)) / 2,
}

const two = fraction(2n)
const ten = fraction(10n)
const minusOne = fraction(-1n)

// Exact where the result is: sqrt(49), 8^(1/3), log(1000). Angles are in radians.
export const functions: Record<string, CalculatorFunction> = {
  sqrt: [1, 1, x => root(x, 2n)],
  cbrt: [1, 1, x => root(x, 3n)],
  abs: [1, 1, x => (isLess(x, zero) ? times(x, minusOne) : x)],
  sign: [1, 1, x => (isLess(x, zero) ? minusOne : isLess(zero, x) ? unitFraction : zero)],
  floor: integerBy(floor, Math.floor),
  ceil: integerBy(({ n, d }) => -floor({ n: -n, d }), Math.ceil),
  trunc: integerBy(({ n, d }) => n / d, Math.trunc),
  round: [1, 2, (x, places = zero) => round(x, whole(places, 'the places'))],
  min: [1, 1000, (...all) => all.reduce((a, b) => (isLess(b, a) ? b : a))],
  max: [1, 1000, (...all) => all.reduce((a, b) => (isLess(a, b) ? b : a))],
  sum: [1, 1000, (...all) => all.reduce(plus)],
  mean: [1, 1000, mean],
  avg: [1, 1000, mean],
  median: [1, 1000, median],
  mod: [2, 2, value.modulo],
  pow: [2, 2, power],
  gcd: [2, 2, (a, b) => fraction(value.gcd(integer(a, 'gcd'), integer(b, 'gcd')))],
  lcm: [2, 2, (a, b) => lcm(integer(a, 'lcm'), integer(b, 'lcm'))],
  factorial: [1, 1, factorial],
  choose: [2, 2, (n, k) => choose(whole(n, 'choose'), whole(k, 'choose'))],
  log: [1, 2, (x, base = ten) => logarithm(x, base)],
  log10: [1, 1, x => logarithm(x, ten)],
  log2: [1, 1, x => logarithm(x, two)],
  ln: [1, 1, x => (isExact(x) && value.isEqual(x, unitFraction) ? zero : positiveLog(x))],
  exp: exactAtZero(unitFraction, Math.exp),
  sin: exactAtZero(zero, x => nearZero(Math.sin(x))),
  cos: exactAtZero(unitFraction, x => nearZero(Math.cos(x))),
  tan: exactAtZero(zero, x => nearZero(Math.tan(x))),
  asin: rounded(Math.asin),
  acos: rounded(Math.acos),
  atan: rounded(Math.atan),
  atan2: [2, 2, (y, x) => Math.atan2(toNumber(y), toNumber(x))],
  sinh: rounded(Math.sinh),
  cosh: rounded(Math.cosh),
  tanh: rounded(Math.tanh),
  hypot: [1, 1000, (...all) => root(all.map(x => power(x, two)).reduce(plus), 2n)],
  deg: rounded(x => (x * 180) / Math.PI),
  rad: rounded(x => (x * Math.PI) / 180),
}

function rounded(work: (x: number) => number): CalculatorFunction {
  return [1, 1, x => work(toNumber(x))]
}

function exactAtZero(atZero: Fraction, work: (x: number) => number): CalculatorFunction {
  return [1, 1, x => (value.isEqual(x, zero) ? atZero : work(toNumber(x)))]
}

function integerBy(exact: (x: Fraction) => bigint, work: (x: number) => number): CalculatorFunction {
  return [1, 1, x => (isExact(x) ? fraction(exact(x)) : work(x))]
}

export function power(base: Value, exponent: Value): Value {
  if (!isExact(base) || !isExact(exponent)) return toNumber(base) ** toNumber(exponent)
  const count = magnitude(exponent.n)
  if (exponent.d === 1n) {
    if (base.n === 0n && exponent.n < 0n) throw new RangeError('division by zero')
    if (base.d === 1n && magnitude(base.n) < 2n)
      return count === 0n || (base.n < 0n && count % 2n === 0n) ? unitFraction : base
    value.checkBits((Math.max(bigLog(magnitude(base.n)), bigLog(base.d)) / Math.LN2) * Number(count))
    const grown = { n: base.n ** count, d: base.d ** count }
    return exponent.n < 0n ? fraction(grown.d, grown.n) : grown
  }
  if (exponent.d <= 64n && count <= 64n) {
    const exact = root(base, exponent.d)
    if (isExact(exact)) return power(exact, fraction(exponent.n))
  }
  return toNumber(base) ** toNumber(exponent)
}

export function factorial(x: Value): Value {
  const n = whole(x, 'factorial')
  if (n < 0) throw new RangeError('there is no factorial of a number below 0')
  if (n > 3000) throw new RangeError(`the factorial of ${n} is too large to be worked out`)
  let product = 1n
  for (let factor = 2n; factor <= BigInt(n); factor++) product *= factor
  return fraction(product)
}

function root(x: Value, degree: bigint): Value {
  if (isExact(x)) {
    const top = exactRoot(x.n, degree)
    const below = exactRoot(x.d, degree)
    if (top !== undefined && below !== undefined) return fraction(top, below)
  }
  const number = toNumber(x)
  if (number < 0 && degree % 2n === 0n) throw new RangeError('a number below 0 has no real root')
  return degree === 2n ? Math.sqrt(number) : degree === 3n ? Math.cbrt(number) : number ** (1 / Number(degree))
}

// The integer whose power it is; undefined if there is none.
function exactRoot(x: bigint, degree: bigint): bigint | undefined {
  if (x < 0n) {
    const opposite = degree % 2n === 0n ? undefined : exactRoot(-x, degree)
    return opposite === undefined ? undefined : -opposite
  }
  if (x < 2n) return x
  let guess = 1n << BigInt(Math.ceil(x.toString(2).length / Number(degree)))
  for (;;) {
    const next = ((degree - 1n) * guess + x / guess ** (degree - 1n)) / degree
    if (next >= guess) break
    guess = next
  }
  return guess ** degree === x ? guess : undefined
}

function floor({ n, d }: Fraction): bigint {
  return n >= 0n || n % d === 0n ? n / d : n / d - 1n
}

// Halves round away from zero, as at school.
function round(x: Value, places: number): Value {
  if (Math.abs(places) > 1000) throw new RangeError('round takes at most 1000 places')
  if (!isExact(x)) return Number(`${Math.sign(x) * Math.round(Number(`${Math.abs(x)}e${places}`))}e${-places}`)
  const shift = power(ten, fraction(BigInt(places)))
  const half = fraction(x.n < 0n ? -1n : 1n, 2n)
  const { n, d } = plus(times(x, shift), half) as Fraction
  return over(fraction(n / d), shift)
}

function mean(...all: Value[]): Value {
  return over(all.reduce(plus), fraction(BigInt(all.length)))
}

function median(...all: Value[]): Value {
  const sorted = all.sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0))
  const middle = all.length / 2
  return mean(...sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1))
}

function lcm(a: bigint, b: bigint): Fraction {
  return a === 0n || b === 0n ? zero : fraction(magnitude(a * b) / value.gcd(a, b))
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

function logarithm(x: Value, base: Value): Value {
  const rough = positiveLog(x) / positiveLog(base)
  const near = Math.round(rough)
  if (isExact(x) && isExact(base) && Math.abs(rough - near) < 1e-9 && Math.abs(near) < 10_000) {
    const exact = fraction(BigInt(near))
    const back = power(base, exact)
    if (isExact(back) && value.isEqual(back, x)) return exact
  }
  return rough
}

// Also for numbers that are too large for the machine.
function positiveLog(x: Value): number {
  if (!isLess(zero, x)) throw new RangeError('only numbers above 0 have a logarithm')
  return isExact(x) ? bigLog(x.n) - bigLog(x.d) : Math.log(x)
}

function bigLog(x: bigint): number {
  const digits = x.toString()
  if (digits.length < 300) return Math.log(Number(x))
  return Math.log(Number(`0.${digits.slice(0, 20)}`)) + digits.length * Math.LN10
}

function integer(x: Value, what: string): bigint {
  if (isExact(x) && x.d === 1n) return x.n
  throw new RangeError(`${what} takes whole numbers`)
}

function whole(x: Value, what: string): number {
  return Number(integer(x, what))
}

// sin(pi) is 0; the machine's pi is not quite pi.
function nearZero(x: number): number {
  return Math.abs(x) < 1e-15 ? 0 : x
}
