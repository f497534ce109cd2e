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
export function clapFeatures(samples: Float32Array, config: ClapSound): Float32Array {
  const { fft_window_size: size, hop_length: hop, nb_max_samples: length, sampling_rate: rate } = config
  const { frames, mels } = clapSize(config)
  const whole = new Float32Array(length)
  const piece = samples.subarray(0, length)
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
