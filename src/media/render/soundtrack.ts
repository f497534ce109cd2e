import { seededRandom } from '../../core/basics/numbers.ts'
import type { Span } from '../../core/time.ts'
import { sampleRate } from '../audio.ts'
import { speak } from '../speak.ts'
import { type AudioCue, countFrames, type Script } from './scene.ts'
import { soundShape } from './sound-shapes.ts'

const hiss = 0.0006 // a room is never wholly silent, and recognisers are not made for zeros
const loudness = { speech: 0.6, sound: 0.4 }

interface Playing {
  first: number // sample of the whole video
  samples: Float32Array | 'silence'
  length: number
}

export interface Soundtrack {
  spans: Span[] // where each cue is heard, in the script's order
  pieces: AsyncIterable<{ first: number; samples: Float32Array }> // a second each, in order
}

// The sound of a script. Only what is heard in the current second is held.
export async function soundtrack(script: Script, signal: AbortSignal): Promise<Soundtrack> {
  const spans: Span[] = []
  for (const cue of script.cues) {
    const start = cue.at / script.fps
    const seconds =
      cue.kind === 'speech' ? (await speak(cue.text, cue.voice, signal)).length / sampleRate : cue.frames / script.fps
    spans.push({ start, end: start + seconds })
  }
  return { spans, pieces: mix(script, spans, signal) }
}

async function* mix(script: Script, spans: Span[], signal: AbortSignal) {
  const total = Math.round((countFrames(script) / script.fps) * sampleRate)
  const waiting = script.cues.map((cue, i) => ({ cue, span: spans[i]! })).sort((a, b) => a.span.start - b.span.start)
  const room = seededRandom(1)
  let playing: Playing[] = []
  for (let first = 0; first < total; first += sampleRate) {
    signal.throwIfAborted()
    const samples = Float32Array.from({ length: Math.min(sampleRate, total - first) }, () => (room() * 2 - 1) * hiss)
    while (waiting.length > 0 && waiting[0]!.span.start * sampleRate < first + sampleRate) {
      const { cue, span } = waiting.shift()!
      playing.push(await start(cue, span, signal))
    }
    for (const sound of playing) if (sound.samples !== 'silence') add(samples, first, sound.first, sound.samples)
    for (const sound of playing) if (sound.samples === 'silence') mute(samples, first, sound)
    playing = playing.filter(sound => sound.first + sound.length > first + sampleRate)
    yield { first, samples }
  }
}

async function start(cue: AudioCue, span: Span, signal: AbortSignal): Promise<Playing> {
  const first = Math.round(span.start * sampleRate)
  const length = Math.round((span.end - span.start) * sampleRate)
  if (cue.kind === 'speech') {
    const samples = scaled(await speak(cue.text, cue.voice, signal), loudness.speech * (cue.level ?? 1))
    return { first, samples, length: samples.length }
  }
  if (cue.sound === 'silence') return { first, samples: 'silence', length }
  const shape = soundShape(cue.sound, span.end - span.start, cue.seed ?? 1)
  return { first, samples: scaled(shape, loudness.sound * (cue.level ?? 1)), length }
}

function scaled(samples: Float32Array, peak: number): Float32Array {
  let highest = 1e-9
  for (const sample of samples) highest = Math.max(highest, Math.abs(sample))
  return samples.map(sample => (sample * peak) / highest)
}

function add(into: Float32Array, first: number, at: number, samples: Float32Array): void {
  const from = Math.max(0, at - first)
  const to = Math.min(into.length, at - first + samples.length)
  for (let i = from; i < to; i++) into[i] = Math.min(1, Math.max(-1, into[i]! + samples[first + i - at]!))
}

function mute(samples: Float32Array, first: number, { first: at, length }: Playing): void {
  for (let i = Math.max(0, at - first); i < Math.min(samples.length, at - first + length); i++) samples[i] = 0
}
