import { z } from 'zod'
import { centredFrames, melFrames } from './mel-spectrogram.ts'

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
export function clapFeatures(sound: Float32Array, config: ClapSound): Float32Array {
  const { fft_window_size: size, hop_length: hop, nb_max_samples: length, sampling_rate: rate } = config
  const { frames, mels } = clapSize(config)
  const whole = new Float32Array(length)
  const piece = sound.subarray(0, length)
  const times = config.padding === 'repeatpad' && piece.length > 0 ? Math.floor(length / piece.length) : 1
  for (let i = 0; i < times; i++) whole.set(piece, i * piece.length)
  const range = { lowest: config.frequency_min, highest: config.frequency_max }
  const values = new Float32Array(frames * mels)
  const filters = { size, mels, rate, ...range, scale: 'slaney' } as const
  melFrames(filters, frames, centredFrames(whole, length, size, hop), (sums, frame) => {
    for (let mel = 0; mel < mels; mel++) values[frame * mels + mel] = 10 * Math.log10(Math.max(1e-10, sums[mel]!))
  })
  return values
}

// Sound at a higher rate: each new sample is a sum of old ones under a windowed sinc. What lies above half of the old rate
// is not there and does not come back.
export function upsample(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples
  if (to < from || to % from !== 0) throw new Error(`sound of ${from} Hz cannot be brought to ${to} Hz`)
  const times = to / from
  const filters = Array.from({ length: times }, (_, phase) => sincFilter(phase / times))
  const out = new Float32Array(samples.length * times)
  const padded = new Float32Array(samples.length + 2 * reach)
  padded.set(samples, reach - 1)
  for (let at = 0; at < samples.length; at++) {
    out[at * times] = samples[at]!
    for (let phase = 1; phase < times; phase++) {
      const filter = filters[phase]!
      let sum = 0
      for (let i = 0; i < 2 * reach; i++) sum += padded[at + i]! * filter[i]!
      out[at * times + phase] = sum
    }
  }
  return out
}

const reach = 24 // old samples on either side

function sincFilter(offset: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * reach }, (_, i) => {
    const x = i - reach + 1 - offset
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (reach + 1))
    return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * window
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map(weight => weight / sum)
}
