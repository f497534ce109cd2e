import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { findProgram } from '../../src/media/program/find-program.ts'
import type { SceneVoice } from '../../src/media/render/scene.ts'
import { speak } from '../../src/media/speak.ts'

export const rate = 16_000
export const hasFlite = (await findProgram('flite')) !== undefined

// Samples in memory as the sound of a video. `longest` is the longest span that anybody has read at once.
export function soundFrom(samples: Float32Array): AudioSource & { longest: number; seconds: number } {
  return {
    duration: samples.length / rate,
    rate,
    longest: 0,
    seconds: 0,
    async read(span) {
      const part = samples.slice(Math.max(0, Math.round(span.start * rate)), Math.round(span.end * rate))
      this.longest = Math.max(this.longest, part.length / rate)
      this.seconds += part.length / rate
      return part
    },
  }
}

export interface Said {
  text: string
  span: Span
}

// Sentences one after another with a pause before each and one at the end, and where each lies.
export async function spoken(
  sentences: readonly string[],
  { pause = 1.5, voice = 'rms' as SceneVoice } = {},
): Promise<{ samples: Float32Array; said: Said[] }> {
  const parts = await Promise.all(sentences.map(text => speak(text, voice)))
  const gap = Math.round(pause * rate)
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length + gap, gap))
  let at = gap
  const said = parts.map((part, i) => {
    samples.set(part, at)
    const span = { start: at / rate, end: (at + part.length) / rate }
    at += part.length + gap
    return { text: sentences[i]!, span }
  })
  return { samples, said }
}

// White noise whose seed is its length, so that it is the same each time.
export function noise(seconds: number, level: number): Float32Array {
  let state = Math.round(seconds * 1000) + 1
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * level
  })
}

export function tone(seconds: number, pitch: number, level: number): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => level * Math.sin((2 * Math.PI * pitch * i) / rate),
  )
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * rate))
}

export function join(...parts: Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
