import { clockTime, parseTime, type Span } from '../../core/time.ts'
import { numberValue } from '../number-words.ts'

export interface StatedSpan {
  span?: Span
  moment?: number
  rest: string // the question without the times
}

const amount = String.raw`(\d+(?:\.\d+)?|a|an|one|two|three|four|five|ten|fifteen|twenty|thirty|forty|sixty|half a)`
const unit = `(s|secs?|seconds?|m|mins?|minutes?|hours?)`

// The times that a question names: "at 1:15", "between 0:10 and 0:20", "in the first 30 seconds", "in the last minute".
export function statedSpan(question: string, duration: number): StatedSpan {
  for (const [pattern, read] of readers) {
    const match = pattern.exec(question)
    const times = match && read(match, duration)
    if (match && times) {
      const rest = `${question.slice(0, match.index)} ${question.slice(match.index + match[0].length)}`
        .replace(/\s+/g, ' ')
        .trim()
      return { ...times, rest }
    }
  }
  return { rest: question }
}

type Read = (match: RegExpExecArray, duration: number) => { span?: Span; moment?: number } | undefined

const readers: [RegExp, Read][] = [
  [
    new RegExp(
      String.raw`\b(?:between|from|in|during|at)?\s*\[?(${clockTime})\s*(?:and|to|until|-|–|—)\s*(${clockTime})\]?`,
      'i',
    ),
    (match, duration) => spanFrom(parseTime(match[1]), parseTime(match[2]), duration),
  ],
  [
    /\b(?:between|from)\s+(?:second\s+)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\s+(?:and|to|until)\s+(?:second\s+)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)\b/i,
    (match, duration) => spanFrom(Number(match[1]), Number(match[2]), duration),
  ],
  [
    new RegExp(
      String.raw`\b(?:in|during|within|over|of)?\s*(?:the\s+)?(?:first|opening|initial)\s+${amount}?\s*${unit}\b`,
      'i',
    ),
    (match, duration) => spanFrom(0, seconds(match), duration),
  ],
  [
    new RegExp(
      String.raw`\b(?:in|during|within|over|of)?\s*(?:the\s+)?(?:last|final|closing)\s+${amount}?\s*${unit}\b`,
      'i',
    ),
    (match, duration) => spanFrom(duration - seconds(match), duration, duration),
  ],
  [
    /\b(?<=how (?:does|do|did) (?:the|this) \w+ )(end|finish|close|start|begin|open)\b/i,
    (match, d) => ({
      span: /end|finish|close/i.test(match[0])
        ? { start: Math.min(d - 10, d * 0.9), end: d }
        : { start: 0, end: Math.max(10, d * 0.1) },
    }),
  ],
  [
    /\bin the (first|second) half\b(?: of the \w+)?/i,
    (match, d) => (match[1] === 'first' ? { span: { start: 0, end: d / 2 } } : { span: { start: d / 2, end: d } }),
  ],
  [
    /\b(?:at|in|near|towards?) the (?:very )?(?:beginning|start|opening)\b(?: of (?:the|this) (?:video|clip|film|recording|talk|lecture|movie))?/i,
    (_, d) => ({ span: { start: 0, end: Math.max(10, d * 0.15) } }),
  ],
  [
    /\b(?:at|in|near|towards?) the (?:very )?end\b(?: of (?:the|this) (?:video|clip|film|recording|talk|lecture|movie))?/i,
    (_, d) => ({ span: { start: Math.min(d - 10, d * 0.85), end: d } }),
  ],
  [
    new RegExp(
      String.raw`\b(?:at|around|about|near)?\s*(?:the\s+)?(?:time(?:stamp)?\s+)?(?<![\d:])(${clockTime})(?![\d:])(?:\s*mark)?`,
      'i',
    ),
    (match, duration) => momentAt(parseTime(match[1]), duration),
  ],
  [
    /\b(?:at|around|about|near)\s+(?:the\s+)?(?:(\d+(?:\.\d+)?)\s*-?\s*(?:s|secs?|seconds?)\b|second\s+(\d+))(?:\s+(?:mark|in\b))?/i,
    (match, duration) => momentAt(Number(match[1] ?? match[2]), duration),
  ],
  [
    /\b(?:at|around|about|near|in)\s+(?:the\s+)?(?:(\d+(?:\.\d+)?)\s*-?\s*(?:mins?|minutes?)\b|minute\s+(\d+))(?:\s+(?:mark|in\b))?/i,
    (match, duration) => momentAt(Number(match[1] ?? match[2]) * 60, duration),
  ],
]

// A time past the end is part of what is asked about ("the train at 9:30"), not a place in the video.
function momentAt(second: number | undefined, duration: number) {
  return second === undefined || second > duration ? undefined : { moment: second }
}

function spanFrom(a: number | undefined, b: number | undefined, duration: number) {
  if (a === undefined || b === undefined || Math.min(a, b) > duration) return undefined
  return { span: { start: Math.max(0, Math.min(a, b)), end: Math.min(duration, Math.max(a, b)) } }
}

const amounts: Record<string, number> = { a: 1, an: 1, 'half a': 0.5 }

// Of a match with a count, absent in "the last minute", and a unit.
function seconds([, count, name = '']: RegExpExecArray): number {
  const number =
    count === undefined ? 1 : (amounts[count.toLowerCase()] ?? numberValue(count.toLowerCase()) ?? Number(count))
  return number * (/^h/i.test(name) ? 3600 : /^m/i.test(name) ? 60 : 1)
}
