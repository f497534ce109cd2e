import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { readIn } from './extract-scene-text.ts'
import { mathLines } from './math-lines.ts'
import { orMissing } from './ready.ts'
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
    const found = read.evidence.flatMap(row => mathLines(row.text).map(line => ({ line, row })))
    const rows = [...new Set(found.map(({ row }) => row))]
    const lines = [...new Set(found.map(({ line }) => line))]
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
