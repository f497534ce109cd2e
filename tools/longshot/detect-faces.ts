import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { Face, FaceFinder } from '../../src/core/services.ts'
import { formatTime, touches } from '../../src/core/time.ts'
import type { NamedService, ToolContext } from '../../src/core/tool.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import look from '../look.ts'
import { sampleMoments } from '../moments.ts'
import { missingServices, orMissing } from './fallbacks.ts'
import { asTimestamp, readTimestamp, type TimestampQuery, timestamp } from './timestamp.ts'

const question =
  'Which people are shown? For each: what they look like, and their name and role only where a caption, a name tag or a sign in the picture says it.'
const maxFrames = 8
const width = 960

export default defineTool({
  name: 'detect_faces',
  description:
    'The people that a segment shows: whom the user gave pictures of by name, others by the captions and name tags in the picture. A stranger is not named by face.',
  kind: 'look',
  makes: ['picture'],
  input: z.object({ timestamp }),
  arguments: asTimestamp,
  async run({ timestamp }, context) {
    const moments = readTimestamp(timestamp, context.video.duration, 4)
    const finder = await orMissing(context.services.faces)
    const vision = await orMissing(context.services.vision)
    if (finder instanceof UsageError && vision instanceof UsageError)
      throw missingServices('detect_faces', 'a face finder or a vision model', [finder, vision])
    const faces = finder instanceof UsageError ? [] : await facesIn(moments, finder, context)
    const people =
      vision instanceof UsageError
        ? undefined
        : await look.run({ ...moments.span, question, frames: maxFrames }, context)
    const captions = context.index
      .evidence({ tracks: ['text'], span: moments.span })
      .filter(row => touches(row.span, moments.span))
    const evidence = [...faces, ...(people?.evidence ?? [])]
    const none = evidence.length > 0 ? undefined : 'No face was found.'
    const names =
      captions.length > 0 ? 'The text rows are what is on screen meanwhile; they may hold the names.' : undefined
    return { evidence: [...evidence, ...captions.slice(0, 10)], ...remarks(none, people?.text, names, moments.note) }
  },
})

// Each known person where the likeness is greatest; of strangers, the frame that shows most at once.
async function facesIn(
  { span, moment }: TimestampQuery,
  finder: NamedService<FaceFinder>,
  context: ToolContext,
): Promise<Evidence[]> {
  const times = moment ? [(span.start + span.end) / 2] : sampleMoments(span, context.index, maxFrames)
  const frames = await context.frames(times, width)
  const facesByFrame = await finder.service.faces(frames, context.signal)
  const all = frames.flatMap(({ time }, at) => (facesByFrame[at] ?? []).map(face => ({ ...face, time })))
  const names = [...new Set(all.flatMap(face => face.person ?? []))]
  const people = names.map(person => {
    const best = all.filter(face => face.person === person).reduce((a, b) => (likeness(b) > likeness(a) ? b : a))
    return {
      ...best,
      text: `${person}, known by face (likeness ${likeness(best).toFixed(2)}) at ${formatTime(best.time)}`,
    }
  })
  const strangers = frames.map(({ time }) => all.filter(face => face.time === time && !face.person))
  const largest = strangers.reduce((a, b) => (b.length > a.length ? b : a), [])
  const unknown = largest.map((face, at) => ({
    ...face,
    text: `face ${at + 1} of ${largest.length} at ${formatTime(face.time)}, not recognised`,
  }))
  return [...people, ...unknown].map(({ text, time, box, confidence }) =>
    context.note(
      { span, track: 'picture', text, confidence: Math.min(1, Math.max(0, confidence)), frame: time, box },
      finder.by,
    ),
  )
}

function likeness(face: Face): number {
  return face.likeness ?? -1
}
