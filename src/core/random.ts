// A small generator of numbers in 0..1 that gives the same row for the same seed everywhere (mulberry32, public domain).
export function random(seed: number): () => number {
  let state = Math.imul(seed | 0, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
