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
  const rows = new Float32Array(height * size.width * 3)
  const data = new Float32Array(3 * size.width * size.height)
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < size.width; x++) {
        let sum = 0
        for (const [at, weight] of across[x]!)
          sum += weight * (at < width ? rgb[(y * width + at) * 3 + channel]! : grey)
        rows[y * size.width + x] = sum
      }
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++) {
        let sum = 0
        for (const [at, weight] of down[y]!) sum += weight * (at < height ? rows[at * size.width + x]! : grey)
        data[(channel * size.height + y) * size.width + x] = scaled(config, channel, sum)
      }
  }
  return { data, ...size }
}

// Which pixels of a row make each new one, and by how much.
function taps(length: number, target: number): [at: number, weight: number][][] {
  const step = length / target
  const spread = Math.max(0, (step - 1) / 2)
  const reach = Math.floor(4 * spread + 0.5)
  const bell = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-0.5 * ((i - reach) / (spread || 1)) ** 2))
  const sum = bell.reduce((total, height) => total + height, 0)
  return Array.from({ length: target }, (_, i) => {
    const centre = (i + 0.5) * step - 0.5
    const first = Math.floor(centre)
    const weights = new Map<number, number>()
    for (const pixel of [first, first + 1])
      for (const [k, height] of bell.entries()) {
        const at = Math.min(length - 1, Math.max(0, mirrored(pixel + k - reach, length)))
        const share = (1 - Math.abs(centre - pixel)) * (height / sum)
        if (share > 0) weights.set(at, (weights.get(at) ?? 0) + share)
      }
    return [...weights]
  })
}
