import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { spanLength } from '../../src/core/time.ts'
import type { ToolContext, ToolResult } from '../../src/core/tool.ts'
import { isIndexed } from '../../src/core/video.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import readText from '../read-text.ts'
import { indexedRows } from './fallbacks.ts'
import { asTimestamp, readTimestamp, timestamp } from './timestamp.ts'

const maxSeconds = 120 // seconds that are read again; of more the index is read

export default defineTool({
  name: 'extract_scene_text',
  description:
    'The text that can be read on screen in a segment: slides, captions, signs, overlays. Up to two minutes are read again at full resolution; of more, the index is read.',
  kind: 'read',
  makes: ['text'],
  input: z.object({ timestamp, language: z.string().optional().describe('language of the text, as "en"') }),
  arguments: asTimestamp,
  async run({ timestamp, language }, context) {
    const sceneText = await readIn(timestamp, context)
    const { by } = context.index.coverage.text
    const english = !language || /^en/i.test(language)
    const which = `The reader${by ? ` (${by})` : ''} was not told the language "${language}"; set it in models.readText.`
    return { evidence: sceneText.evidence, ...remarks(sceneText.text, english ? undefined : which) }
  },
})

// Read again, and what the index has of the same segment besides.
export async function readIn(written: string, context: ToolContext): Promise<ToolResult> {
  const { span, note } = readTimestamp(written, context.video.duration, 2)
  const hasRows = isIndexed(context.index.coverage.text)
  if (spanLength(span) > maxSeconds) {
    const rows = indexedRows('text', span, context)
    const nothing = rows.length > 0 ? undefined : 'No text is shown there.'
    return { evidence: rows, ...remarks('This is what the index has.', nothing, note) }
  }
  const indexed = hasRows ? indexedRows('text', span, context) : []
  try {
    const { evidence, text } = await readText.run(span, context)
    const texts = new Set(evidence.map(row => row.text))
    const rows = [...evidence, ...indexed.filter(row => !texts.has(row.text))]
    return { evidence: rows, ...remarks(rows.length > 0 ? undefined : text, note) }
  } catch (error) {
    if (!(error instanceof UsageError) || !hasRows) throw error
    return { evidence: indexed, ...remarks(`Read from the index only: ${error.message}`, note) }
  }
}
