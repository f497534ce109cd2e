import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { formatTime, touches } from '../../src/core/time.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { needsOneOf, orMissing } from './ready.ts'
import { mostAtOnce, seenIn } from './seen-things.ts'
import { readTimestamp, timestamp, type Wanted } from './timestamp.ts'

const label = 'human face'
const question =
  'Which people are shown? For each: what they look like, and their name and role only where a caption, a name tag or a sign in the picture says it.'

export default defineTool({
  name: 'detect_faces',
  description:
    'The people that a segment shows, with the names and roles that the picture itself gives (captions, name tags). Nobody is named by face alone.',
  input: z.object({ timestamp }),
  async run({ timestamp }, context) {
    const wanted = readTimestamp(timestamp, context.video.duration, 4)
    const detector = await orMissing(context.services.detect)
    const vision = await orMissing(context.services.vision)
    if (detector instanceof UsageError && vision instanceof UsageError)
      throw needsOneOf('detect_faces', 'a detector or a vision model', [detector, vision])
    const faces = detector instanceof UsageError ? [] : await facesIn(wanted, detector, context)
    const people =
      vision instanceof UsageError ? undefined : await look.run({ ...wanted.span, question, frames: 8 }, context)
    const captions = context.index
      .evidence({ tracks: ['text'], span: wanted.span })
      .filter(row => touches(row.span, wanted.span))
    const evidence = [...faces, ...(people?.evidence ?? [])]
    const none = evidence.length > 0 ? undefined : 'No face was found.'
    const names =
      captions.length > 0 ? 'The text rows are what is on screen meanwhile; they may hold the names.' : undefined
    return { evidence: [...evidence, ...captions.slice(0, 10)], ...remarks(none, people?.text, names, wanted.note) }
  },
})

type Detecting = Awaited<ReturnType<ToolContext['services']['detect']>>

async function facesIn(wanted: Wanted, detector: Detecting, context: ToolContext): Promise<Evidence[]> {
  const seen = await seenIn(wanted, [label], detector, context)
  const most = mostAtOnce(seen, label)
  if (!most) return []
  return most.found.map((one, at) =>
    context.note(
      {
        span: wanted.span,
        track: 'picture',
        text: `face ${at + 1} of ${most.count} at ${formatTime(most.time)}, nobody known by it`,
        confidence: Math.min(1, Math.max(0, one.confidence)),
        frame: most.time,
        box: one.box,
      },
      seen.by,
    ),
  )
}
