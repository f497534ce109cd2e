import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { evaluate } from './evaluate.ts'
import { ExpressionError } from './tokens.ts'
import { type CalculatorValue, digitCount, type Fraction, isExact, magnitude } from './value.ts'

export default defineTool({
  name: 'calculator',
  description:
    'Works out an arithmetic expression exactly: + - * / % ^ ! ( ), sqrt, abs, min, max, round, floor, ceil, log (base 10), ln, exp, sin (radians), factorial, mean, pi, e. Use it for every sum instead of reckoning yourself.',
  input: z.object({
    expression: z.string().min(1).describe('as "(12.5 + 3) * 4 / 7"; numbers and signs only, no words, units or names'),
  }),
  async run({ expression }) {
    try {
      return { evidence: [], text: `${expression.trim()} = ${showValue(evaluate(expression))}`, outcome: 'found' }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw new UsageError(`calculator: ${error.message} (at character ${error.at} of "${shortened(expression)}").`, {
        hint: 'Write it with numbers, + - * / % ^, parentheses and functions, as "(12.5 + 3) * 4".',
      })
    }
  },
})

function shortened(expression: string): string {
  const line = expression.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}...` : line
}

// "0.3", "1/3 = 0.333333333333...", "≈ 1.4142135623731": exact where it is, and saying so where it is not.
export function showValue(value: CalculatorValue): string {
  if (!isExact(value)) return `≈ ${Number(value.toPrecision(14))}`
  const { n, d } = value
  if (d === 1n) return wholeText(n)
  if (digitCount(d) - digitCount(n) > 30) return `≈ ${scientific(value)}`
  const places = decimalPlaces(d)
  if (places !== undefined) return fixed(value, places)
  const near = `${fixed(value, Math.max(12, digitCount(d) - digitCount(n) + 12))}...`
  return digitCount(n) + digitCount(d) <= 60 ? `${n}/${d} = ${near}` : near
}

// How many places a decimal number with this denominator has; undefined if they never end, or not within 60.
function decimalPlaces(d: bigint): number | undefined {
  for (let places = 1; places <= 60; places++) if (10n ** BigInt(places) % d === 0n) return places
}

// Cut, not rounded: what follows is shown by dots.
function fixed({ n, d }: Fraction, places: number): string {
  const scaled = (magnitude(n) * 10n ** BigInt(places)) / d
  const digits = scaled.toString().padStart(places + 1, '0')
  return `${n < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function scientific({ n, d }: Fraction): string {
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
