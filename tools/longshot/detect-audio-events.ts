import { z } from 'zod'
import { spanLength } from '../../src/core/time.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import listen from '../listen.ts'
import { indexedRows } from './fallbacks.ts'
import { asTimestamp, readTimestamp, timestamp } from './timestamp.ts'

const maxSeconds = 300 // seconds that are listened to again; of more the index is read

export default defineTool({
  name: 'detect_audio_events',
  description:
    'The sounds of a segment that are not words: music, applause, alarms, engines, silence, with their times. For words use transcribe_speech.',
  kind: 'listen',
  makes: ['sound'],
  input: z.object({ timestamp }),
  arguments: asTimestamp,
  async run({ timestamp }, context) {
    const { span, note } = readTimestamp(timestamp, context.video.duration, 10)
    if (spanLength(span) <= maxSeconds) {
      const { evidence, text } = await listen.run(span, context)
      return { evidence, ...remarks(text, note) }
    }
    const rows = indexedRows('sound', span, context)
    const nothing = rows.length > 0 ? undefined : 'Nothing was heard there.'
    return { evidence: rows, ...remarks('This is what the index has.', nothing, note) }
  },
})
