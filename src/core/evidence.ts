import { z } from 'zod'
import { contentHash } from './json.ts'
import { formatSpan, roundTime, Span } from './time.ts'
import { trackNames } from './words/track-names.ts'

export const Track = z.enum(trackNames)
export type Track = z.infer<typeof Track>

// Where on the picture, as fractions of its width and height.
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Box = z.infer<typeof Box>

export const Word = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().optional(),
})
export type Word = z.infer<typeof Word>

// What a summary is of, from a minute to the whole video.
export const SummaryLevel = z.enum(['clip', 'scene', 'chapter', 'whole'])
export type SummaryLevel = z.infer<typeof SummaryLevel>

// What a backend finds. `stamp` makes it Evidence by adding which video and who said so.
export const Finding = z.object({
  span: Span,
  track: Track,
  text: z.string(),
  confidence: z.number().min(0).max(1).optional(), // only where the backend measures one
  frame: z.number().optional(), // seconds of the frame that shows it best; of text that rests, when the picture beside it is whole
  box: Box.optional(),
  speaker: z.string().optional(),
  words: z.array(Word).optional(),
  level: SummaryLevel.optional(), // of a row of the track "summary" that a language model wrote
})
export type Finding = z.infer<typeof Finding>

// One thing learned: when, what, who said so. Tools return it, the index stores it, answers cite it by id.
export const Evidence = Finding.extend({ id: z.string(), video: z.string(), by: z.string() })
export type Evidence = z.infer<typeof Evidence>
export type EvidenceId = string

// The id comes from the content, so the same finding twice is one. `by` is "role/backend", as "transcribe/whisper".
export function stamp(finding: Finding, video: string, by: string): Evidence {
  const span = { start: roundTime(finding.span.start), end: roundTime(finding.span.end) }
  const id = `${finding.track[0]}${contentHash([video, span.start, span.end, finding.track, finding.text, by]).slice(0, 10)}`
  return { ...finding, span, id, video, by }
}

type LineRow = Pick<Evidence, 'id' | 'span' | 'track' | 'speaker' | 'text'>

// A row on one line, as models read it; it belongs into a fence.
export function rowLine(row: LineRow): string {
  return longRowLine(row, 600)
}

// With so many characters of its text.
export function longRowLine({ id, span, track, speaker, text }: LineRow, max: number): string {
  const who = speaker ? ` ${speaker}` : ''
  return `${id} ${formatSpan(span)} ${track}${who}: ${text.replace(/\s+/g, ' ').slice(0, max)}`
}

export function byTime(a: { span: Span }, b: { span: Span }): number {
  return a.span.start - b.span.start || a.span.end - b.span.end
}
