import { z } from 'zod'
import { BackendError } from '../../src/core/errors.ts'
import type { Finding, Word } from '../../src/core/evidence.ts'
import { roundConfidence, speechLines } from './speech-lines.ts'
import { type Reel, videoTime } from './splice-speech.ts'

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

// The reply of the endpoint in the format "verbose_json".
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
  const words = wordsIn(transcript, segments).filter(word => isWithinPieces(reel, word))
  if (words.length > 0)
    return speechLines(words.map(word => onVideo(reel, word))).map(line => ({ ...line, text: joined(line.text) }))
  if (segments.length > 0)
    return segments.filter(segment => isWithinPieces(reel, segment)).flatMap(segment => segmentLine(reel, segment))
  const text = transcript.segments?.length ? '' : (transcript.text ?? '').trim()
  if (text === '') return []
  const [piece, ...others] = reel.pieces
  if (piece && others.length === 0) return [{ span: piece.span, track: 'speech', text }]
  throw new BackendError(`${name} transcribes without times.`, {
    hint: 'Set windowSeconds to 5, so that each piece is a call of its own, or use a server that answers "verbose_json".',
  })
}

// Whisper's own limits for hallucinations: probably silence and an unsure text, or highly repetitive text.
function isSpeech({ no_speech_prob, avg_logprob, compression_ratio, text }: Segment): boolean {
  if (text.trim() === '') return false
  if ((no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1) return false
  return (compression_ratio ?? 0) <= 2.4
}

function wordsIn(transcript: Transcript, segments: Segment[]): HeardWord[] {
  const within = segments.flatMap(segment => segment.words ?? [])
  if (within.length > 0) return within
  const words = transcript.words ?? []
  if (!transcript.segments?.length) return words
  return words.filter(({ start, end }) =>
    segments.some(segment => start < segment.end + 0.1 && end > segment.start - 0.1),
  )
}

// Words that a model hears in the silence between two pieces are hallucinated.
function isWithinPieces({ pieces }: Reel, { start, end }: { start: number; end: number }): boolean {
  return pieces.some(({ span, at }) => start < at + span.end - span.start + 0.2 && end > at - 0.2)
}

function onVideo(reel: Reel, word: HeardWord): Word {
  const start = videoTime(reel, word.start)
  return {
    text: (word.word ?? word.text ?? '').trim(),
    start,
    end: Math.max(start, videoTime(reel, word.end)),
    ...(typeof word.probability === 'number' && { confidence: roundConfidence(word.probability) }),
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
      ...(typeof sure === 'number' && { confidence: roundConfidence(Math.exp(sure)) }),
    },
  ]
}

// Removes the spaces in scripts that are written without them.
function joined(text: string): string {
  const letter = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}、。，！？]'
  return text.replaceAll(new RegExp(`(?<=${letter}) +(?=${letter})`, 'gu'), '')
}
