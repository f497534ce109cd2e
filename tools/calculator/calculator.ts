import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { evaluate } from './evaluate.ts'
import { showValue } from './show-value.ts'
import { ExpressionError } from './tokens.ts'

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
