// Resizes 8-bit pictures the way Pillow does, to the last bit: image encoders are trained on pictures made so.
// A filter that is widened where the picture shrinks, first across, then down, rounded to 8 bits after each pass,
// with weights of 22 bits.

export type Filter = 'nearest' | 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos'

export interface Pixels {
  width: number
  height: number
  rgb: Uint8Array
}

export function resample(picture: Pixels, width: number, height: number, filter: Filter): Pixels {
  if (filter === 'nearest') return nearest(picture, width, height)
  const across = width === picture.width ? picture : resampleRows(picture, width, filter)
  return height === across.height ? across : resampleColumns(across, height, filter)
}

interface Kernel {
  reach: number
  at(x: number): number
}

const kernels: Record<Exclude<Filter, 'nearest'>, Kernel> = {
  box: { reach: 0.5, at: x => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { reach: 1, at: x => Math.max(0, 1 - Math.abs(x)) },
  hamming: { reach: 1, at: x => (Math.abs(x) >= 1 ? 0 : sinc(x) * (0.54 + 0.46 * Math.cos(Math.PI * x))) },
  bicubic: { reach: 2, at: x => cubic(Math.abs(x)) },
  lanczos: { reach: 3, at: x => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

function cubic(x: number): number {
  const a = -0.5
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
}

const bits = 22

// Which pixels of a row make each new one, and by how much.
interface Taps {
  from: Int32Array
  count: Int32Array
  weights: Int32Array
  maxCount: number
}

function taps(length: number, target: number, filter: Exclude<Filter, 'nearest'>): Taps {
  const kernel = kernels[filter]
  const scale = length / target
  const wide = Math.max(1, scale)
  const reach = kernel.reach * wide
  const maxCount = Math.ceil(reach) * 2 + 1
  const from = new Int32Array(target)
  const count = new Int32Array(target)
  const weights = new Int32Array(target * maxCount)
  for (let i = 0; i < target; i++) {
    const centre = (i + 0.5) * scale
    const first = Math.max(0, Math.trunc(centre - reach + 0.5))
    const last = Math.min(length, Math.trunc(centre + reach + 0.5))
    const row = Array.from({ length: last - first }, (_, k) => kernel.at((k + first - centre + 0.5) * (1 / wide)))
    const sum = row.reduce((total, weight) => total + weight, 0)
    from[i] = first
    count[i] = last - first
    row.forEach((weight, k) => {
      const share = sum === 0 ? weight : weight / sum
      weights[i * maxCount + k] = Math.trunc(share * 2 ** bits + (share < 0 ? -0.5 : 0.5))
    })
  }
  return { from, count, weights, maxCount }
}

function resampleRows({ rgb, width, height }: Pixels, target: number, filter: Exclude<Filter, 'nearest'>): Pixels {
  const { from, count, weights, maxCount } = taps(width, target, filter)
  const out = new Uint8ClampedArray(target * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < target; x++) {
      let red = 1 << (bits - 1)
      let green = red
      let blue = red
      let at = (y * width + from[x]!) * 3
      for (let k = x * maxCount, end = k + count[x]!; k < end; k++, at += 3) {
        const weight = weights[k]!
        red += rgb[at]! * weight
        green += rgb[at + 1]! * weight
        blue += rgb[at + 2]! * weight
      }
      const to = (y * target + x) * 3
      out[to] = red >> bits
      out[to + 1] = green >> bits
      out[to + 2] = blue >> bits
    }
  }
  return { width: target, height, rgb: new Uint8Array(out.buffer) }
}

function resampleColumns({ rgb, width, height }: Pixels, target: number, filter: Exclude<Filter, 'nearest'>): Pixels {
  const { from, count, weights, maxCount } = taps(height, target, filter)
  const stride = width * 3
  const out = new Uint8ClampedArray(stride * target)
  const sums = new Int32Array(stride)
  for (let y = 0; y < target; y++) {
    sums.fill(1 << (bits - 1))
    for (let k = 0; k < count[y]!; k++) {
      const weight = weights[y * maxCount + k]!
      const row = (from[y]! + k) * stride
      for (let i = 0; i < stride; i++) sums[i]! += rgb[row + i]! * weight
    }
    for (let i = 0; i < stride; i++) out[y * stride + i] = sums[i]! >> bits
  }
  return { width, height: target, rgb: new Uint8Array(out.buffer) }
}

// Pillow adds up its steps, and so rounds as they add up.
function nearest({ rgb, width, height }: Pixels, toWidth: number, toHeight: number): Pixels {
  const out = new Uint8Array(toWidth * toHeight * 3)
  const columns = nearestPixels(width, toWidth)
  nearestPixels(height, toHeight).forEach((row, y) => {
    columns.forEach((column, x) => {
      const at = (row * width + column) * 3
      out.set(rgb.subarray(at, at + 3), (y * toWidth + x) * 3)
    })
  })
  return { width: toWidth, height: toHeight, rgb: out }
}

function nearestPixels(length: number, target: number): number[] {
  const step = length / target
  let at = step * 0.5
  return Array.from({ length: target }, () => {
    const pixel = Math.min(length - 1, Math.floor(at))
    at += step
    return pixel
  })
}
