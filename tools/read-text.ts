import { z } from 'zod'
import type { Evidence } from '../src/core/evidence.ts'
import type { TextLine } from '../src/core/services.ts'
import { spreadStills } from '../src/core/sight/spread.ts'
import { type Span, touches } from '../src/core/time.ts'
import type { VideoIndex } from '../src/core/video.ts'
import { defineTool } from './define.ts'
import { endInput, partNote, remarks, shortenSpan, startInput } from './inputs.ts'
import { sampleMoments } from './moments.ts'

const maxSeconds = 120 // seconds
const maxFrames = 6

export default defineTool({
  name: 'read_text',
  description:
    'Reads the text on screen in frames of a span at full resolution (up to 120 s). Use it where a text row looks garbled, small or cut off.',
  kind: 'read',
  makes: ['text'],
  input: z.object({ start: startInput, end: endInput }),
  async run({ start, end }, context) {
    const span = shortenSpan({ start, end }, maxSeconds)
    const { by, service } = await context.services.readText()
    const times = textMoments(span, context.index)
    const frames = await context.frames(times)
    const read = await service.read(frames, context.signal)
    const rows: Evidence[] = []
    for (const [i, { time }] of frames.entries()) {
      const lines = read[i] ?? []
      if (lines.length === 0) continue
      const text = lines.map(line => line.text).join('\n')
      if (rows.some(row => row.text === text)) continue
      const next = frames[i + 1]?.time ?? Math.max(span.end, time)
      const indexedRow = context.index
        .evidence({ tracks: ['text'], span: { start: time, end: time } })
        .find(row => touches(row.span, { start: time, end: time }))
      rows.push(
        context.note(
          {
            span: indexedRow?.span ?? { start: time, end: next },
            track: 'text',
            text,
            confidence: meanConfidence(lines),
            frame: time,
          },
          by,
        ),
      )
    }
    const nothing = rows.length > 0 ? undefined : `No text was read in ${frames.length} frames.`
    return { evidence: rows, ...remarks(nothing, partNote({ start, end }, span)) }
  },
})

// Where the picture changed, since there another text may be; then evenly between.
function textMoments(span: Span, index: VideoIndex): number[] {
  const stills = index.stills.filter(({ reason }) => reason !== 'interval')
  const fresh = spreadStills({ ...index, stills }, span, maxFrames).map(still => still.time)
  const rest = fresh.length < maxFrames ? sampleMoments(span, index, maxFrames - fresh.length) : []
  return [...new Set([...fresh, ...rest])].sort((a, b) => a - b)
}

function meanConfidence(lines: readonly TextLine[]): number {
  return Math.min(1, Math.max(0, lines.reduce((sum, line) => sum + line.confidence, 0) / lines.length))
}
