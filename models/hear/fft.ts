// Fast Fourier transform of one size, in place on a real and an imaginary part. The size is a power of two.
export function fft(size: number): (real: Float64Array, imaginary: Float64Array) => void {
  const cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sines = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  const bits = Math.log2(size)
  const order = Uint32Array.from({ length: size }, (_, i) => reversed(i, bits))

  return (real, imaginary) => {
    for (let i = 0; i < size; i++) {
      const j = order[i]!
      if (j <= i) continue
      ;[real[i], real[j]] = [real[j]!, real[i]!]
      ;[imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!]
    }
    for (let half = 1, stride = size / 2; half < size; half *= 2, stride /= 2) {
      for (let start = 0; start < size; start += half * 2) {
        for (let k = 0; k < half; k++) {
          const a = start + k
          const b = a + half
          const cosine = cosines[k * stride]!
          const sine = sines[k * stride]!
          const re = real[b]! * cosine + imaginary[b]! * sine
          const im = imaginary[b]! * cosine - real[b]! * sine
          real[b] = real[a]! - re
          imaginary[b] = imaginary[a]! - im
          real[a]! += re
          imaginary[a]! += im
        }
      }
    }
  }
}

function reversed(value: number, bits: number): number {
  let result = 0
  for (let bit = 0; bit < bits; bit++) result = (result << 1) | ((value >> bit) & 1)
  return result
}
