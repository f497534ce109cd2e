import type { SmallFrame } from '../../src/core/services.ts'

// The mean absolute difference of two planes, in grey levels.
export function planeDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const d = a[i]! - b[i]!
    sum += d < 0 ? -d : d
  }
  return sum / a.length
}

const visible = 10 // levels by which a pixel of the small picture must change to count as changed

// How far two frames are apart in grey levels (luma and 1.5 times the mean of both colour planes), and the share of the luma
// pixels that changed visibly.
export function change(a: SmallFrame, b: SmallFrame): { difference: number; changed: number } {
  let sum = 0
  let changed = 0
  const { y } = a
  const other = b.y
  for (let i = 0; i < y.length; i++) {
    const d = y[i]! - other[i]!
    const size = d < 0 ? -d : d
    sum += size
    if (size > visible) changed++
  }
  const colour = planeDifference(a.u, b.u) + planeDifference(a.v, b.v)
  return { difference: sum / y.length + 0.75 * colour, changed: changed / y.length }
}

// Standard deviation of the luma: near 0 for a plain black, white or coloured frame.
export function contrast(frame: SmallFrame): number {
  const { y } = frame
  let sum = 0
  let squares = 0
  for (let i = 0; i < y.length; i++) {
    sum += y[i]!
    squares += y[i]! * y[i]!
  }
  const mean = sum / y.length
  return Math.sqrt(Math.max(0, squares / y.length - mean * mean))
}

// How badly `middle` is explained as a mixture of `a` and `b`, as a share of their difference: near 0 in a dissolve (one mixture for all
// pixels) and in a wipe (each pixel is one or the other); a moving camera shows things that neither end has there.
export function unexplainedPart(middle: SmallFrame, a: SmallFrame, b: SmallFrame): number {
  const share = mixture(middle.y, a.y, b.y)
  let whole = 0
  let dissolve = 0
  let wipe = 0
  for (let i = 0; i < middle.y.length; i++) {
    const value = middle.y[i]!
    const p = a.y[i]!
    const q = b.y[i]!
    const toP = Math.abs(value - p)
    const toQ = Math.abs(value - q)
    whole += Math.abs(p - q)
    dissolve += Math.abs(value - q - share * (p - q))
    wipe += toP < toQ ? toP : toQ
  }
  return Math.min(dissolve, wipe) / (whole + 1)
}

// The share of `a` in the mixture of both that comes nearest to `middle`, by least squares.
function mixture(middle: Uint8Array, a: Uint8Array, b: Uint8Array): number {
  let product = 0
  let square = 0
  for (let i = 0; i < middle.length; i++) {
    const d = a[i]! - b[i]!
    product += (middle[i]! - b[i]!) * d
    square += d * d
  }
  return square === 0 ? 0 : Math.min(1, Math.max(0, product / square))
}

const reach = { across: 4, down: 3 } // pixels of the small frame, a sixteenth of the picture

// Whether one frame is the other moved a little: a camera that turns, or a page that scrolls.
export function isShift(a: SmallFrame, b: SmallFrame): boolean {
  const still = shiftedDifference(a, b, 0, 0)
  for (let down = -reach.down; down <= reach.down; down++) {
    for (let across = -reach.across; across <= reach.across; across++) {
      if (shiftedDifference(a, b, across, down) < 0.4 * still) return true
    }
  }
  return false
}

// Mean difference of the luma of a frame and a moved one, away from the borders.
function shiftedDifference(a: SmallFrame, b: SmallFrame, across: number, down: number): number {
  const { width, height } = a
  let sum = 0
  for (let y = reach.down; y < height - reach.down; y++) {
    const row = y * width
    const other = (y + down) * width + across
    for (let x = reach.across; x < width - reach.across; x++) {
      const d = a.y[row + x]! - b.y[other + x]!
      sum += d < 0 ? -d : d
    }
  }
  return sum
}
