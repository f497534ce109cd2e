import { z } from 'zod'
import { formatTime } from '../../src/core/time.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import { maxAtOnce, seenIn } from './seen-things.ts'
import { readTimestamp, timestamp } from './timestamp.ts'

export default defineTool({
  name: 'count_objects',
  description:
    'How many of one sort of thing a segment shows: the most that any single frame holds at once. It cannot tell whether a thing that comes back is the same one.',
  kind: 'look',
  makes: ['picture'],
  input: z.object({
    timestamp,
    object_query: z.string().min(1).describe('the thing, in one to three words: "red car"'),
  }),
  async run({ timestamp, object_query }, context) {
    const moments = readTimestamp(timestamp, context.video.duration, 2)
    const vision = {
      question: `How many of these can be seen at once at most: ${object_query}? Begin with the number.`,
      remark: 'Counted by the vision model, not by a detector.',
    }
    const seen = await seenIn('count_objects', moments, [object_query], vision, context)
    if ('evidence' in seen) return seen
    const max = maxAtOnce(seen, object_query)
    const looked = `${seen.frames.length} frames were looked at.`
    if (!max) return { evidence: [], ...remarks(`0 of "${object_query}": none was found.`, looked, moments.note) }
    const text = `${max.found.length} of "${object_query}" at once at most, at ${formatTime(max.time)}; seen in ${max.inFrames} of ${seen.frames.length} frames`
    const confidence = max.found.reduce((sum, one) => sum + one.confidence, 0) / max.found.length
    const row = context.note(
      { span: moments.span, track: 'picture', text, frame: max.time, confidence: Math.min(1, Math.max(0, confidence)) },
      seen.by,
    )
    return { evidence: [row], ...remarks(looked, moments.note) }
  },
})
