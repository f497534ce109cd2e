import type { Span } from '../../../src/core/time.ts'
import { prepare } from '../../prepare/prepare.ts'
import { groupWords, type TextWord, type WhisperVocabulary } from '../../prepare/vocabulary.ts'
import type { DecodedWindow } from './messages.ts'

export interface HeardWord extends Span {
  text: string // as written, with the space before it
  confidence: number
}

export interface HeardLine extends Span {
  words: HeardWord[]
  timed: boolean // by the model's attention; otherwise the words share out the time of the line
  probability: number // of its tokens, geometric mean, 0..1
}

const step = 0.02 // seconds of one time token

// The lines that one window's tokens make, on the clock of the video. `sound` is what the model heard of it.
export async function timedLines(
  written: DecodedWindow,
  sound: Span,
  { vocabulary, begin, median }: { vocabulary: WhisperVocabulary; begin: number; median: number },
  signal: AbortSignal,
): Promise<HeardLine[]> {
  const seconds = sound.end - sound.start
  const moved = ({ start, end }: Span): Span => ({ start: sound.start + start, end: sound.start + end })
  const texts = splitTexts(written.tokens, begin, vocabulary, seconds)
  const rows = texts.flatMap(text => text.rows)
  const times = await alignTokens(written, rows, { seconds, median, signal })
  return texts.map(({ rows, start, end }) => {
    const tokens = rows.map(row => written.tokens[row]!)
    const confidences = rows.map(row => written.probabilities[row]!)
    const words = groupWords(tokens, vocabulary)
    const spans = times
      ? words.map(({ from, to }) => inside(times.get(rows[from]!)!.start, times.get(rows[to]!)!.end, { start, end }))
      : sharedOut(words, { start, end })
    return {
      ...moved({ start, end }),
      timed: times !== undefined,
      probability: geometricMean(confidences),
      words: words.map(({ text, from, to }, i) => ({
        text,
        ...moved(spans[i]!),
        confidence: mean(confidences.slice(from, to + 1)),
      })),
    }
  })
}

// Text between two times. A text that the window cuts off ends with the window.
export function splitTexts(
  tokens: readonly number[],
  begin: number,
  vocabulary: WhisperVocabulary,
  seconds = Number.POSITIVE_INFINITY,
) {
  const texts: { rows: number[]; start: number; end: number }[] = []
  let open: { rows: number[]; start: number; end: number } | undefined
  tokens.forEach((token, row) => {
    if (token >= begin) {
      const time = Math.min(seconds, (token - begin) * step)
      if (open && open.rows.length > 0) {
        texts.push({ ...open, end: Math.max(time, open.start) })
        open = undefined
      } else open = { rows: [], start: time, end: seconds }
    } else if (vocabulary.isText(token)) {
      open ??= { rows: [], start: texts.at(-1)?.end ?? 0, end: seconds }
      open.rows.push(row)
    }
  })
  if (open && open.rows.length > 0) texts.push(open)
  return texts.filter(text => text.end > text.start)
}

async function alignTokens(
  { attention, tokens }: DecodedWindow,
  rows: number[],
  { seconds, median, signal }: { seconds: number; median: number; signal: AbortSignal },
): Promise<Map<number, Span> | undefined> {
  if (!attention || rows.length === 0) return undefined
  const end = Math.min(tokens.length, attention.dims[1] - 1)
  const times = await prepare('tokenTimes', [attention, seconds, median, [...rows, end]], signal)
  return new Map(rows.map((row, i) => [row, times[i]!]))
}

// The attention wanders at the ends of a line, whose own times are surer.
function inside(from: number, to: number, line: Span): Span {
  const start = Math.min(Math.max(from, line.start), line.end)
  return { start, end: Math.min(Math.max(to, start), line.end) }
}

// Shares out the time of a line by the length of its words.
function sharedOut(words: readonly TextWord[], line: Span): Span[] {
  const total = words.reduce((sum, { text }) => sum + text.length, 0) || 1
  let at = line.start
  return words.map(({ text }) => {
    const start = at
    at += ((line.end - line.start) * text.length) / total
    return { start, end: at }
  })
}

export function geometricMean(probabilities: number[]): number {
  return Math.exp(mean(probabilities.map(probability => Math.log(probability + 1e-10))))
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
