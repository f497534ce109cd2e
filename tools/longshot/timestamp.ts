import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { clampSpan, formatTime, type Span } from '../../src/core/time.ts'
import type { ToolWish } from '../../src/core/tool.ts'

// The `timestamp` of LongShOTBench's tools: a range or a moment, in whatever way it is written.
export const timestamp = z
  .preprocess(asText, z.string().min(1))
  .describe('a range as "MM:SS-MM:SS" or "HH:MM:SS-HH:MM:SS", or one moment as "MM:SS"; seconds are understood too')

// A wish as the argument of these tools: the whole video where it names no time.
export function asTimestamp({ start, end }: ToolWish): { timestamp: string } {
  if (start === undefined && end === undefined) return { timestamp: 'whole video' }
  const last = end === undefined ? 'end' : formatTime(Math.ceil(end))
  return { timestamp: `${formatTime(Math.floor(start ?? 0))}-${last}` }
}

export interface TimestampQuery {
  span: Span
  moment: boolean // one moment was named, and the span is what lies around it
  note?: string // what was changed to fit the video
}

// "00:10-00:20", "1:02:03", "75.5", "[10, 20]", "from 0:10 to 0:20", "1m30s": what span of this video is meant.
export function readTimestamp(written: string, duration: number, around = 5): TimestampQuery {
  if (/^\s*(the\s+)?(whole|entire|full|all)\b/i.test(written))
    return { span: { start: 0, end: duration }, moment: false }
  const times = timesIn(written, duration)
  if (times.length === 0 || times.length > 2)
    throw new UsageError(`timestamp "${written.slice(0, 60)}" is not one time or one range.`, {
      hint: 'Write "MM:SS-MM:SS", as "01:05-01:35"; make one call for each range.',
    })
  const start = Math.min(...times)
  const end = Math.max(...times)
  if (start >= duration)
    throw new UsageError(
      `timestamp "${written.slice(0, 60)}" lies after the end: the video is ${formatTime(duration)} long.`,
      { hint: `Name a time between 0:00 and ${formatTime(duration)}.` },
    )
  if (start === end)
    return { span: clampSpan({ start: start - around / 2, end: start + around / 2 }, duration), moment: true }
  const span = clampSpan({ start, end }, duration)
  return span.end < end - 0.5
    ? { span, moment: false, note: `The video ends at ${formatTime(duration)}.` }
    : { span, moment: false }
}

// A time with a colon, one with units, or plain seconds; "end" is the end of the video.
const time =
  /\b(end)\b|(?:(?:(\d+):)?(\d{1,3}):(\d{1,2}(?:[.,]\d+)?))|(?:(\d+)\s*h(?:ours?|rs?)?\s*)?(?:(\d+)\s*m(?:in(?:ute)?s?)?(?![a-z])\s*)?(?:(\d+(?:\.\d+)?)\s*(?:s(?:ec(?:ond)?s?)?(?![a-z]))?)?/giu

const maxLength = 200 // characters: two times and the words around them

function timesIn(written: string, duration: number): number[] {
  const times: number[] = []
  for (const match of written.slice(0, maxLength).matchAll(time)) {
    if (match[0].trim() === '') continue
    const [text, end, hours, minutes, seconds, h, m, s] = match
    if (end) times.push(duration)
    else if (seconds !== undefined)
      times.push(Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.')))
    else times.push(shorthand(text, Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s ?? 0), times))
  }
  return times
}

// "1:10-20" ends at 1:20.
function shorthand(text: string, value: number, before: readonly number[]): number {
  const [start] = before
  if (start === undefined || !/^\d{1,2}$/.test(text.trim()) || value >= start || value >= 60) return value
  return Math.floor(start / 60) * 60 + value
}

// Numbers, pairs and objects become the text that they stand for.
function asText(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? String(value) : value
  if (Array.isArray(value) && value.length <= 2 && value.every(isTime)) return value.join(' - ')
  if (typeof value !== 'object' || value === null) return value
  const { start, end, from, to, start_time, end_time } = value as Record<string, unknown>
  const [first, last] = [start ?? start_time ?? from, end ?? end_time ?? to]
  if (!isTime(first)) return value
  return isTime(last) ? `${first} - ${last}` : String(first)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value) && value >= 0)
}
