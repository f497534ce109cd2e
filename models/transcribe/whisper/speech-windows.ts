import { mergeSpans, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { quietest } from '../splice-speech.ts'

// What the model hears at once (`sound`), and the part that it transcribes (`core`). Where speech crosses the edge of the core,
// the sound goes on beyond it, so that one of the two windows hears the word on the edge whole.
export interface SpeechWindow {
  sound: Span
  core: Span
  joins: boolean // its core begins where the one before it ends
}

const near = 0.5 // spans closer than this are one
const pad = 0.2 // seconds of sound around speech

// A group of spans ends where it is too long for one window, and at a silence of `pause` seconds.
export async function* speechWindows(
  audio: AudioSource,
  spans: readonly Span[],
  { seconds, overlap, pause = Number.POSITIVE_INFINITY }: { seconds: number; overlap: number; pause?: number },
): AsyncGenerator<SpeechWindow> {
  const room = seconds - 2 * pad
  let group: Span | undefined
  for (const span of mergeSpans(spans, near)) {
    const whole = within(audio, span.start, span.end)
    if (whole.end <= whole.start) continue
    if (group && whole.start - group.end < pause && whole.end - group.start <= room) {
      group = { start: group.start, end: whole.end }
      continue
    }
    if (group) yield* cut(audio, group, seconds, overlap)
    group = whole
  }
  if (group) yield* cut(audio, group, seconds, overlap)
}

async function* cut(audio: AudioSource, span: Span, seconds: number, overlap: number): AsyncGenerator<SpeechWindow> {
  let { start } = span
  let joins = false
  for (;;) {
    const leadIn = joins ? overlap : pad
    if (span.end - start <= seconds - leadIn - pad) break
    const room = seconds - leadIn - overlap
    const end = await quietest(audio, { start: start + room * 0.6, end: start + room })
    yield { sound: within(audio, start - leadIn, end + overlap), core: { start, end }, joins }
    start = end
    joins = true
  }
  const leadSeconds = joins ? overlap : pad
  yield { sound: within(audio, start - leadSeconds, span.end + pad), core: { start, end: span.end }, joins }
}

function within(audio: AudioSource, start: number, end: number): Span {
  return { start: Math.max(0, start), end: Math.min(end, audio.duration) }
}

// The sound of a window, silent outside the spans that are asked for: nothing else is listened to.
export async function windowSound(
  audio: AudioSource,
  window: SpeechWindow,
  spans: readonly Span[],
): Promise<Float32Array> {
  const samples = await audio.read(window.sound)
  const fade = Math.round(0.02 * audio.rate)
  const heard = mergeSpans(
    spans.map(span => ({ start: Math.max(0, span.start - pad), end: span.end + pad })),
    near,
  )
  const loudness = new Float32Array(samples.length)
  for (const span of heard) {
    const from = Math.round((span.start - window.sound.start) * audio.rate)
    const to = Math.round((span.end - window.sound.start) * audio.rate)
    for (let i = Math.max(0, from); i < Math.min(samples.length, to); i++)
      loudness[i] = Math.max(loudness[i]!, Math.min(1, (i - from + 1) / fade, (to - i) / fade))
  }
  return samples.map((sample, i) => sample * loudness[i]!)
}
