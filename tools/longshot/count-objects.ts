import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { needsOneOf, orMissing } from './ready.ts'
import { mostAtOnce, seenIn } from './seen-things.ts'
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
    const wanted = readTimestamp(timestamp, context.video.duration, 2)
    const detector = await orMissing(context.services.detect)
    if (detector instanceof UsageError) {
      const vision = await orMissing(context.services.vision)
      if (vision instanceof UsageError)
        throw needsOneOf('count_objects', 'a detector or a vision model', [detector, vision])
      const question = `How many of these can be seen at once at most: ${object_query}? Begin with the number.`
      const { evidence, text } = await look.run({ ...wanted.span, question, frames: 8 }, context)
      return { evidence, ...remarks('Counted by the vision model, not by a detector.', text, wanted.note) }
    }
    const seen = await seenIn(wanted, [object_query], detector, context)
    const most = mostAtOnce(seen, object_query)
    const looked = `${seen.frames.length} frames were looked at.`
    if (!most) return { evidence: [], ...remarks(`0 of "${object_query}": none was found.`, looked, wanted.note) }
    const text = `${most.count} of "${object_query}" at once at most, at ${formatTime(most.time)}; seen in ${most.inFrames} of ${seen.frames.length} frames`
    const confidence = most.found.reduce((sum, one) => sum + one.confidence, 0) / most.count
    const row = context.note(
      { span: wanted.span, track: 'picture', text, frame: most.time, confidence: Math.min(1, Math.max(0, confidence)) },
      seen.by,
    )
    return { evidence: [row], ...remarks(looked, wanted.note) }
  },
})
