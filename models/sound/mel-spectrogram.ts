import { powerSpectrum } from './fourier.ts'

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
    for (let i = 0; i < size; i++) samples[i] = (sound[mirror(start + i, length)] ?? 0) * hann[i]!
  }
}

// An index beyond either end of a row, reflected into it.
export function mirror(at: number, length: number): number {
  if (at < 0) return -at
  return at < length ? at : 2 * (length - 1) - at
}

// Slaney's triangles have an area of one and are straight over the pitches; Kaldi's have a height of one and are straight over mels.
type Scale = 'slaney' | 'kaldi'

interface MelFilters {
  size: number // of the transform
  mels: number
  rate: number
  lowest: number // Hz
  highest: number
  scale: Scale
}

// Triangles over the pitches, each from the centre of the one before to the centre of the one after.
class MelBank {
  readonly #from: Int32Array
  readonly #weights: Float64Array[] = []

  constructor(filters: MelFilters) {
    this.#from = new Int32Array(filters.mels)
    const edges = melEdges(filters)
    const bins = filters.size / 2 + 1
    const width = filters.rate / filters.size
    const inMels = filters.scale === 'kaldi'
    const edge = (at: number) => (inMels ? toMel(edges[at]!, 'kaldi') : edges[at]!)
    const positionOf = (bin: number) => (inMels ? toMel(bin * width, 'kaldi') : bin * width)
    for (let mel = 0; mel < filters.mels; mel++) {
      const [low, centre, high] = [edge(mel), edge(mel + 1), edge(mel + 2)]
      const weights: number[] = []
      // Kaldi leaves out the highest pitch.
      for (let bin = 0; bin < (inMels ? bins - 1 : bins); bin++) {
        const height = Math.min((positionOf(bin) - low) / (centre - low), (high - positionOf(bin)) / (high - centre))
        if (height <= 0) {
          if (weights.length > 0) break
          continue
        }
        if (weights.length === 0) this.#from[mel] = bin
        weights.push(inMels ? height : (height * 2) / (high - low))
      }
      this.#weights.push(Float64Array.from(weights))
    }
  }

  apply(power: Float64Array, mels: Float64Array): void {
    for (const [mel, weights] of this.#weights.entries()) {
      const from = this.#from[mel]!
      let sum = 0
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[from + i]!
      mels[mel] = sum
    }
  }
}

function melEdges({ mels, lowest, highest, scale }: MelFilters): number[] {
  const low = toMel(lowest, scale)
  const high = toMel(highest, scale)
  return Array.from({ length: mels + 2 }, (_, i) => toHertz(low + ((high - low) * i) / (mels + 1), scale))
}

const linear = 200 / 3 // Hz of one mel below 1000 Hz on Slaney's scale
const growth = Math.log(6.4) / 27

function toMel(hertz: number, scale: Scale): number {
  if (scale === 'kaldi') return 1127 * Math.log(1 + hertz / 700)
  return hertz < 1000 ? hertz / linear : 15 + Math.log(hertz / 1000) / growth
}

function toHertz(mel: number, scale: Scale): number {
  if (scale === 'kaldi') return 700 * (Math.exp(mel / 1127) - 1)
  return mel < 15 ? mel * linear : 1000 * Math.exp(growth * (mel - 15))
}
