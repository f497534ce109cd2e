import { mirrored } from '../sound/mel-spectrogram.ts'
import { type PictureConfig, type PictureValues, resizedTo, scaled } from './picture-config.ts'
import type { Pixels } from './resample.ts'

const grey = 127.5

// A square with the picture in its upper left corner and grey for the rest, as OWLv2 wants it. It is resized as scikit-image
// does: blurred where it shrinks, then straight lines between pixels, without rounding to 8 bits.
export function squareValues({ rgb, width, height }: Pixels, config: PictureConfig): PictureValues {
  const edge = Math.max(width, height)
  const size = resizedTo(config, edge, edge)
  const across = taps(edge, size.width)
  const down = taps(edge, size.height)
  const rows = new Float32Array(height * size.width)
  const data = new Float32Array(3 * size.width * size.height)
  const row = new Float64Array(size.width)
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < size.width; x++) {
        let sum = 0
        for (let k = x * across.count; k < (x + 1) * across.count; k++) {
          const at = across.at[k]!
          sum += across.weights[k]! * (at < width ? rgb[(y * width + at) * 3 + channel]! : grey)
        }
        rows[y * size.width + x] = sum
      }
    for (let y = 0; y < size.height; y++) {
      row.fill(0)
      for (let k = y * down.count; k < (y + 1) * down.count; k++) {
        const from = down.at[k]! * size.width
        const weight = down.weights[k]!
        for (let x = 0; x < size.width; x++) row[x]! += weight * (down.at[k]! < height ? rows[from + x]! : grey)
      }
      const to = (channel * size.height + y) * size.width
      for (let x = 0; x < size.width; x++) data[to + x] = scaled(config, channel, row[x]!)
    }
  }
  return { data, ...size }
}

// Which pixels of a row make each new one, and by how much; as many for each.
function taps(length: number, target: number): { count: number; at: Int32Array; weights: Float64Array } {
  const step = length / target
  const spread = Math.max(0, (step - 1) / 2)
  const reach = Math.floor(4 * spread + 0.5)
  const bell = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-0.5 * ((i - reach) / (spread || 1)) ** 2))
  const sum = bell.reduce((total, height) => total + height, 0)
  const count = bell.length + 1
  const at = new Int32Array(target * count)
  const weights = new Float64Array(target * count)
  for (let i = 0; i < target; i++) {
    const centre = (i + 0.5) * step - 0.5
    const first = Math.floor(centre)
    const share = centre - first
    for (let k = 0; k < count; k++) {
      at[i * count + k] = Math.min(length - 1, Math.max(0, mirrored(first + k - reach, length)))
      weights[i * count + k] = ((1 - share) * (bell[k] ?? 0) + share * (bell[k - 1] ?? 0)) / sum
    }
  }
  return { count, at, weights }
}
