import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { listOf } from './list-of.ts'
import { needsOneOf, orMissing } from './ready.ts'
import { bestSight, seenIn } from './seen-things.ts'
import { readTimestamp, timestamp } from './timestamp.ts'

export default defineTool({
  name: 'object_detection',
  description:
    'Which of the named things (objects, logos, brands, animals) a segment shows, each with its place on the picture and the moments at which it was seen.',
  kind: 'look',
  makes: ['picture'],
  input: z.object({
    timestamp,
    categories: listOf(z.string().min(1), 40).describe('names of things to look for'),
  }),
  async run({ timestamp, categories }, context) {
    const wanted = readTimestamp(timestamp, context.video.duration, 2)
    const detector = await orMissing(context.services.detect)
    if (detector instanceof UsageError) {
      const vision = await orMissing(context.services.vision)
      if (vision instanceof UsageError)
        throw needsOneOf('object_detection', 'a detector or a vision model', [detector, vision])
      const question = `Which of these can be seen, and where in the picture: ${categories.join(', ')}?`
      const { evidence, text } = await look.run({ ...wanted.span, question, frames: 8 }, context)
      return { evidence, ...remarks('Told by the vision model, without boxes: no detector is set.', text, wanted.note) }
    }
    const seen = await seenIn(wanted, categories, detector, context)
    const rows = categories.map(label => bestSight(seen, label, wanted.span, context))
    const absent = categories.filter((_, at) => !rows[at])
    const not = absent.length > 0 ? `Not found in ${seen.frames.length} frames: ${absent.join(', ')}.` : undefined
    return { evidence: rows.filter(row => row !== undefined), ...remarks(not, wanted.note) }
  },
})
