import { mirror } from '../sound/mel-spectrogram.ts'
import { croppedTo, type PictureConfig, type PictureValues, pillowFilter, resizedTo, scale } from './picture-config.ts'
import { type Pixels, resample } from './resample.ts'

// A picture as a model wants it: resized, cropped, scaled and normalised.
export function pictureValues(picture: Pixels, config: PictureConfig): PictureValues {
  if (config.do_pad) return squareValues(picture, config)
  const size = resizedTo(config, picture.width, picture.height)
  const resized = resample(picture, size.width, size.height, pillowFilter(config))
  const crop = croppedTo(config)
  const { rgb, width, height } = crop ? centre(resized, crop.width, crop.height) : resized
  const area = width * height
  const data = new Float32Array(3 * area)
  for (let channel = 0; channel < 3; channel++) {
    const values = levels(config, channel)
    for (let i = 0, at = channel; i < area; i++, at += 3) data[channel * area + i] = values[rgb[at]!]!
  }
  return { data, width, height }
}

// The middle of a picture; one that is too small gets black around it.
function centre({ rgb, width, height }: Pixels, toWidth: number, toHeight: number): Pixels {
  if (width === toWidth && height === toHeight) return { rgb, width, height }
  const out = new Uint8Array(toWidth * toHeight * 3)
  const cropLeft = edge(width, toWidth)
  const cropTop = edge(height, toHeight)
  for (let y = Math.max(0, -cropTop); y < Math.min(toHeight, height - cropTop); y++) {
    const from = Math.max(0, cropLeft)
    const until = Math.min(width, cropLeft + toWidth)
    const row = (y + cropTop) * width
    out.set(rgb.subarray((row + from) * 3, (row + until) * 3), (y * toWidth + from - cropLeft) * 3)
  }
  return { width: toWidth, height: toHeight, rgb: out }
}

function edge(length: number, target: number): number {
  return length >= target ? Math.floor((length - target) / 2) : -Math.ceil((target - length) / 2)
}

// What each of the 256 levels of a channel becomes.
function levels(config: PictureConfig, channel: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, level) => scale(config, channel, level))
}

const grey = 127.5

// A square with the picture in its upper left corner and grey for the rest, as OWLv2 wants it. It is resized as scikit-image
// does: blurred where it shrinks, then straight lines between pixels, without rounding to 8 bits.
function squareValues({ rgb, width, height }: Pixels, config: PictureConfig): PictureValues {
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
      for (let x = 0; x < size.width; x++) data[to + x] = scale(config, channel, row[x]!)
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
      at[i * count + k] = Math.min(length - 1, Math.max(0, mirror(first + k - reach, length)))
      weights[i * count + k] = ((1 - share) * (bell[k] ?? 0) + share * (bell[k - 1] ?? 0)) / sum
    }
  }
  return { count, at, weights }
}
