// Fixtures that say which frame is on screen: its number in white squares on black, the lowest bit on the left.

const bits = 12
const side = 20 // pixels of a square

// A filter for ffmpeg: the picture must be 320 pixels wide.
export const numbered = Array.from(
  { length: bits },
  (_, bit) => `drawbox=x=${side * bit}:y=0:w=${side}:h=${side}:t=fill:c=white:enable='mod(floor(n/${2 ** bit}),2)'`,
).join()

// Of packed pixels of any size, as many bytes a pixel as are given; the first byte tells light from dark.
export function numberIn(pixels: Uint8Array, width: number, bytes: number): number {
  const scale = width / 320
  const line = Math.floor((side / 2) * scale)
  return Array.from({ length: bits }, (_, bit) => {
    const column = Math.floor((bit + 0.5) * side * scale)
    return (pixels[(line * width + column) * bytes] ?? 0) > 128 ? 2 ** bit : 0
  }).reduce<number>((sum, value) => sum + value, 0)
}
