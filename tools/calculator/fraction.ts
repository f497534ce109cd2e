// A number as it is, without rounding: n/d in lowest terms, d above 0.
export interface Fraction {
  n: bigint
  d: bigint
}

export const zero: Fraction = { n: 0n, d: 1n }
export const one: Fraction = { n: 1n, d: 1n }

export function fraction(n: bigint, d = 1n): Fraction {
  if (d === 0n) throw new RangeError('division by zero')
  const sign = d < 0n ? -1n : 1n
  const shared = gcd(n, d)
  return { n: (sign * n) / shared, d: (sign * d) / shared }
}

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [magnitude(a), magnitude(b)]
  while (y > 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d + b.n * a.d, a.d * b.d)
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d - b.n * a.d, a.d * b.d)
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.n, a.d * b.d)
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d, a.d * b.n)
}

// What is left of a after b goes into it a whole number of times; it has the sign of a, as in most languages.
export function remainder(a: Fraction, b: Fraction): Fraction {
  if (b.n === 0n) throw new RangeError('division by zero')
  return subtract(a, multiply(fraction((a.n * b.d) / (a.d * b.n)), b))
}

export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

// "12", "0.25", "2.5e-3" without any rounding; the caller knows that it is a number and that its exponent is small.
export function readDecimal(text: string): Fraction {
  const [, whole = '', part = '', exponent = '0'] = /^(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const shift = Number(exponent) - part.length
  const digits = BigInt(`${whole}${part}` || '0')
  return shift >= 0 ? fraction(digits * 10n ** BigInt(shift)) : fraction(digits, 10n ** BigInt(-shift))
}

// The nearest number that the machine has; also where n and d are far too large for it themselves.
export function toNumber({ n, d }: Fraction): number {
  const plain = Number(n) / Number(d)
  if (Number.isFinite(plain) && (plain !== 0 || n === 0n)) return plain
  const shift = digitCount(n) - digitCount(d) - 20
  const scaled = shift >= 0 ? n / (d * 10n ** BigInt(shift)) : (n * 10n ** BigInt(-shift)) / d
  return Number(`${scaled}e${shift}`)
}

export function digitCount(value: bigint): number {
  return magnitude(value).toString().length
}

// The whole number whose power it is; undefined where there is none.
export function exactRoot(value: bigint, degree: bigint): bigint | undefined {
  if (value < 0n) {
    if (degree % 2n === 0n) return undefined
    const root = exactRoot(-value, degree)
    return root === undefined ? undefined : -root
  }
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)))
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree
    if (next >= guess) break
    guess = next
  }
  return guess ** degree === value ? guess : undefined
}
