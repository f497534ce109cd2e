import type { HexColour } from './scene.ts'

// One picture as ffmpeg's yuv420p wants it: the three planes one after the other in `bytes`.
export interface Planes {
  width: number
  height: number
  bytes: Uint8Array
  y: Uint8Array
  u: Uint8Array // half width, half height
  v: Uint8Array
}

export type Yuv = readonly [y: number, u: number, v: number]

export function newPlanes(width: number, height: number): Planes {
  const luma = width * height
  const bytes = new Uint8Array((luma * 3) / 2)
  return {
    width,
    height,
    bytes,
    y: bytes.subarray(0, luma),
    u: bytes.subarray(luma, (luma * 5) / 4),
    v: bytes.subarray((luma * 5) / 4),
  }
}

// "#rrggbb" in BT.709 with the narrow range of television, as the rendered file is tagged.
export function toYuv(colour: HexColour): Yuv {
  const [r, g, b] = parseColour(colour)
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return [
    Math.round(16 + light * 219),
    Math.round(128 + ((b - light) / 1.8556) * 224),
    Math.round(128 + ((r - light) / 1.5748) * 224),
  ]
}

function parseColour(colour: HexColour): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

// Rows from..to in one colour; both even.
export function fillRows(planes: Planes, from: number, to: number, [y, u, v]: Yuv): void {
  planes.y.fill(y, from * planes.width, to * planes.width)
  const half = planes.width / 2
  planes.u.fill(u, (from / 2) * half, (to / 2) * half)
  planes.v.fill(v, (from / 2) * half, (to / 2) * half)
}

export function between(a: Yuv, b: Yuv, share: number): Yuv {
  const mix = (k: 0 | 1 | 2) => Math.round(a[k] + (b[k] - a[k]) * share)
  return [mix(0), mix(1), mix(2)]
}

// `over` shines through `under` by share (0..1); the result lands in `under`.
export function dissolve(under: Planes, over: Planes, share: number): void {
  const weight = Math.round(share * 256)
  const rest = 256 - weight
  const a = under.bytes
  const b = over.bytes
  for (let i = 0; i < a.length; i++) a[i] = (a[i]! * rest + b[i]! * weight + 128) >> 8
}

// The nearest even number: half of it is a whole place in the chroma planes.
export function even(value: number): number {
  return Math.round(value / 2) * 2
}
