import type { Finding } from '../../../src/core/evidence.ts'
import type { Listener } from '../../../src/core/services.ts'
import { roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { EventBuilder } from './event-builder.ts'
import { type Label, labelFrames } from './label-frames.ts'
import { LoudnessChanges } from './loudness-changes.ts'
import { soundSentence } from './sentences.ts'
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
