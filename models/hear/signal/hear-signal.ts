import type { Finding } from '../../../src/core/evidence.ts'
import type { Listener } from '../../../src/core/services.ts'
import { roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { lowerQuantile } from '../../quantile.ts'
import { EventBuilder } from './event-builder.ts'
import { type Label, labelFrames } from './label-frames.ts'
import type { SoundEvent } from './sound-event.ts'
import { frameSeconds, hop, type SoundFrame, signalRate, size, soundFrame } from './sound-frame.ts'

export const hearSignal: Listener['hear'] = async function* ({ audio, span }, signal) {
  const builder = new EventBuilder()
  const changes = new LoudnessChanges()
  for await (const { frame, label, time } of labelled(audio, span, signal)) {
    for (const change of changes.push(frame.level, time)) builder.add(change)
    for (const event of builder.push(label, frame, time)) yield finding(event, span)
  }
  for (const event of builder.finish()) yield finding(event, span)
}

const core = Math.round(16 / frameSeconds) // frames labelled at a time
const context = Math.round(4 / frameSeconds) // frames before and after that help to tell what they are
const batch = Math.round(2 / frameSeconds) // frames analysed before other work gets its turn

async function* labelled(audio: AudioSource, span: Span, signal: AbortSignal) {
  const end = Math.min(span.end, audio.duration)
  const total = Math.max(0, Math.floor((end - span.start) / frameSeconds))
  let window: SoundFrame[] = [] // those of the context before, of the core and of the context after
  let first = 0 // which frame the window begins with
  for (let at = 0; at < total; at += core) {
    while (first + window.length < Math.min(total, at + core + context)) {
      signal.throwIfAborted()
      const from = first + window.length
      const count = Math.min(batch, total - from)
      window.push(...(await analysed(audio, span.start + from * frameSeconds, count)))
      await new Promise(setImmediate)
    }
    const labels = labelFrames(window)
    for (const [i, frame] of window.slice(at - first, Math.min(at + core, total) - first).entries())
      yield { frame, label: placed(labels[at - first + i]!, first), time: span.start + (at + i) * frameSeconds }
    const keepFrom = Math.max(first, at + core - context)
    window = window.slice(keepFrom - first)
    first = keepFrom
  }
}

// A sound that reaches over the end of a window is found from both sides; by its frame in the whole it is known as one.
function placed({ kind, singular }: Label, first: number): Label {
  return singular ? { kind, singular: { ...singular, from: singular.from + first, to: singular.to + first } } : { kind }
}

async function analysed(audio: AudioSource, start: number, count: number): Promise<SoundFrame[]> {
  const length = (count - 1) * hop + size
  const samples = new Float32Array(length)
  samples.set((await audio.read({ start, end: start + length / signalRate })).subarray(0, length))
  return Array.from({ length: count }, (_, i) => soundFrame(samples, i * hop))
}

function finding(event: SoundEvent, within: Span): Finding {
  const span = { start: roundTime(event.span.start), end: roundTime(Math.min(event.span.end, within.end)) }
  return { span, track: 'sound', text: soundSentence(event) }
}

const side = Math.round(3 / frameSeconds) // frames before and after a moment that are compared
const minChange = 12 // decibels
const audible = -55 // decibels below full scale; what rises out of silence is an event already
const apart = 5 // seconds between two changes

// Finds where the sound becomes much louder or quieter and stays so. The upper quarter of the levels is compared, so that
// the pauses of speech do not count.
class LoudnessChanges {
  readonly #levels: number[] = []
  #best: SoundEvent | undefined
  #last = Number.NEGATIVE_INFINITY

  push(level: number, time: number): SoundEvent[] {
    this.#levels.push(level)
    if (this.#levels.length > side * 2) this.#levels.shift()
    if (this.#levels.length < side * 2 || Math.round(time / frameSeconds) % 4 !== 0) return []
    const before = lowerQuantile(this.#levels.slice(0, side), 0.75)
    const after = lowerQuantile(this.#levels.slice(side), 0.75)
    const at = time - (side - 1) * frameSeconds
    const change = Math.abs(after - before)
    const waiting = this.#best
    if (
      change >= minChange &&
      Math.min(before, after) > audible &&
      at - this.#last >= apart &&
      change > (waiting?.change ?? 0)
    )
      this.#best = {
        kind: after > before ? 'louder' : 'quieter',
        span: { start: at, end: at + 1 },
        count: 1,
        centre: 0,
        level: after,
        change,
      }
    if (!waiting || waiting !== this.#best || at - waiting.span.start < 1) return []
    this.#best = undefined
    this.#last = waiting.span.start
    return [waiting]
  }
}

// What is heard in one sentence: what the signal shows first, and in brackets what it may be. Nothing here knows what made
// a sound, so every name is a likeness.
function soundSentence(event: SoundEvent): string {
  const plain = ['silence', 'louder', 'quieter'].includes(event.kind)
  return `${plain ? '' : loudness(event.level)}${sentences[event.kind](event)}`
}

const sentences: Record<SoundEvent['kind'], (event: SoundEvent) => string> = {
  tone: event =>
    event.count > 1
      ? `${event.count} beeps${near(event)} (beep- or alarm-like)`
      : seconds(event) > 1.5
        ? `steady tone${near(event)} (long beep-, alarm- or whistle-like)`
        : `beep${near(event)} (short tone, beep- or whistle-like)`,
  sweep: event =>
    `tone that glides between ${rounded(event.pitch?.low ?? 0)} and ${rounded(event.pitch?.high ?? 0)} Hz (siren- or alarm-like)`,
  ring: event =>
    event.count > 1
      ? `${event.count} strokes of a ringing sound${near(event)} (bell- or chime-like)`
      : `struck sound that rings${near(event)} (bell- or chime-like)`,
  knock: event =>
    event.centre < 900
      ? `${counted(event, 'knock', 'knocks')} (short dull blows: door knock- or thud-like)`
      : `${counted(event, 'click', 'clicks')} (short sharp blows: clap-, click- or tap-like)`,
  burst: event => `${counted(event, 'short burst', 'short bursts')} of sound (bark-, cough- or shout-like)`,
  crackle: () => 'dense crackle of short blows (applause-, rain- or frying-like)',
  speech: () => 'speech-like sound (somebody may be talking)',
  music: () => 'music-like sound (held notes that change)',
  noise: () => 'noise (rain-, water-, crowd- or traffic-like)',
  rumble: () => 'low rumbling noise (engine-, wind- or thunder-like)',
  hiss: () => 'hissing noise (rain-, spray- or static-like)',
  backdrop: () => 'background noise',
  hum: event => `low steady hum${near(event)} (motor- or mains-like)`,
  silence: () => 'silence',
  louder: ({ change }) => `it becomes much louder (by about ${Math.round(change ?? 0)} decibels)`,
  quieter: ({ change }) => `it becomes much quieter (by about ${Math.round(change ?? 0)} decibels)`,
}

function loudness(level: number): string {
  return level > -10 ? 'loud ' : level < -42 ? 'faint ' : ''
}

function counted(event: SoundEvent, one: string, many: string): string {
  return event.count === 1 ? one : `${event.count} ${many}`
}

function near({ pitch }: SoundEvent): string {
  return pitch ? ` near ${rounded((pitch.low + pitch.high) / 2)} Hz` : ''
}

// Two figures are what a person wants, three what the measurement bears.
function rounded(pitch: number): number {
  const step = pitch < 1000 ? 10 : 50
  return Math.round(pitch / step) * step
}

function seconds({ span }: SoundEvent): number {
  return span.end - span.start
}
