import { z } from 'zod'
import { powerSpectrum } from './fourier.ts'
import { MelBank } from './mel-filters.ts'

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
const least = 1.192092955078125e-7
const emphasis = 0.97

// Log-mel filter banks as Kaldi makes them, frame after frame; what is too short ends in zeros, what is too long is cut.
export function kaldiFeatures(samples: Float32Array, config: KaldiSound): Float32Array {
  const { num_mel_bins: mels, max_length: frames } = config
  const filters = { size: padded, mels, rate, lowest: 20, highest: rate / 2, scale: 'kaldi', area: 'peak' } as const
  const bank = new MelBank(filters)
  const spectrum = powerSpectrum(padded)
  const frame = new Float64Array(padded)
  const power = new Float64Array(padded / 2 + 1)
  const sums = new Float64Array(mels)
  const values = new Float32Array(frames * mels)
  const count = Math.min(frames, samples.length < size ? 0 : 1 + Math.floor((samples.length - size) / hop))
  for (let at = 0; at < count; at++) {
    const part = samples.subarray(at * hop, at * hop + size)
    const mean = part.reduce((sum, sample) => sum + sample, 0) / size
    for (let i = size - 1; i > 0; i--) frame[i] = (part[i]! - mean - emphasis * (part[i - 1]! - mean)) * hann[i]!
    frame[0] = (part[0]! - mean) * (1 - emphasis) * hann[0]!
    spectrum(frame, power)
    bank.apply(power, sums)
    for (let mel = 0; mel < mels; mel++) values[at * mels + mel] = Math.log(Math.max(least, sums[mel]!))
  }
  if (!config.do_normalize) return values
  return values.map(value => (value - config.mean) / (config.std * 2))
}

// Symmetric: it is zero at both ends.
const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (size - 1)))
