import type { Pixels } from './resample.ts'

const mean = [0.485, 0.456, 0.406]
const deviation = [0.229, 0.224, 0.225]

// Blue, green, red: the detector was trained on pictures in that order, with the mean of red, green, blue.
export function pagePlanes({ rgb, width, height }: Pixels): Float32Array {
  const data = new Float32Array(3 * width * height)
  for (let plane = 0; plane < 3; plane++)
    for (let i = 0; i < width * height; i++)
      data[plane * width * height + i] = (rgb[i * 3 + 2 - plane]! / 255 - mean[plane]!) / deviation[plane]!
  return data
}

// Lines of one height beside each other in a batch, each padded to the width of the longest.
export function linePlanes(lines: readonly Pixels[], width: number, height: number): Float32Array {
  const plane = width * height
  const data = new Float32Array(lines.length * 3 * plane)
  lines.forEach((line, n) => {
    for (let channel = 0; channel < 3; channel++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < line.width; x++)
          data[(n * 3 + channel) * plane + y * width + x] =
            line.rgb[(y * line.width + x) * 3 + 2 - channel]! / 127.5 - 1
  })
  return data
}
