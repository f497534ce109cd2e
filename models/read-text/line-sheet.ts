import type { Box } from '../../src/core/evidence.ts'
import type { Component } from '../prepare/components.ts'
import type { GreyPicture } from './grey-picture.ts'
import type { LetterLine } from './letter-lines.ts'
import { histogramQuantile } from './line-ink.ts'

// A line to read: where it is, which of its pixels are letters, and whether these are brighter than their ground.
export interface FoundLine {
  line: LetterLine
  box: Box
  parts: Component[] // its letters, and the dots and strokes beside them
  picture: GreyPicture
  brighter: boolean // than the ground
}

// Where a line lies on the sheet.
interface SheetRow {
  found: FoundLine
  top: number
  bottom: number
}

export interface Sheet extends GreyPicture {
  rows: SheetRow[]
}

const tall = 32 // pixels: what tall letters are scaled to, at which the reader is at its best
const margin = 14 // pixels around each line

// All lines of a picture below one another, black on white and of one size, whatever they were: one short page to read.
export function lineSheet(lines: readonly FoundLine[]): Sheet {
  const strips = lines.map(found => ({ found, ...cutStrip(found) }))
  const width = Math.max(1, ...strips.map(strip => strip.width)) + margin * 2
  const height = strips.reduce((sum, strip) => sum + strip.height + margin * 2, margin)
  const grey = new Uint8Array(width * height).fill(255)
  let top = margin
  const rows = strips.map(strip => {
    for (let y = 0; y < strip.height; y++)
      grey.set(strip.grey.subarray(y * strip.width, (y + 1) * strip.width), (top + y) * width + margin)
    const row = { found: strip.found, top: top - margin, bottom: top + strip.height + margin }
    top += strip.height + margin * 2
    return row
  })
  return { width, height, grey, rows }
}

function cutStrip({ line, parts, picture, brighter }: FoundLine): GreyPicture {
  const reach = Math.max(2, Math.round(line.size * 0.25))
  const area = {
    left: Math.max(0, line.left - reach),
    top: Math.max(0, line.top - reach),
    right: Math.min(picture.width, line.right + reach),
    bottom: Math.min(picture.height, line.bottom + reach),
  }
  const keptMask = keptPixels(area, parts)
  const clean = cleaned(area, keptMask, { picture, brighter })
  return scaled(clean, tall / line.size)
}

type Area = Pick<Component, 'left' | 'top' | 'right' | 'bottom'>

// The letters themselves (2) and the soft pixels at their edges (1): what else is around is not part of the line.
function keptPixels({ left, top, right, bottom }: Area, parts: readonly Component[]): Uint8Array {
  const width = right - left
  const mask = new Uint8Array(width * (bottom - top))
  const mark = (value: number, edge: number) => {
    for (const { runs } of parts) {
      for (let i = 0; i < runs.length; i += 3) {
        const from = Math.max(0, runs[i + 1]! - edge - left)
        const to = Math.min(width, runs[i + 2]! + edge - left)
        for (let y = Math.max(top, runs[i]! - edge); y <= Math.min(bottom - 1, runs[i]! + edge); y++)
          if (to > from) mask.fill(value, (y - top) * width + from, (y - top) * width + to)
      }
    }
  }
  mark(1, 2)
  mark(2, 0)
  return mask
}

// Black on white: the ground becomes white and the middle of the letters black.
function cleaned(
  { left, top, right, bottom }: Area,
  kept: Uint8Array,
  { picture, brighter }: Pick<FoundLine, 'picture' | 'brighter'>,
): GreyPicture {
  const width = right - left
  const height = bottom - top
  const ink = new Uint32Array(256)
  const ground = new Uint32Array(256)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (top + y) * picture.width + left + x
      if (kept[y * width + x] === 2) ink[picture.grey[at]!]!++
      else if (kept[y * width + x] === 1) ground[picture.grey[at]!]!++
    }
  }
  const white = histogramQuantile(ground, brighter ? 0.3 : 0.7)
  const black = histogramQuantile(ink, brighter ? 0.7 : 0.3)
  const range = black - white || 1
  const grey = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!kept[y * width + x]) continue
      const depth = (picture.grey[(top + y) * picture.width + left + x]! - white) / range
      grey[y * width + x] = 255 - Math.round(255 * Math.min(1, Math.max(0, depth)))
    }
  }
  return { width, height, grey }
}

// Bilinear; two samples a pixel each way where the picture becomes smaller.
function scaled({ width, height, grey }: GreyPicture, scale: number): GreyPicture {
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const result = new Uint8Array(size.width * size.height)
  const offsets = scale < 1 ? [0.25, 0.75] : [0.5]
  const sample = (x: number, y: number) => {
    const [left, top] = [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))]
    const [x0, y0] = [Math.floor(left), Math.floor(top)]
    const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)]
    const [across, down] = [left - x0, top - y0]
    const upper = grey[y0 * width + x0]! * (1 - across) + grey[y0 * width + x1]! * across
    const lower = grey[y1 * width + x0]! * (1 - across) + grey[y1 * width + x1]! * across
    return upper * (1 - down) + lower * down
  }
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      let sum = 0
      for (const down of offsets)
        for (const across of offsets) sum += sample((x + across) / scale - 0.5, (y + down) / scale - 0.5)
      result[y * size.width + x] = Math.round(sum / offsets.length ** 2)
    }
  }
  return { ...size, grey: result }
}
