import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { spanLength } from '../../src/core/time.ts'
import type { ToolContext, ToolResult } from '../../src/core/tool.ts'
import { isIndexed } from '../../src/core/video.ts'
import { subtitleReader } from '../../src/media/subtitles/parse-subtitles.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import transcribe from '../transcribe.ts'
import { indexedRows, orMissing } from './fallbacks.ts'
import { asTimestamp, readTimestamp, timestamp } from './timestamp.ts'

const maxSeconds = 300 // seconds that are listened to again; of more the index is read

export default defineTool({
  name: 'transcribe_speech',
  description:
    'What is said in a segment, line by line with times. Up to five minutes are listened to again with the best recogniser; of more, the transcript of the index is read.',
  kind: 'listen',
  makes: ['speech'],
  input: z.object({
    timestamp,
    language: z.string().optional().describe('language that is spoken, as "en"; left out, it is found out'),
  }),
  arguments: asTimestamp,
  run: ({ timestamp, language }, context) => spokenIn(timestamp, language, context),
})

// The speech of a segment; the transcript of the index where listening again is not possible or brings nothing better.
export async function spokenIn(
  written: string,
  language: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { span, note } = readTimestamp(written, context.video.duration, 10)
  const indexed = (why: string): ToolResult => {
    const rows = indexedRows('speech', span, context)
    return { evidence: rows, ...remarks(why, rows.length > 0 ? undefined : 'Nothing is said there.', note) }
  }
  if (context.index.coverage.speech.by === subtitleReader && !language)
    return indexed('These are the subtitles of the video.')
  if (spanLength(span) > maxSeconds) return indexed('This is the transcript of the index.')
  const again = await orMissing(context.services.retranscribe)
  if (again instanceof UsageError) {
    if (context.index.coverage.speech.items === 0) throw again
    return indexed(`This is the transcript of the index, as nothing can listen again: ${again.message}`)
  }
  if (again.madeIndex && !language && isIndexed(context.index.coverage.speech))
    return indexed(`This is the transcript of the index, made by the same recogniser (${again.by}).`)
  const { evidence, text } = await transcribe.run({ ...span, language }, context)
  return { evidence, ...remarks(text, note) }
}
