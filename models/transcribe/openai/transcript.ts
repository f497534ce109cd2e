import { z } from 'zod'
import { BackendError } from '../../../src/core/errors.ts'
import type { Finding, Word } from '../../../src/core/evidence.ts'
import { type Reel, videoTime } from '../reel.ts'
import { speechLines } from '../speech-lines.ts'

const HeardWord = z.object({
  word: z.string().optional(),
  text: z.string().optional(), // some servers call it so
  start: z.number(),
  end: z.number(),
  probability: z.number().nullish(),
})
const Segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  words: z.array(HeardWord).nullish(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  compression_ratio: z.number().nullish(),
})

// What the endpoint answers in the form "verbose_json".
export const Transcript = z
  .object({
    text: z.string().nullish(),
    words: z.array(HeardWord).nullish(),
    segments: z.array(Segment).nullish(),
  })
  .refine(({ text, words, segments }) => [text, words, segments].some(part => part !== undefined), 'no transcript')
export type Transcript = z.infer<typeof Transcript>
type HeardWord = z.infer<typeof HeardWord>
type Segment = z.infer<typeof Segment>

// The lines of a transcript of a reel, on the clock of the video. Where the server times words, lines are made of them.
export function heardLines(transcript: Transcript, reel: Reel, name: string): Finding[] {
  const segments = (transcript.segments ?? []).filter(isSpeech)
  const words = wordsOf(transcript, segments).filter(word => isInPieces(reel, word))
  if (words.length > 0)
    return speechLines(words.map(word => onVideo(reel, word))).map(line => ({ ...line, text: joined(line.text) }))
  if (segments.length > 0)
    return segments.filter(segment => isInPieces(reel, segment)).flatMap(segment => segmentLine(reel, segment))
  const text = transcript.segments?.length ? '' : (transcript.text ?? '').trim()
  if (text === '') return []
  if (reel.pieces.length === 1) return [{ span: reel.pieces[0]!.span, track: 'speech', text }]
  throw new BackendError(`${name} transcribes without times.`, {
    hint: 'Set windowSeconds to 5, so that each piece is a call of its own, or use a server that answers "verbose_json".',
  })
}

// Whisper's own rules for what it made up: hardly speech and not sure of it, or the same words over and over.
function isSpeech({ no_speech_prob, avg_logprob, compression_ratio, text }: Segment): boolean {
  if (text.trim() === '') return false
  if ((no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1) return false
  return (compression_ratio ?? 0) <= 2.4
}

function wordsOf(transcript: Transcript, segments: Segment[]): HeardWord[] {
  const within = segments.flatMap(segment => segment.words ?? [])
  if (within.length > 0) return within
  const words = transcript.words ?? []
  if (!transcript.segments?.length) return words
  return words.filter(({ start, end }) =>
    segments.some(segment => start < segment.end + 0.1 && end > segment.start - 0.1),
  )
}

// A model that hears words in the silence between two pieces made them up.
function isInPieces({ pieces }: Reel, { start, end }: { start: number; end: number }): boolean {
  return pieces.some(({ span, at }) => start < at + span.end - span.start + 0.2 && end > at - 0.2)
}

function onVideo(reel: Reel, word: HeardWord): Word {
  const start = videoTime(reel, word.start)
  return {
    text: (word.word ?? word.text ?? '').trim(),
    start,
    end: Math.max(start, videoTime(reel, word.end)),
    ...(typeof word.probability === 'number' && { confidence: fraction(word.probability) }),
  }
}

function segmentLine(reel: Reel, segment: Segment): Finding[] {
  const start = videoTime(reel, segment.start)
  const end = videoTime(reel, segment.end)
  if (end <= start) return []
  const sure = segment.avg_logprob
  return [
    {
      span: { start, end },
      track: 'speech',
      text: segment.text.trim(),
      ...(typeof sure === 'number' && { confidence: fraction(Math.exp(sure)) }),
    },
  ]
}

// Scripts that know no spaces between words get none.
function joined(text: string): string {
  const letter = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}、。，！？]'
  return text.replaceAll(new RegExp(`(?<=${letter}) +(?=${letter})`, 'gu'), '')
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
}
