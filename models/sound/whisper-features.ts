import { z } from 'zod'
import { centredFrames, melFrames } from './mel-spectrogram.ts'

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

const nothing = -10 // the logarithm of what counts as no power

// The log-mel spectrogram of one window. What is shorter than a window ends in silence; what is longer is cut.
export function whisperFeatures(samples: Float32Array, config: WhisperSound): Features {
  const { n_fft: size, hop_length: hop, feature_size: mels, sampling_rate: rate } = config
  const length = Math.round(config.chunk_length * rate)
  const sound = samples.subarray(0, length)
  const frames = Math.floor(length / hop)
  const heard = Math.min(frames, Math.ceil((sound.length + size / 2) / hop)) // the frames after these hold nothing
  const data = new Float32Array(mels * frames).fill(nothing)
  const filters = { size, mels, rate, lowest: 0, highest: rate / 2, scale: 'slaney' } as const
  let loudest = nothing
  melFrames(filters, heard, centredFrames(sound, length, size, hop), (sums, frame) => {
    for (let mel = 0; mel < mels; mel++) {
      const value = Math.log10(Math.max(1e-10, sums[mel]!))
      data[mel * frames + frame] = value
      loudest = Math.max(loudest, value)
    }
  })
  for (let i = 0; i < data.length; i++) data[i] = (Math.max(data[i]!, loudest - 8) + 4) / 4
  return { data, mels, frames }
}
