import { z } from 'zod'
import { BackendError } from '../src/core/errors.ts'
import type { Evidence } from '../src/core/evidence.ts'
import { damageText, lostSpans } from '../src/core/video.ts'
import { defineTool } from './define.ts'
import { endInput, partNote, remarks, shortenSpan, startInput } from './inputs.ts'

const maxSeconds = 300 // seconds that the refiner is asked for at once

export default defineTool({
  name: 'transcribe',
  description:
    'Listens to the speech of a span again with the best recogniser there is (up to 300 s). Use it where the words of a row look wrong or cut off.',
  kind: 'listen',
  makes: ['speech'],
  input: z.object({
    start: startInput,
    end: endInput,
    language: z.string().optional().describe('two letters, as "en"'),
  }),
  async run({ start, end, language }, context) {
    const audio = await context.audio()
    if (!audio) throw new BackendError('The video has no audio track.')
    const { by, service } = await context.services.retranscribe()
    const span = shortenSpan({ start, end }, maxSeconds)
    const rows: Evidence[] = []
    const tagged = context.video.sound?.language
    for await (const finding of service.transcribe({ audio, spans: [span], language, tagged }, context.signal))
      rows.push(context.note(finding, by))
    const lost = lostSpans(context.index.coverage, 'speech', span).map(gap => `${damageText(gap)}.`)
    const nothing = rows.length > 0 ? undefined : 'No speech was recognised in this span.'
    return { evidence: rows, ...remarks(nothing, partNote({ start, end }, span), ...lost) }
  },
})
