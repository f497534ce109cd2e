import { powerSpectrum } from './fourier.ts'
import { MelBank, type MelFilters } from './mel-filters.ts'

// The power of each mel, frame by frame: `window` fills the samples of one frame, `take` gets its mels. Both arrays are reused.
export function melFrames(
  filters: MelFilters,
  frames: number,
  window: (samples: Float64Array, frame: number) => void,
  take: (mels: Float64Array, frame: number) => void,
): void {
  const bank = new MelBank(filters)
  const spectrum = powerSpectrum(filters.size)
  const samples = new Float64Array(filters.size)
  const power = new Float64Array(filters.size / 2 + 1)
  const mels = new Float64Array(filters.mels)
  for (let frame = 0; frame < frames; frame++) {
    window(samples, frame)
    spectrum(samples, power)
    bank.apply(power, mels)
    take(mels, frame)
  }
}

// Frames around every `hop` samples of a sound of `length` samples, under a Hann window; its ends are mirrored, and what is
// missing of it is silence.
export function centredFrames(sound: Float32Array, length: number, size: number, hop: number) {
  const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  return (samples: Float64Array, frame: number) => {
    const start = frame * hop - size / 2
    for (let i = 0; i < size; i++) samples[i] = (sound[mirrored(start + i, length)] ?? 0) * hann[i]!
  }
}

// An index beyond either end of a row, reflected into it.
export function mirrored(at: number, length: number): number {
  if (at < 0) return -at
  return at < length ? at : 2 * (length - 1) - at
}
