import { z } from 'zod'
import { Refused } from '../../../../src/core/api/problem.ts'
import { emptySpans } from '../../../../src/core/basics/gaps.ts'
import { type Evidence, Track } from '../../../../src/core/evidence.ts'
import { formatMoment, gapsBetween, parseTime } from '../../../../src/core/time.ts'
import { type Coverage, toldTracks, type Video } from '../../../../src/core/video.ts'

// What is said of a row besides its words, which stand in the fence under the same id.
export const McpMoment = z.object({
  row: z.string().describe('id of the row'),
  video: z.string().optional(),
  start: z.number().describe('seconds'),
  end: z.number(),
  track: Track,
  by: z.string().describe('which model or file says so'),
  confidence: z.number().optional().describe('0 to 1, where the model measures it'),
})
export type McpMoment = z.infer<typeof McpMoment>

type Row = Omit<Evidence, 'video'>

export function toMoment({ id, span, track, by, confidence }: Row): McpMoment {
  const sure = confidence === undefined ? {} : { confidence: Math.round(confidence * 100) / 100 }
  return { row: id, start: span.start, end: span.end, track, by, ...sure }
}

const unsure = 0.7

// A row as a host reads it: times to a tenth, and "(?)" at words that were recognised badly.
export function momentLine({ id, span, track, speaker, text, confidence }: Row): string {
  const times = `[${formatMoment(span.start)}-${formatMoment(span.end)}]`
  const doubt = track === 'speech' && confidence !== undefined && confidence < unsure ? ' (?)' : ''
  return `${id} ${times} ${track}${speaker ? ` ${speaker}` : ''}${doubt}: ${text.replace(/\s+/g, ' ').trim()}`
}

export const timeInput = z.union([z.number().min(0), z.string().max(20)]).describe('"3:20", or seconds')

// In seconds, within the video.
export function secondOf(given: number | string, name: string, { duration }: Pick<Video, 'duration'>): number {
  const second = parseTime(given)
  if (second === undefined)
    throw new Refused('usage', `"${name}" is not a time: ${JSON.stringify(given)}.`, 'Write "3:20", or seconds.')
  if (second > duration)
    throw new Refused(
      'usage',
      `"${name}" is ${formatMoment(second)}, and the video is ${formatMoment(duration)} long.`,
      'Name an earlier time.',
    )
  return second
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
