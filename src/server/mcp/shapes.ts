import { z } from 'zod'
import { type Evidence, Track } from '../../core/evidence.ts'
import { gapsBetween } from '../../core/time.ts'
import { type Coverage, emptySpans, toldTracks } from '../../core/video.ts'

// What is said of a row besides its words, which stand in the fence under the same id.
export const Moment = z.object({
  row: z.string().describe('id of the row'),
  video: z.string().optional(),
  start: z.number().describe('seconds'),
  end: z.number(),
  track: Track,
  by: z.string().describe('which model or file says so'),
})
export type Moment = z.infer<typeof Moment>

export function momentOf({ id, span, track, by }: Pick<Evidence, 'id' | 'span' | 'track' | 'by'>): Moment {
  return { row: id, start: span.start, end: span.end, track, by }
}

// What could not be looked at: an absent row there means nothing.
export const Gap = z.object({
  track: z.enum(['picture', 'speech', 'sound', 'text', 'caption']),
  state: z.enum(['partial', 'absent', 'off', 'failed']),
  spans: z
    .array(z.object({ start: z.number(), end: z.number() }))
    .describe(
      'of a partial track, the first of them; of speech also voices that were not understood, of pictures what no frame was kept of',
    ),
})
export type Gap = z.infer<typeof Gap>

const maxSpans = 4

export function gapsOf(coverage: Coverage): Gap[] {
  const whole = { start: 0, end: coverage.duration }
  return toldTracks(coverage, ['picture', 'speech', 'sound', 'text']).flatMap(({ name, track }) => {
    const { state, spans } = track
    const empty = emptySpans(track)
    if (state === 'indexed')
      return empty.length > 0 ? [{ track: name, state: 'partial', spans: empty.slice(0, maxSpans) }] : []
    return [{ track: name, state, spans: state === 'partial' ? gapsBetween(spans, whole).slice(0, maxSpans) : [] }]
  })
}

export const videoInput = z.string().min(1).max(300).describe('id of the video, or its file name where only one has it')
export const cursorInput = z
  .string()
  .regex(/^\d{1,9}$/)
  .optional()
  .describe('"cursor" of the reply before, for the next page')
export const cursorOutput = z.string().optional().describe('there is more: the "cursor" of the next call')
