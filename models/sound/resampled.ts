// Sound at a higher rate: each new sample is a sum of old ones under a windowed sinc. What lies above half of the old rate
// is not there and does not come back.
export function resampled(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples
  if (to < from || to % from !== 0) throw new Error(`sound of ${from} Hz cannot be brought to ${to} Hz`)
  const times = to / from
  const filters = Array.from({ length: times }, (_, phase) => sincFilter(phase / times))
  const out = new Float32Array(samples.length * times)
  const padded = new Float32Array(samples.length + 2 * reach)
  padded.set(samples, reach - 1)
  for (let at = 0; at < samples.length; at++) {
    out[at * times] = samples[at]!
    for (let phase = 1; phase < times; phase++) {
      const filter = filters[phase]!
      let sum = 0
      for (let i = 0; i < 2 * reach; i++) sum += padded[at + i]! * filter[i]!
      out[at * times + phase] = sum
    }
  }
  return out
}

const reach = 24 // old samples on either side

function sincFilter(offset: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * reach }, (_, i) => {
    const x = i - reach + 1 - offset
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (reach + 1))
    return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * window
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map(weight => weight / sum)
}
