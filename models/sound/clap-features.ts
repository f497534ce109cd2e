import { z } from 'zod'
import { powerSpectrum } from './fourier.ts'
import { MelBank } from './mel-filters.ts'

// What a CLAP model's preprocessor_config.json says of the sound it hears.
export const ClapSound = z.looseObject({
  sampling_rate: z.number().int().positive().default(48_000),
  feature_size: z.number().int().positive().default(64),
  fft_window_size: z.number().int().positive().default(1024),
  hop_length: z.number().int().positive().default(480),
  frequency_min: z.number().min(0).default(50),
  frequency_max: z.number().positive().default(14_000),
  nb_max_samples: z.number().int().positive().default(480_000),
  padding: z.string().default('repeatpad'),
})
export type ClapSound = z.infer<typeof ClapSound>

// How large a spectrogram is.
export function clapSize({ nb_max_samples, hop_length, feature_size }: ClapSound): { frames: number; mels: number } {
  return { frames: 1 + Math.floor(nb_max_samples / hop_length), mels: feature_size }
}

// The log-mel spectrogram of one piece of sound, frame after frame. A short piece is repeated as often as it fits.
export class ClapFeatures {
  readonly frames: number
  readonly mels: number
  readonly #config: ClapSound
  readonly #bank: MelBank
  readonly #window: Float64Array

  constructor(config: ClapSound) {
    const { fft_window_size: size, feature_size: mels, sampling_rate: rate } = config
    this.#config = config
    this.mels = mels
    this.frames = clapSize(config).frames
    const range = { lowest: config.frequency_min, highest: config.frequency_max }
    this.#bank = new MelBank({ size, mels, rate, ...range, scale: 'slaney', area: 'one' })
    this.#window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  }

  of(samples: Float32Array): Float32Array {
    const { fft_window_size: size, hop_length: hop, nb_max_samples: longest, padding } = this.#config
    const whole = new Float32Array(longest)
    const short = samples.subarray(0, longest)
    const times = padding === 'repeatpad' && short.length > 0 ? Math.floor(longest / short.length) : 1
    for (let i = 0; i < times; i++) whole.set(short, i * short.length)
    const spectrum = powerSpectrum(size)
    const frame = new Float64Array(size)
    const power = new Float64Array(size / 2 + 1)
    const sums = new Float64Array(this.mels)
    const values = new Float32Array(this.frames * this.mels)
    for (let at = 0; at < this.frames; at++) {
      const start = at * hop - size / 2
      for (let i = 0; i < size; i++) frame[i] = whole[mirrored(start + i, longest)]! * this.#window[i]!
      spectrum(frame, power)
      this.#bank.apply(power, sums)
      for (let mel = 0; mel < this.mels; mel++)
        values[at * this.mels + mel] = 10 * Math.log10(Math.max(1e-10, sums[mel]!))
    }
    return values
  }
}

function mirrored(at: number, length: number): number {
  if (at < 0) return -at
  return at < length ? at : 2 * (length - 1) - at
}
