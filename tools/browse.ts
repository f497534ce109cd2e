import { z } from 'zod'
import { formatSpan, spanLength } from '../src/core/time.ts'
import { defineTool } from './define.ts'
import { endInput, inputSpan, startInput } from './inputs.ts'

const long = 600 // seconds; of a longer span the scenes are shown rather than its clips

export default defineTool({
  name: 'browse',
  description:
    'What happens in a part of the video, as it was summed up: its chapters, the scenes of a chapter, or clips of about a minute. Go from the whole into the part that matters, then look, listen or read there.',
  input: z.object({
    start: startInput.optional(),
    end: endInput.optional(),
    level: z
      .enum(['chapter', 'scene', 'clip'])
      .optional()
      .describe('how fine; left out: scenes of a long span, clips of a short one'),
    k: z.number().int().min(1).max(200).default(40).describe('how many parts'),
  }),
  makes: ['summary'],
  offered: ({ overview }) => overview.scenes !== undefined,
  async run({ level, k, ...times }, { index }) {
    const span = inputSpan(times, index.video.duration)
    const chosen = level ?? (spanLength(span) > long ? 'scene' : 'clip')
    const all = index.evidence({ tracks: ['summary'], span }).filter(row => row.level === chosen)
    const rest = all.slice(k)
    const text =
      rest.length > 0
        ? `${rest.length} more ${chosen}s from ${formatSpan({ start: rest[0]?.span.start ?? 0, end: span.end })} on.`
        : all.length === 0
          ? `No ${chosen} was written of ${formatSpan(span)}.`
          : `${all.length} ${chosen}${all.length === 1 ? '' : 's'} of ${formatSpan(span)}.`
    return { evidence: all.slice(0, k), text }
  },
})
