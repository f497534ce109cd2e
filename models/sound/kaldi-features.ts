import { z } from 'zod'
import { melFrames } from './mel-spectrogram.ts'

// What an audio spectrogram transformer's preprocessor_config.json says of the sound it hears.
export const KaldiSound = z.looseObject({
  sampling_rate: z.literal(16_000).default(16_000),
  num_mel_bins: z.number().int().positive().default(128),
  max_length: z.number().int().positive().default(1024), // frames
  do_normalize: z.boolean().default(true),
  mean: z.number().default(-4.2677393),
  std: z.number().default(4.5689974),
})
export type KaldiSound = z.infer<typeof KaldiSound>

const rate = 16_000
const size = 400 // samples of a frame, 25 ms
const hop = 160
const padded = 512
const floor = 1.192092955078125e-7
const emphasis = 0.97

// Log-mel filter banks as Kaldi makes them, frame after frame; what is too short ends in zeros, what is too long is cut.
export function kaldiFeatures(samples: Float32Array, config: KaldiSound): Float32Array {
  const { num_mel_bins: mels, max_length } = config
  const filters = { size: padded, mels, rate, lowest: 20, highest: rate / 2, scale: 'kaldi' } as const
  const values = new Float32Array(max_length * mels)
  const frames = Math.min(max_length, samples.length < size ? 0 : 1 + Math.floor((samples.length - size) / hop))
  const emphasised = (window: Float64Array, frame: number) => {
    const slice = samples.subarray(frame * hop, frame * hop + size)
    const mean = slice.reduce((sum, sample) => sum + sample, 0) / size
    for (let i = size - 1; i > 0; i--) window[i] = (slice[i]! - mean - emphasis * (slice[i - 1]! - mean)) * hann[i]!
    window[0] = (slice[0]! - mean) * (1 - emphasis) * hann[0]!
  }
  melFrames(filters, frames, emphasised, (sums, frame) => {
    for (let mel = 0; mel < mels; mel++) values[frame * mels + mel] = Math.log(Math.max(floor, sums[mel]!))
  })
  if (!config.do_normalize) return values
  return values.map(value => (value - config.mean) / (config.std * 2))
}

// Symmetric: it is zero at both ends.
const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (size - 1)))
