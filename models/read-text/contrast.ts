import type { Frame } from '../../src/core/video.ts'

export interface GreyPicture {
  width: number
  height: number
  grey: Uint8Array
}

const REACH = 20 // pixels around that count as a letter's background, at the width that is read
const NOISE = 4
const GAIN = 3
const LEAST_MARKS = 0.0001

export function greyOf(frame: Frame): GreyPicture {
  const { width, height, rgb } = frame
  const grey = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < grey.length; i++, at += 3)
    grey[i] = (rgb[at] * 77 + rgb[at + 1] * 150 + rgb[at + 2] * 29) >> 8
  return { width, height, grey }
}

// The picture as dark letters on white, twice: once with what is brighter than its surroundings as the letters, once with
// what is darker. A reader that sets one threshold for a whole page never sees white letters on a dark bar of a white slide.
export function lettersOf({ width, height, grey }: GreyPicture): { bright: GreyPicture; dark: GreyPicture } {
  const mean = localMean(grey, width, height)
  const bright = new Uint8Array(grey.length)
  const dark = new Uint8Array(grey.length)
  for (let i = 0; i < grey.length; i++) {
    const above = grey[i] - mean[i]
    bright[i] = above > NOISE ? Math.max(0, 255 - GAIN * (above - NOISE)) : 255
    dark[i] = -above > NOISE ? Math.max(0, 255 - GAIN * (-above - NOISE)) : 255
  }
  return { bright: { width, height, grey: bright }, dark: { width, height, grey: dark } }
}

// A flat or noisy picture has next to nothing that stands out; reading it takes long and finds only noise.
export function holdsLetters({ grey }: GreyPicture): boolean {
  let marks = 0
  for (const value of grey) if (value < 128) marks++
  return marks / grey.length >= LEAST_MARKS
}

function localMean(grey: Uint8Array, width: number, height: number): Float32Array {
  const stride = width + 1
  const sums = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += grey[y * width + x]
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row
    }
  }
  const mean = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - REACH) * stride
    const bottom = Math.min(height, y + REACH + 1) * stride
    const rows = (bottom - top) / stride
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - REACH)
      const right = Math.min(width, x + REACH + 1)
      mean[y * width + x] =
        (sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left]) / (rows * (right - left))
    }
  }
  return mean
}
