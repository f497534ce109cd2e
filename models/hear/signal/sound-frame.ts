import { powerSpectrum } from '../../sound/fourier.ts'

interface Peak {
  pitch: number // Hz
  share: number // of the frame's power
}

// What one short moment sounds like. Levels are decibels below full scale.
export interface SoundFrame {
  level: number
  flatness: number // 0: all power on a few pitches, 1: spread evenly, as in noise
  peaks: Peak[] // the strongest pitches that stand out of what lies around them, strongest first
  top: Peak // the strongest pitch and the share of the power near it, even where it glides
  centre: number // Hz: half of the power lies below
  voicing: number // how periodic, from 0 to 1, within the pitch of voices
  levels: number[] // of eight parts of 4 ms each, for what is too short for one spectrum
}

export const signalRate = 16_000
export const hop = 512 // samples from one frame to the next
export const size = 1024 // samples that a spectrum covers
export const frameSeconds = hop / signalRate

const step = hop / 8
const slower = 4 // voices are looked for at a quarter of the rate
const highPitch = 420
const lowPitch = 75
const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
const binWidth = signalRate / size
const lowest = Math.round(90 / binWidth)
const highest = Math.round(7400 / binWidth)
const spectrum = powerSpectrum(size)

// Filled anew for each frame.
const windowed = new Float64Array(size)
const bins = new Float64Array(size / 2 + 1)
const power = bins.subarray(0, size / 2)
const slow = new Float64Array(size / slower)

// The frame whose 32 ms begin at `at`; its spectrum reaches as far again beyond them, and the samples must reach that far.
export function soundFrame(samples: Float32Array, at: number): SoundFrame {
  for (let i = 0; i < size; i++) windowed[i] = samples[at + i]! * hann[i]!
  spectrum(windowed, bins)
  let total = 1e-12
  for (let bin = 2; bin < power.length; bin++) total += power[bin]!
  return {
    level: measureLevel(samples, at, hop),
    flatness: measureFlatness(power),
    peaks: findPeaks(power, total).slice(0, 6),
    top: findTop(power, total),
    centre: findCentre(power, total),
    voicing: measureVoicing(samples, at),
    levels: Array.from({ length: 8 }, (_, i) => measureLevel(samples, at + i * step, step)),
  }
}

function measureLevel(samples: Float32Array, at: number, length: number): number {
  let sum = 0
  let power = 0
  for (let i = at; i < at + length; i++) {
    const sample = samples[i]!
    sum += sample
    power += sample * sample
  }
  return 10 * Math.log10(Math.max(0, power / length - (sum / length) ** 2) + 1e-10)
}

// A pitch stands out where the power falls to a fifth on both sides within the width of a tone, so that neighbours in a
// chord are told apart. Noise has such peaks too; they do not last.
function findPeaks(power: Float64Array, total: number): Peak[] {
  const peaks: Peak[] = []
  for (let bin = lowest; bin < highest; bin++) {
    const here = power[bin]!
    if (here < total * 0.004 || here < power[bin - 1]! || here <= power[bin + 1]!) continue
    let maxLeft = here
    let maxRight = here
    for (let away = 1; away <= 4; away++) {
      maxLeft = Math.min(maxLeft, power[bin - away]!)
      maxRight = Math.min(maxRight, power[bin + away]!)
    }
    if (here < Math.max(maxLeft, maxRight) * 5) continue
    const share = (power[bin - 2]! + power[bin - 1]! + here + power[bin + 1]! + power[bin + 2]!) / total
    peaks.push({ pitch: (bin + between(power[bin - 1]!, here, power[bin + 1]!)) * binWidth, share: Math.min(1, share) })
  }
  return peaks.sort((a, b) => b.share - a.share)
}

function findTop(power: Float64Array, total: number): Peak {
  let top = lowest
  for (let bin = 2; bin < power.length; bin++) if (power[bin]! > power[top]!) top = bin
  const reach = Math.max(4, Math.round(top * 0.06))
  let near = 0
  for (let bin = Math.max(2, top - reach); bin <= Math.min(power.length - 1, top + reach); bin++) near += power[bin]!
  const pitch = top + between(power[top - 1]!, power[top]!, power[top + 1] ?? power[top - 1]!)
  return { pitch: pitch * binWidth, share: near / total }
}

// Where between the bins a peak lies, by the parabola through the logarithms.
function between(before: number, here: number, after: number): number {
  const [a, b, c] = [Math.log(before + 1e-20), Math.log(here + 1e-20), Math.log(after + 1e-20)]
  const bend = a - 2 * b + c
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (a - c) / (2 * bend))) : 0
}

function measureFlatness(power: Float64Array): number {
  let logs = 0
  let sum = 0
  for (let bin = lowest; bin < highest; bin++) {
    logs += Math.log(power[bin]! + 1e-12)
    sum += power[bin]! + 1e-12
  }
  const count = highest - lowest
  return Math.exp(logs / count) / (sum / count)
}

function findCentre(power: Float64Array, total: number): number {
  let sum = 1e-12
  for (let bin = 2; bin < power.length; bin++) {
    sum += power[bin]!
    if (sum >= total / 2) return bin * binWidth
  }
  return 0
}

// The highest autocorrelation at the lags of voices, against that at lag zero.
function measureVoicing(samples: Float32Array, at: number): number {
  const length = slow.length
  let mean = 0
  for (let i = 0; i < length; i++) {
    const from = at + i * slower
    slow[i] = samples[from]! + samples[from + 1]! + samples[from + 2]! + samples[from + 3]!
    mean += slow[i]! / length
  }
  let whole = 1e-9
  for (let i = 0; i < length; i++) {
    slow[i]! -= mean
    whole += slow[i]! ** 2
  }
  let best = 0
  let before = Number.POSITIVE_INFINITY
  let last = 1
  for (let lag = Math.floor(signalRate / slower / highPitch) - 1; lag <= signalRate / slower / lowPitch + 1; lag++) {
    let sum = 0
    for (let i = lag; i < length; i++) sum += slow[i]! * slow[i - lag]!
    const value = sum / (1 - lag / length) / whole
    if (last >= before && last > value && last > best) best = last
    before = last
    last = value
  }
  return Math.min(1, best)
}
