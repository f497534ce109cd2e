import type { Frame } from '../../src/core/video.ts'

export interface GreyPicture {
  width: number
  height: number
  grey: Uint8Array
}

export function toGrey({ width, height, rgb }: Frame): GreyPicture {
  const grey = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < grey.length; i++, at += 3)
    grey[i] = (rgb[at]! * 77 + rgb[at + 1]! * 150 + rgb[at + 2]! * 29) >> 8
  return { width, height, grey }
}

// Half as wide and high; each pixel is the mean of four.
export function halvePicture({ width, height, grey }: GreyPicture): GreyPicture {
  const half = { width: width >> 1, height: height >> 1 }
  const small = new Uint8Array(half.width * half.height)
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const at = y * 2 * width + x * 2
      small[y * half.width + x] = (grey[at]! + grey[at + 1]! + grey[at + width]! + grey[at + width + 1]! + 2) >> 2
    }
  }
  return { ...half, grey: small }
}
