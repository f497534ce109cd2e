import { z } from 'zod'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { formatSpan, touches } from '../../src/core/time.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import { centralLines, countWords } from '../stages/overview/central-lines.ts'
import { readTimestamp, timestamp } from './timestamp.ts'
import { askWriter, writesProse } from './translate.ts'

const maxMaterial = 24_000 // characters
const lengths = { short: 40, brief: 40, medium: 90, long: 200, detailed: 200 } // words

export default defineTool({
  name: 'summarize_segment',
  description:
    'A summary of a segment from what is said, shown and heard in it. Without a language model it consists of the lines that say most.',
  input: z.object({
    timestamp,
    text: z.string().describe('what to summarise, as a transcript; or "" for all that is known of the segment'),
    length: z
      .preprocess(value => (typeof value === 'number' ? String(value) : value), z.string().min(1))
      .describe('"short", "medium", "long", or a number of words'),
  }),
  async run({ timestamp, text, length }, context) {
    const { span, note } = readTimestamp(timestamp, context.video.duration, 30)
    const tracks = ['speech', 'text', 'sound', 'picture'] as const
    const rows = context.index.evidence({ tracks: [...tracks], span }).filter(row => touches(row.span, span))
    if (text.trim() === '' && rows.length === 0)
      return { evidence: [], ...remarks(`Nothing is known of ${formatSpan(span)}.`, note) }
    const words = wordsWanted(length)
    const writer = await context.services.writer()
    if (!writesProse(writer))
      return await extracted(rows, words, context.index.evidence({ tracks: ['speech', 'text'] }), note)
    const material = text.trim() || rows.sort(byTime).map(formatLine).join('\n')
    const { text: summary, remark } = await askWriter(
      writer,
      {
        purpose: 'summarise',
        task: `Summarise the text in at most ${words} words. Say only what it says; name no times.`,
        material: material.slice(0, maxMaterial),
        maxTokens: Math.max(200, words * 3),
      },
      context,
    )
    const cut =
      material.length > maxMaterial ? 'Only the first part fitted; summarise shorter segments for the rest.' : ''
    const row = context.note({ span, track: 'summary', text: summary }, writer.by)
    return { evidence: [row], ...remarks(cut, remark, note) }
  },
})

// The rows that say most, in their own words; nothing is invented.
async function extracted(rows: Evidence[], words: number, all: Evidence[], note: string | undefined) {
  const textRows = rows.filter(row => row.track === 'speech' || row.track === 'text')
  const from = textRows.length > 0 ? textRows : rows
  const size = (some: Evidence[]) => some.reduce((sum, row) => sum + row.text.split(/\s+/).length, 0)
  const everywhere = await countWords(all)
  let lines = await centralLines(from, everywhere, 1)
  for (let count = 2; count <= from.length; count++) {
    const more = await centralLines(from, everywhere, count)
    if (size(more) > words) break
    lines = more
  }
  const how = 'The lines that say most, as no language model is set for the role "writer".'
  return { evidence: lines.sort(byTime), ...remarks(how, note) }
}

function wordsWanted(length: string): number {
  const namedLength = Object.entries(lengths).find(([name]) => length.toLowerCase().includes(name))
  const number = Number(/\d+/.exec(length)?.[0] ?? Number.NaN)
  if (Number.isNaN(number)) return namedLength?.[1] ?? lengths.medium
  const unit = /sentence|line|bullet/i.test(length) ? 18 : /paragraph/i.test(length) ? 80 : 1
  return Math.min(600, Math.max(10, number * unit))
}

function formatLine(row: Evidence): string {
  return `${formatSpan(row.span)} ${row.track}: ${row.text.replace(/\s+/g, ' ')}`
}
