import { clampSpan, mergeSpans, roundTime, type Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'

// Pieces of speech spliced together with silence between them, for a recogniser that starts slowly. Each piece knows where it
// came from, so that a time on the reel can be converted to the time in the video.
export interface Reel {
  pieces: Piece[]
  seconds: number
}

interface Piece {
  span: Span // in the video
  at: number // on the reel
}

const silence = 0.8 // seconds between pieces: long enough for a recogniser to end its utterance
const near = 0.5 // spans closer than this stay one, with the real sound between them

// Packs spans into reels of about `length` seconds. No piece is longer than `maxPiece`; it is cut where it is quietest.
// `margin` seconds of the real sound stay around each span, where a recogniser measures the noise.
export async function* reels(
  audio: AudioSource,
  spans: readonly Span[],
  { length, maxPiece, margin = 0 }: { length: number; maxPiece: number; margin?: number },
): AsyncGenerator<Reel> {
  let reel: Reel = { pieces: [], seconds: silence }
  const wide = spans.map(span => ({ start: span.start - margin, end: span.end + margin }))
  const inside = wide.map(span => clampSpan({ start: Math.max(0, span.start), end: span.end }, audio.duration))
  for (const span of mergeSpans(inside, near)) {
    for await (const piece of cutWhereQuiet(audio, span, maxPiece)) {
      if (reel.pieces.length > 0 && reel.seconds + piece.end - piece.start > length) {
        yield reel
        reel = { pieces: [], seconds: silence }
      }
      reel.pieces.push({ span: piece, at: reel.seconds })
      reel.seconds += piece.end - piece.start + silence
    }
  }
  if (reel.pieces.length > 0) yield reel
}

// The first `seconds` of the sound on a reel, and then the reel from its beginning. Recognisers learn the sound of a
// channel while they listen; so they hear the first words twice, and only the second hearing counts.
export function withLeadIn({ pieces, seconds }: Reel, leadIn: number): Reel & { from: number } {
  const heard: Piece[] = []
  let at = silence
  for (const { span } of pieces) {
    const secondsLeft = leadIn + silence - at
    if (secondsLeft <= 0.1) break
    const reelPart = { start: span.start, end: Math.min(span.end, span.start + secondsLeft) }
    heard.push({ span: reelPart, at })
    at += reelPart.end - reelPart.start
  }
  const shift = at
  const moved = pieces.map(piece => ({ span: piece.span, at: piece.at + shift }))
  return { pieces: [...heard, ...moved], seconds: seconds + shift, from: shift + silence / 2 }
}

// The reel as signed 16-bit samples.
export async function reelBytes(audio: AudioSource, reel: Reel): Promise<Uint8Array> {
  const samples = new Int16Array(Math.ceil(reel.seconds * audio.rate))
  for (const { span, at } of reel.pieces) {
    const start = Math.round(at * audio.rate)
    const pieceSamples = await audio.read(span)
    for (let i = 0; i < pieceSamples.length && start + i < samples.length; i++)
      samples[start + i] = Math.max(-32_768, Math.min(32_767, Math.round(pieceSamples[i]! * 32_768)))
  }
  return new Uint8Array(samples.buffer)
}

// From a time on the reel to the time in the video; in the silence between two pieces, the nearest end of one.
export function videoTime({ pieces }: Reel, seconds: number): number {
  let best = { distance: Number.POSITIVE_INFINITY, time: 0 }
  for (const { span, at } of pieces) {
    const inside = Math.min(Math.max(seconds, at), at + span.end - span.start)
    const distance = Math.abs(seconds - inside)
    if (distance < best.distance) best = { distance, time: span.start + inside - at }
  }
  return roundTime(best.time)
}

async function* cutWhereQuiet(audio: AudioSource, span: Span, maxPiece: number): AsyncGenerator<Span> {
  let { start } = span
  while (span.end - start > maxPiece) {
    const cut = await quietest(audio, { start: start + maxPiece / 2, end: start + maxPiece })
    yield { start, end: cut }
    start = cut
  }
  if (span.end > start) yield { start, end: span.end }
}

// The middle of the quietest fifth of a second; the first of those that are equal but for rounding.
export async function quietest(audio: AudioSource, span: Span): Promise<number> {
  const samples = await audio.read(span)
  const width = Math.round(0.2 * audio.rate)
  let power = 0
  let best = { power: Number.POSITIVE_INFINITY, at: width }
  for (let i = 0; i < samples.length; i++) {
    power += samples[i]! ** 2 - (i >= width ? samples[i - width]! ** 2 : 0)
    if (i >= width && power < best.power - 1e-9) best = { power, at: i }
  }
  return span.start + (best.at - width / 2) / audio.rate
}
