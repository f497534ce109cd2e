import type { GreyPicture } from './grey-picture.ts'

const reach = 20 // pixels around that count as a letter's ground
const minContrast = 7 // of 255: below this it is noise of the camera and of compression
const spread = 0.6 // of the standard deviation around

// Which pixels stand out of what is around them: 1 if they are brighter, 2 if they are darker, else 0. One limit for
// a whole picture would never see white letters on a dark bar of a white slide.
export function letterMask({ width, height, grey }: GreyPicture): Uint8Array {
  const mask = new Uint8Array(grey.length)
  const sums = new Uint32Array(width) // of the columns of the rows around
  const squares = new Uint32Array(width)
  const addRow = (y: number, sign: 1 | -1) => {
    for (let x = 0, at = y * width; x < width; x++, at++) {
      sums[x]! += sign * grey[at]!
      squares[x]! += sign * grey[at]! * grey[at]!
    }
  }
  for (let y = 0; y < Math.min(height, reach); y++) addRow(y, 1)
  for (let y = 0; y < height; y++) {
    if (y + reach < height) addRow(y + reach, 1)
    if (y - reach - 1 >= 0) addRow(y - reach - 1, -1)
    const rows = Math.min(height - 1, y + reach) - Math.max(0, y - reach) + 1
    markRow(mask, grey, y * width, { sums, squares, rows })
  }
  return mask
}

function markRow(
  mask: Uint8Array,
  grey: Uint8Array,
  start: number,
  { sums, squares, rows }: { sums: Uint32Array; squares: Uint32Array; rows: number },
): void {
  const width = sums.length
  let sum = 0
  let square = 0
  for (let x = 0; x < Math.min(width, reach); x++) {
    sum += sums[x]!
    square += squares[x]!
  }
  for (let x = 0; x < width; x++) {
    if (x + reach < width) {
      sum += sums[x + reach]!
      square += squares[x + reach]!
    }
    if (x - reach - 1 >= 0) {
      sum -= sums[x - reach - 1]!
      square -= squares[x - reach - 1]!
    }
    const count = rows * (Math.min(width - 1, x + reach) - Math.max(0, x - reach) + 1)
    const mean = sum / count
    const limit = Math.max(minContrast, spread * Math.sqrt(Math.max(0, square / count - mean * mean)))
    const above = grey[start + x]! - mean
    if (above > limit) mask[start + x] = 1
    else if (-above > limit) mask[start + x] = 2
  }
}
