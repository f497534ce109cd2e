import type { Pixels } from './resample.ts'

// A picture in the upper left corner of a square, blue, green, red from 0 to 255, as YuNet was trained.
export function facePlanes({ rgb, width, height }: Pixels, edge: number): Float32Array {
  const data = new Float32Array(3 * edge * edge)
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) data[(plane * edge + y) * edge + x] = rgb[(y * width + x) * 3 + 2 - plane]!
  return data
}
