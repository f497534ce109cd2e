import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { missingServices, orMissing } from './fallbacks.ts'
import { asTimestamp, readTimestamp, timestamp } from './timestamp.ts'

const question =
  'What do the people or animals do? Name each action shortly ("walks to the door", "writes on the board"), in the order in which they happen, one a line.'

export default defineTool({
  name: 'detect_activities',
  description: 'What people and animals do in a segment (up to a minute), action by action, as a vision model sees it.',
  kind: 'look',
  makes: ['picture'],
  input: z.object({ timestamp }),
  arguments: asTimestamp,
  async run({ timestamp }, context) {
    const { span, note } = readTimestamp(timestamp, context.video.duration, 8)
    const vision = await orMissing(context.services.vision)
    if (vision instanceof UsageError) throw missingServices('detect_activities', 'a vision model', [vision])
    const { evidence, text } = await look.run({ ...span, question, frames: 12 }, context)
    return { evidence, ...remarks(text, note) }
  },
})
