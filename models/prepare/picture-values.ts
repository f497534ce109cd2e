import { croppedTo, type PictureConfig, type PictureValues, pillowFilter, resizedTo, scaled } from './picture-config.ts'
import { type Pixels, resample } from './resample.ts'
import { squareValues } from './square-values.ts'

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
  return Float32Array.from({ length: 256 }, (_, level) => scaled(config, channel, level))
}
