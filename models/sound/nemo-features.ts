import { melFrames } from './mel-spectrogram.ts'
import type { Features } from './whisper-features.ts'

const rate = 16_000
const size = 512
const width = 400 // samples under the window, in the middle of a frame
const hop = 160
const emphasis = 0.97
const guard = 2 ** -24 // no power has no logarithm
const epsilon = 1e-5

// Symmetric: it is zero at both ends.
const hann = Float64Array.from({ length: width }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (width - 1)))

// Log-mel features as NeMo makes them: high pitches are raised first, and each mel has mean 0 and deviation 1 over the sound. The
// last frame is zero and does not count: it is there because the models were exported with it.
export function nemoFeatures(samples: Float32Array, mels: number): Features {
  const heard = Math.floor(samples.length / hop)
  const frames = heard + 1
  const data = new Float32Array(mels * frames)
  const filters = { size, mels, rate, lowest: 0, highest: rate / 2, scale: 'slaney' } as const
  const emphasised = (window: Float64Array, frame: number) => {
    window.fill(0)
    const start = frame * hop - width / 2
    for (let i = 0; i < width; i++) {
      const [before = 0, sample = 0] = [samples[start + i - 1], samples[start + i]]
      window[(size - width) / 2 + i] = start + i < samples.length ? (sample - emphasis * before) * hann[i]! : 0
    }
  }
  melFrames(filters, heard, emphasised, (sums, frame) => {
    for (let mel = 0; mel < mels; mel++) data[mel * frames + frame] = Math.log(sums[mel]! + guard)
  })
  for (let mel = 0; mel < mels; mel++) normalise(data.subarray(mel * frames, mel * frames + heard))
  return { data, mels, frames }
}

function normalise(row: Float32Array): void {
  const mean = row.reduce((sum, value) => sum + value, 0) / row.length
  const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, row.length - 1)
  for (let i = 0; i < row.length; i++) row[i] = (row[i]! - mean) / (Math.sqrt(variance) + epsilon)
}
