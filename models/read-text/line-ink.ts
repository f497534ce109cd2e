import type { Component } from '../prepare/components.ts'
import type { GreyPicture } from './grey-picture.ts'
import type { LetterLine } from './letter-lines.ts'

interface LineInk {
  ink: number // grey of the letters
  ground: number // grey beside them
  around: number // grey above and below the line
  letters: number[] // grey of each letter
  spread: number // between the quarters of the letters' pixels, as a share of the contrast
}

// How the letters of a line are coloured, and what they stand on.
export function lineInk({ letters, left, right, top, bottom, size }: LetterLine, picture: GreyPicture): LineInk {
  const { width, height, grey } = picture
  const pixels = new Uint32Array(256)
  const beside = new Uint32Array(256)
  for (const { runs } of letters) {
    for (let i = 0; i < runs.length; i += 3) {
      const row = runs[i]! * width
      for (let x = runs[i + 1]!; x < runs[i + 2]!; x++) pixels[grey[row + x]!]!++
      beside[grey[row + Math.max(0, runs[i + 1]! - 3)]!]!++
      beside[grey[row + Math.min(width - 1, runs[i + 2]! + 2)]!]!++
    }
  }
  const around = new Uint32Array(256)
  const away = Math.round(size * 0.35)
  for (const y of [Math.max(0, top - away), Math.min(height - 1, bottom + away)])
    for (let x = left; x < right; x++) around[grey[y * width + x]!]!++
  const ink = histogramQuantile(pixels, 0.5)
  const ground = histogramQuantile(beside, 0.5)
  const between = histogramQuantile(pixels, 0.75) - histogramQuantile(pixels, 0.25)
  return {
    ink,
    ground,
    around: histogramQuantile(around, 0.5),
    letters: letters.map(letter => meanGrey(letter, picture)),
    spread: between / Math.max(1, Math.abs(ink - ground)),
  }
}

export function meanGrey({ runs, area }: Component, { width, grey }: GreyPicture): number {
  let sum = 0
  for (let i = 0; i < runs.length; i += 3)
    for (let x = runs[i + 1]!; x < runs[i + 2]!; x++) sum += grey[runs[i]! * width + x]!
  return sum / area
}

// Of a histogram of greys.
export function histogramQuantile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  let sum = 0
  for (let value = 0; value < histogram.length; value++) {
    sum += histogram[value]!
    if (sum > total * share) return value
  }
  return 128
}
