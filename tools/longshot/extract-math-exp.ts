import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { readIn } from './extract-scene-text.ts'
import { orMissing } from './fallbacks.ts'
import { readTimestamp, timestamp } from './timestamp.ts'

const question =
  'Write down every mathematical expression or formula that can be read, each on its own line as LaTeX, nothing else. If there is none, say "none".'

export default defineTool({
  name: 'extract_math_exp',
  description:
    'The formulas and sums that can be read on screen in a segment. With a vision model they come as LaTeX; without one, as the lines of text that hold mathematics.',
  makes: ['text'],
  input: z.object({
    timestamp,
    language: z.string().optional().describe('language of the words around them, as "en"'),
  }),
  async run({ timestamp }, context) {
    const read = await readIn(timestamp, context)
    const formulas = read.evidence.flatMap(row => mathLines(row.text).map(line => ({ line, row })))
    const rows = [...new Set(formulas.map(({ row }) => row))]
    const lines = [...new Set(formulas.map(({ line }) => line))]
    const vision = await orMissing(context.services.vision)
    if (!(vision instanceof UsageError)) {
      const { span } = readTimestamp(timestamp, context.video.duration, 2)
      const seen = await look.run({ ...span, question, frames: 4 }, context)
      const real = seen.evidence.filter(row => !/^\W*none\W*$/i.test(row.text))
      return { evidence: [...real, ...rows], ...remarks(list(lines), seen.text) }
    }
    return { evidence: rows, ...remarks(list(lines) ?? 'No mathematics was read there.', read.text) }
  },
})

function list(lines: readonly string[]): string | undefined {
  return lines.length > 0 ? `Expressions as read: ${lines.map(line => `"${line}"`).join(', ')}.` : undefined
}

// The parts of a text that are mathematics rather than words: "E = mc^2", "3x + 5 > 20", "f(x) = sin(x)".
export function mathLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap(line => line.split(/\s{3,}|;\s/))
    .map(line => withoutWords(line.trim()))
    .filter(isMathematics)
}

const relation = /[=≈≠≤≥<>≡→∝]/
const operator = /[-+*/^×÷·±√∑∫∂∏%!²³]|\b(?:sqrt|sin|cos|tan|log|ln|exp|lim|mod)\b/
const operand = /\d|\b[a-zA-Zα-ωΑ-Ω]\b|\b[a-zA-Z]\d\b/

// A time, a date, a price or a web address has digits and signs and is not a formula.
const other = /^\d{1,2}:\d{2}(?::\d{2})?$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|https?:|www\.|@|^[\d\s.,-]+$/

function isMathematics(line: string): boolean {
  if (line.length < 3 || other.test(line)) return false
  const words =
    line.match(/[a-zA-Z]{4,}/g)?.filter(word => !/^(?:sqrt|sinh|cosh|tanh|asin|acos|atan)$/.test(word)) ?? []
  if (words.length > 1) return false
  const operands = line.match(new RegExp(operand, 'g'))?.length ?? 0
  return (
    operands >= 1 &&
    (relation.test(line) ? /\w/.test(line.split(relation)[1] ?? '') : operator.test(line) && operands >= 2)
  )
}

// "Area: A = pi r^2" is about the part after the colon.
function withoutWords(line: string): string {
  return line.replace(/^[A-Za-z][A-Za-z ]{2,40}:\s+(?=\S*.*[=+*/^<>-])/, '')
}
