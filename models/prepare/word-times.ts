import { mirror } from '../sound/mel-spectrogram.ts'

// How much each written token looked at each moment of the window; the row after the last belongs to the end.
export interface Attention {
  data: Float32Array // heads, tokens, frames
  dims: [heads: number, tokens: number, frames: number]
}

const step = 0.02 // seconds of one frame of attention

// When each written token was said, from the attention of the model while it wrote it: start and end in seconds of the window.
// Dynamic time warping finds the monotonic path through tokens and frames that follows the attention best.
export function tokenTimes(
  attention: Attention,
  seconds: number,
  median: number,
  wanted: readonly number[], // rows to be timed, in order; the last only bounds the one before it
): { start: number; end: number }[] {
  const frames = Math.max(1, Math.min(attention.dims[2], Math.round(seconds / step)))
  const looks = meanOfHeads(attention, frames, median)
  const cost = wanted.map(row => looks[row]!.map(value => -value))
  const begins = path(cost, frames)
  return wanted.slice(0, -1).map((_, i) => ({ start: begins[i]! * step, end: begins[i + 1]! * step }))
}

// Each head's attention is compared across the tokens, smoothed along time, and averaged over the heads.
function meanOfHeads({ data, dims }: Attention, frames: number, median: number): Float64Array[] {
  const [heads, tokens, width] = dims
  const mean = Array.from({ length: tokens }, () => new Float64Array(frames))
  for (let head = 0; head < heads; head++) {
    const rows = Array.from({ length: tokens }, (_, token) =>
      Float64Array.from(data.subarray((head * tokens + token) * width, (head * tokens + token) * width + frames)),
    )
    for (let frame = 0; frame < frames; frame++) {
      const average = rows.reduce((sum, row) => sum + row[frame]!, 0) / tokens
      const spread = Math.sqrt(rows.reduce((sum, row) => sum + (row[frame]! - average) ** 2, 0) / tokens)
      for (const row of rows) row[frame] = (row[frame]! - average) / (spread || 1)
    }
    rows.forEach((row, token) => {
      smoothed(row, median).forEach((value, frame) => {
        mean[token]![frame]! += value / heads
      })
    })
  }
  return mean
}

function smoothed(row: Float64Array, width: number): Float64Array {
  const reach = Math.floor(width / 2)
  if (row.length <= reach) return row
  const around = new Float64Array(width)
  return row.map((_, at) => {
    for (let i = 0; i < width; i++) around[i] = row[mirror(at - reach + i, row.length)]!
    return around.sort()[reach]!
  })
}

// The frame at which the cheapest path first reaches each row.
function path(cost: Float64Array[], frames: number): number[] {
  const rows = cost.length
  const width = frames + 1
  const total = new Float64Array((rows + 1) * width).fill(Number.POSITIVE_INFINITY)
  const came = new Uint8Array((rows + 1) * width)
  total[0] = 0
  for (let row = 1; row <= rows; row++) {
    for (let frame = 1; frame <= frames; frame++) {
      const at = row * width + frame
      const both = total[at - width - 1]!
      const down = total[at - width]!
      const along = total[at - 1]!
      const way = both < down && both < along ? 0 : down < both && down < along ? 1 : 2
      came[at] = way
      total[at] = cost[row - 1]![frame - 1]! + [both, down, along][way]!
    }
  }
  const begins = new Array<number>(rows).fill(0)
  let row = rows
  let frame = frames
  while (row > 0 && frame > 0) {
    begins[row - 1] = frame - 1
    const way = came[row * width + frame]
    if (way !== 2) row--
    if (way !== 1) frame--
  }
  return begins
}
