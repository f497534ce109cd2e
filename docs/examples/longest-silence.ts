import { z } from 'zod'
import { spanLength } from '../../src/core/time.ts'
import { defineTool } from '../../tools/define.ts'

export default defineTool({
  name: 'longest_silence',
  description: 'The longest stretch in which nobody speaks, for questions about pauses.',
  makes: ['sound'],
  input: z.object({}),
  async run(_input, context) {
    const lines = context.index.evidence({ tracks: ['speech'] })
    const edges = [0, ...lines.flatMap(line => [line.span.start, line.span.end]), context.video.duration]
    const pauses = edges.flatMap((start, at) =>
      at % 2 === 0 ? [{ start, end: Math.max(start, edges[at + 1] ?? start) }] : [],
    )
    const longest = pauses.reduce((a, b) => (spanLength(b) > spanLength(a) ? b : a))
    return {
      evidence: [context.note({ span: longest, track: 'sound', text: 'nobody speaks' }, 'tools/longest-silence')],
    }
  },
})
