import { z } from 'zod'
import { BackendError, UsageError } from '../src/core/errors.ts'
import type { Evidence } from '../src/core/evidence.ts'
import { contains } from '../src/core/time.ts'
import type { ToolContext } from '../src/core/tool.ts'
import { damageText, lostSpans } from '../src/core/video.ts'
import { defineTool } from './define.ts'
import { endInput, partNote, remarks, shortenSpan, startInput } from './inputs.ts'

const maxSeconds = 300 // seconds

export default defineTool({
  name: 'listen',
  description:
    'Listens to the sounds of a span (up to 300 s): music, applause, alarms, animals, machines. With a model that understands sound it also answers a question about them. For words use transcribe.',
  kind: 'listen',
  makes: ['sound'],
  input: z.object({
    start: startInput,
    end: endInput,
    question: z.string().optional().describe('one focused question about the sound'),
  }),
  async run({ start, end, question }, context) {
    const audio = await context.audio()
    if (!audio) throw new BackendError('The video has no audio track.')
    const span = shortenSpan({ start, end }, maxSeconds)
    const { by, service } = await listener(context)
    const rows: Evidence[] = []
    const lost = lostSpans(context.index.coverage, 'sound', span)
    for await (const finding of service.hear({ audio, span, question }, context.signal))
      if (!lost.some(gap => contains(gap, finding.span))) rows.push(context.note(finding, by))
    const nothing = rows.length > 0 ? undefined : 'Nothing was heard in this span.'
    return {
      evidence: rows,
      ...remarks(nothing, partNote({ start, end }, span), ...lost.map(gap => `${damageText(gap)}.`)),
    }
  },
})

// The captioner if there is one, else what finds sounds at index time.
async function listener({ services }: ToolContext) {
  try {
    return await services.listen()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return services.hear()
  }
}
