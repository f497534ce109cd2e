import type { SmallFrame } from '../../../core/services.ts'
import type { AudioSource, Frame } from '../../../core/video.ts'

// The little that a doctor shows and plays to a model.

const [width, height] = [96, 64]

export const sampleFrame: Frame = {
  time: 0,
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7) % 256),
}

export const smallFrame: SmallFrame = {
  time: 0,
  width: 16,
  height: 16,
  y: new Uint8Array(256).fill(90),
  u: new Uint8Array(64).fill(128),
  v: new Uint8Array(64).fill(128),
}

const rate = 16_000
const seconds = 2

export const sampleSpan = { start: 0, end: seconds }

// A tone that swells, so that it is neither silence nor speech.
export const sampleSound: AudioSource = {
  duration: seconds,
  rate,
  async read({ start, end }) {
    const from = Math.max(0, Math.round(start * rate))
    const to = Math.min(seconds * rate, Math.round(end * rate))
    return Float32Array.from(
      { length: Math.max(0, to - from) },
      (_, i) => (Math.sin(((from + i) * 440 * 2 * Math.PI) / rate) * 0.3 * (from + i)) / (seconds * rate),
    )
  },
}
