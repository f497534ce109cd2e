import { once } from './once.ts'

// Half floats for vectors on disk: half the bytes, and a unit vector keeps three to four digits.

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

export function toFloat16(values: Float32Array): Uint16Array {
  const halves = new Uint16Array(values.length)
  for (let i = 0; i < values.length; i++) halves[i] = encode(values[i]!)
  return halves
}

export function fromFloat16(halves: Uint16Array): Float32Array {
  const table = decoded()
  const values = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i++) values[i] = table[halves[i]!]!
  return values
}

// Rounds to the nearest, ties to even, as IEEE 754 asks.
function encode(value: number): number {
  single[0] = value
  const whole = bits[0]!
  const sign = (whole >>> 16) & 0x8000
  const magnitude = whole & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7e00 // not a number
  if (magnitude >= 0x477ff000) return sign | 0x7c00 // too large: infinite
  if (magnitude < 0x33000001) return sign // too small: zero
  const exponent = magnitude >>> 23
  const mantissa = (magnitude & 0x7fffff) | 0x800000
  const shift = exponent < 113 ? 126 - exponent : 13 // below 2^-14 the half has no leading one
  const keptBits = exponent < 113 ? mantissa >>> shift : ((exponent - 112) << 10) | ((mantissa >>> 13) & 0x3ff)
  const rest = mantissa & ((1 << shift) - 1)
  const half = 1 << (shift - 1)
  return sign | (keptBits + (rest > half || (rest === half && (keptBits & 1) === 1) ? 1 : 0))
}

const decoded = once(() => {
  const table = new Float32Array(65536)
  for (let half = 0; half < 65536; half++) {
    const exponent = (half >>> 10) & 31
    const mantissa = half & 0x3ff
    const magnitude =
      exponent === 31
        ? mantissa
          ? Number.NaN
          : Number.POSITIVE_INFINITY
        : exponent === 0
          ? mantissa * 2 ** -24
          : (1 + mantissa / 1024) * 2 ** (exponent - 15)
    table[half] = half & 0x8000 ? -magnitude : magnitude
  }
  return table
})

// A small generator of numbers in 0..1 that gives the same row for the same seed everywhere (mulberry32, public domain).
export function seededRandom(seed: number): () => number {
  let state = Math.imul(seed | 0, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function gigabytes(megabytes: number): string {
  return megabytes >= 1000 ? `${(megabytes / 1000).toFixed(1)} GB` : `${Math.round(megabytes)} MB`
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}
