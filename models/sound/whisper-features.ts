import { z } from 'zod'
import { powerSpectrum } from './fourier.ts'
import { MelBank } from './mel-filters.ts'

// What a Whisper model's preprocessor_config.json says of the sound it hears.
export const WhisperSound = z.looseObject({
  feature_size: z.number().int().positive().default(80),
  n_fft: z.number().int().positive().default(400),
  hop_length: z.number().int().positive().default(160),
  chunk_length: z.number().positive().default(30),
  sampling_rate: z.literal(16_000).default(16_000),
})
export type WhisperSound = z.infer<typeof WhisperSound>

export interface Features {
  data: Float32Array // mel after mel
  mels: number
  frames: number
}

const pause = 200 // frames after which other work goes on

// The log-mel spectrogram of one window. What is shorter than a window ends in silence; what is longer is cut.
export class WhisperFeatures {
  readonly seconds: number
  readonly mels: number
  readonly #config: WhisperSound
  readonly #window: Float64Array
  readonly #bank: MelBank

  constructor(config: WhisperSound) {
    const { n_fft: size, feature_size: mels, sampling_rate: rate } = config
    this.seconds = config.chunk_length
    this.mels = mels
    this.#config = config
    this.#window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
    this.#bank = new MelBank({ size, mels, rate, lowest: 0, highest: rate / 2, scale: 'slaney', area: 'one' })
  }

  async of(samples: Float32Array, signal: AbortSignal): Promise<Features> {
    const { n_fft: size, hop_length: hop, sampling_rate: rate } = this.#config
    const length = Math.round(this.seconds * rate)
    const heard = samples.subarray(0, length)
    const frames = Math.floor(length / hop)
    const spectrum = powerSpectrum(size)
    const frame = new Float64Array(size)
    const power = new Float64Array(size / 2 + 1)
    const sums = new Float64Array(this.mels)
    const data = new Float32Array(this.mels * frames).fill(-10) // the logarithm of what counts as nothing
    let loudest = -10
    for (let at = 0; at < frames; at++) {
      if (at % pause === 0) {
        await new Promise(setImmediate)
        signal.throwIfAborted()
      }
      const start = at * hop - size / 2
      if (start >= heard.length && start + size <= length) continue
      for (let i = 0; i < size; i++) frame[i] = (heard[mirrored(start + i, length)] ?? 0) * this.#window[i]!
      spectrum(frame, power)
      this.#bank.apply(power, sums)
      for (let mel = 0; mel < this.mels; mel++) {
        const value = Math.log10(Math.max(1e-10, sums[mel]!))
        data[mel * frames + at] = value
        loudest = Math.max(loudest, value)
      }
    }
    for (let i = 0; i < data.length; i++) data[i] = (Math.max(data[i]!, loudest - 8) + 4) / 4
    return { data, mels: this.mels, frames }
  }
}

// Beyond its ends the window is heard in a mirror.
function mirrored(at: number, length: number): number {
  if (at < 0) return -at
  return at < length ? at : 2 * (length - 1) - at
}
