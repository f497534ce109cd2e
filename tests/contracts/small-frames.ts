import type { SmallFrame } from '../../src/core/services.ts'

const width = 64
const height = 36

export type Picture = (x: number, y: number) => number // luma of a pixel; x and y may lie outside the frame

const landscapes = new Map<number, Float32Array>()
const wide = 384
const high = 48

// A smooth landscape of its own for each seed, wide enough to pan over.
export function landscape(seed: number): Picture {
  const pixels = landscapes.get(seed) ?? grow(seed)
  landscapes.set(seed, pixels)
  return (x, y) => pixels[Math.min(high - 1, Math.round(y)) * wide + Math.min(wide - 1, Math.round(x))]!
}

function grow(seed: number): Float32Array {
  const waves = Array.from({ length: 9 }, (_, i) => {
    const part = (n: number) => fraction(Math.sin((seed * 31 + i * 7 + n) * 12.9898) * 43758.5453)
    return {
      across: (part(1) - 0.5) * 0.7,
      down: (part(2) - 0.5) * 0.7,
      phase: part(3) * 6.28,
      size: 12 + part(4) * 22,
    }
  })
  return Float32Array.from({ length: wide * high }, (_, i) => {
    const [x, y] = [i % wide, Math.floor(i / wide)]
    return waves.reduce((sum, wave) => sum + wave.size * Math.sin(wave.across * x + wave.down * y + wave.phase), 118)
  })
}

// A slide of a template: white, a head line, and lines of "text" whose places the seed decides.
export function slide(seed: number): Picture {
  return (x, y) => {
    if (y < 4) return 60
    const line = Math.floor((y - 7) / 4)
    const long = 18 + Math.floor(fraction(Math.sin((seed * 13 + line) * 78.233) * 9631.7) * 40)
    const inside = (y - 7) % 4 < 2 && line >= 0 && line < 6 && x > 5 && x < long
    return inside ? 150 + 60 * fraction(Math.sin((seed * 17 + line * 5 + Math.floor(x)) * 45.17) * 7919.3) : 240
  }
}

export const plain =
  (level: number): Picture =>
  () =>
    level

export function moved(picture: Picture, dx: number, dy = 0): Picture {
  return (x, y) => picture(x + dx, y + dy)
}

export function mixed(a: Picture, b: Picture, share: number): Picture {
  return (x, y) => a(x, y) * (1 - share) + b(x, y) * share
}

export function draw(picture: Picture, time: number): SmallFrame {
  const y = new Uint8Array(width * height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      y[row * width + column] = Math.max(0, Math.min(255, Math.round(picture(column, row))))
  const u = new Uint8Array((width * height) / 4).fill(128)
  return { time, width, height, y, u, v: u.slice() }
}

// A film from a function of time: `rate` frames a second, or at the given times.
export function film(seconds: number, rate: number | number[], at: (time: number) => Picture): SmallFrame[] {
  const times = Array.isArray(rate) ? rate : Array.from({ length: Math.round(seconds * rate) }, (_, i) => i / rate)
  return times.map(time => draw(at(time), time))
}

function fraction(value: number): number {
  return value - Math.floor(value)
}
