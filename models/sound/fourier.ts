// The power of each pitch of a real signal of `size` samples, for any even size (Whisper's 400 is not a power of two): the
// signal is folded into half as many complex numbers, which are taken apart by the prime factors of their count.
export function powerSpectrum(size: number): (samples: Float64Array, power: Float64Array) => void {
  const half = size / 2
  const transform = complexTransform(half)
  const cosines = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sines = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / size))
  const inReal = new Float64Array(half)
  const inImaginary = new Float64Array(half)
  const real = new Float64Array(half)
  const imaginary = new Float64Array(half)

  return (samples, power) => {
    for (let i = 0; i < half; i++) {
      inReal[i] = samples[2 * i]!
      inImaginary[i] = samples[2 * i + 1]!
    }
    transform(inReal, inImaginary, real, imaginary)
    for (let k = 0; k <= half; k++) {
      const a = k % half
      const b = (half - k) % half
      const evenReal = (real[a]! + real[b]!) / 2
      const evenImaginary = (imaginary[a]! - imaginary[b]!) / 2
      const oddReal = (imaginary[a]! + imaginary[b]!) / 2
      const oddImaginary = (real[b]! - real[a]!) / 2
      const re = evenReal + cosines[k]! * oddReal + sines[k]! * oddImaginary
      const im = evenImaginary + cosines[k]! * oddImaginary - sines[k]! * oddReal
      power[k] = re * re + im * im
    }
  }
}

type Transform = (
  inReal: Float64Array,
  inImaginary: Float64Array,
  outReal: Float64Array,
  outImaginary: Float64Array,
) => void

function complexTransform(size: number): Transform {
  const factors = factorize(size)
  const cosines = Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sines = Float64Array.from({ length: size }, (_, k) => -Math.sin((2 * Math.PI * k) / size))
  const largest = Math.max(...factors, 1)
  const partReal = new Float64Array(largest)
  const partImaginary = new Float64Array(largest)

  return (inReal, inImaginary, outReal, outImaginary) => {
    const step = (level: number, length: number, stride: number, from: number, to: number) => {
      if (length === 1) {
        outReal[to] = inReal[from]!
        outImaginary[to] = inImaginary[from]!
        return
      }
      const radix = factors[level]!
      const partLength = length / radix
      for (let r = 0; r < radix; r++)
        step(level + 1, partLength, stride * radix, from + r * stride, to + r * partLength)
      if (radix === 2) return halves(partLength, stride, to)
      for (let k = 0; k < partLength; k++) {
        for (let r = 0; r < radix; r++) {
          const turn = (r * k * stride) % size
          const re = outReal[to + r * partLength + k]!
          const im = outImaginary[to + r * partLength + k]!
          partReal[r] = re * cosines[turn]! - im * sines[turn]!
          partImaginary[r] = re * sines[turn]! + im * cosines[turn]!
        }
        for (let q = 0; q < radix; q++) {
          let re = partReal[0]!
          let im = partImaginary[0]!
          for (let r = 1; r < radix; r++) {
            const turn = (((r * q) % radix) * (size / radix)) % size
            re += partReal[r]! * cosines[turn]! - partImaginary[r]! * sines[turn]!
            im += partReal[r]! * sines[turn]! + partImaginary[r]! * cosines[turn]!
          }
          outReal[to + q * partLength + k] = re
          outImaginary[to + q * partLength + k] = im
        }
      }
    }
    // Most of the work, as most sizes are powers of two.
    const halves = (part: number, stride: number, to: number) => {
      for (let k = to, turn = 0; k < to + part; k++, turn += stride) {
        const re = outReal[k + part]! * cosines[turn]! - outImaginary[k + part]! * sines[turn]!
        const im = outReal[k + part]! * sines[turn]! + outImaginary[k + part]! * cosines[turn]!
        outReal[k + part] = outReal[k]! - re
        outImaginary[k + part] = outImaginary[k]! - im
        outReal[k]! += re
        outImaginary[k]! += im
      }
    }
    step(0, size, 1, 0, 0)
  }
}

function factorize(size: number): number[] {
  const factors: number[] = []
  let rest = size
  for (let prime = 2; rest > 1; prime++) {
    while (rest % prime === 0) {
      factors.push(prime)
      rest /= prime
    }
  }
  return factors
}
