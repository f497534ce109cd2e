import { z } from 'zod'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
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
    categories: defineList(z.string().min(1), 40).describe('names of things to look for'),
  }),
  async run({ timestamp, categories }, context) {
    const moments = readTimestamp(timestamp, context.video.duration, 2)
    const vision = {
      question: `Which of these can be seen, and where in the picture: ${categories.join(', ')}?`,
      remark: 'Told by the vision model, without boxes: no detector is set.',
    }
    const seen = await seenIn('object_detection', moments, categories, vision, context)
    if ('evidence' in seen) return seen
    const rows = categories.map(label => bestSight(seen, label, moments.span, context))
    const absent = categories.filter((_, at) => !rows[at])
    const not = absent.length > 0 ? `Not found in ${seen.frames.length} frames: ${absent.join(', ')}.` : undefined
    return { evidence: rows.filter(row => row !== undefined), ...remarks(not, moments.note) }
  },
})

// A list of one item or more that may also come as one text, with commas between.
function defineList<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess(value => (typeof value === 'string' ? split(value) : value), z.array(item).min(1).max(max))
}

function split(text: string): string[] {
  return text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(/(?<!\s)\s*[,;|]\s*/)
    .map(item => item.replace(/^["']|["']$/g, '').trim())
    .filter(Boolean)
}
