import { z } from 'zod'
import { UsageError } from '../src/core/errors.ts'
import { formatSpan } from '../src/core/time.ts'
import { defineTool } from './define.ts'
import { endInput, startInput } from './inputs.ts'

export default defineTool({
  name: 'focus',
  description:
    'Sends a helper with a fresh mind to one span of some minutes with one question. It searches, looks and checks there by itself, and comes back with short findings and the ids of the rows that bear them out. Use it where a span needs several looks; for a single look use look.',
  sends: 'helper',
  input: z.object({
    start: startInput,
    end: endInput,
    question: z.string().min(1).max(1000).describe('one question that is clear on its own: no "he", no "that"'),
  }),
  async run({ start, end, question }, context) {
    if (!context.focus)
      throw new UsageError('focus sends a helper out for a planner, and there is none here.', {
        hint: 'It is for the agent; ask about the span itself with look, transcribe or timeline.',
      })
    const span = { start, end }
    const summary = await context.focus({ question, span })
    context.spend(summary.spent)
    const lines = summary.sentences.map(({ text, cites }) => [text, ...cites].join(' '))
    const text = [
      lines.length > 0 ? lines.join('\n') : `Nothing in ${formatSpan(span)} answers it.`,
      ...(summary.unknown.length > 0 ? [`Not found there: ${summary.unknown.join(' ')}`] : []),
      ...(summary.ended ? [`It ended before it was done: ${summary.ended}.`] : []),
    ].join('\n')
    return { evidence: summary.evidence, text, outcome: lines.length > 0 ? 'found' : 'nothing', steps: summary.steps }
  },
})
