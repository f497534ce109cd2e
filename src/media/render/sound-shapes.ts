import { seededRandom } from '../../core/basics/numbers.ts'
import { sampleRate } from '../audio.ts'
import type { SceneSound } from './scene.ts'

// A sound as 16 kHz samples of about full scale, `seconds` long.
export function soundShape(kind: Exclude<SceneSound, 'silence'>, seconds: number, seed: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  makers[kind](samples, seededRandom(seed))
  fadeEnds(samples)
  return samples
}

type Maker = (samples: Float32Array, next: () => number) => void

const makers: Record<Exclude<SceneSound, 'silence'>, Maker> = {
  // One stroke: partials of a church bell, the higher ones dying first.
  bell(samples) {
    const partials = [0.5, 1, 1.19, 1.5, 2, 2.67, 3.01, 4.1]
    for (const [i, ratio] of partials.entries()) {
      const loud = (t: number) => (0.3 / (1 + i * 0.4)) * Math.exp(-t * (1.2 + ratio * 0.9))
      tone(samples, t => 660 * ratio * t, loud)
    }
  },
  siren(samples) {
    // The integral of 1000 + 350 sin(2 pi t / 1.6), so that the pitch glides.
    const turns = (t: number) => 1000 * t - ((350 * 1.6) / TAU) * Math.cos((TAU * t) / 1.6)
    for (const [k, loud] of [0.5, 0.16, 0.08].entries()) tone(samples, t => (k + 1) * turns(t), always(loud))
  },
  // Short rough bursts with a falling pitch, two a second.
  bark(samples, next) {
    for (let at = 0; at + 0.2 * sampleRate <= samples.length; at += Math.round(0.48 * sampleRate)) {
      const burst = samples.subarray(at, at + Math.round(0.2 * sampleRate))
      const high = 520 + next() * 80
      const turns = (t: number) => high * t - 900 * t * t
      const loud = (t: number) => Math.min(1, t / 0.015) * Math.exp(-t * 14)
      for (let k = 1; k <= 7; k++) tone(burst, t => k * turns(t), scaled(0.5 / k ** 0.6, loud))
      noise(burst, next, t => 0.35 * loud(t))
    }
  },
  // Many claps of short, dull noise, thick in the middle.
  applause(samples, next) {
    const seconds = samples.length / sampleRate
    for (let n = Math.round(seconds * 70); n > 0; n--) {
      const at = Math.floor(next() * samples.length)
      const clap = samples.subarray(at, at + Math.round(0.03 * sampleRate))
      noise(clap, next, fading(0.2 + next() * 0.4, 160))
    }
    swell(samples)
  },
  // Chords of three notes with overtones, a new one every 0.6 s.
  music(samples, next) {
    const roots = [0, 5, 7, 9, 4]
    const length = Math.round(0.6 * sampleRate)
    for (let at = 0; at < samples.length; at += length) {
      const root = roots[Math.floor(next() * roots.length)]!
      const chord = samples.subarray(at, at + length)
      for (const step of [0, 4, 7, 12]) {
        const pitch = 196 * 2 ** ((root + step) / 12)
        const loud = (t: number) => Math.min(1, t / 0.03) * Math.exp(-t * 1.6)
        for (const [k, peak] of [0.17, 0.06, 0.03].entries()) tone(chord, t => (k + 1) * pitch * t, scaled(peak, loud))
      }
    }
  },
  beep(samples) {
    tone(samples, t => 1000 * t, always(0.5))
  },
  // Two dull thumps a quarter of a second apart, then a pause.
  knock(samples, next) {
    for (let at = 0; at < samples.length; at += Math.round(0.9 * sampleRate))
      for (const second of [0, 0.25]) {
        const thump = samples.subarray(
          at + Math.round(second * sampleRate),
          at + Math.round((second + 0.12) * sampleRate),
        )
        tone(thump, t => 140 * t - 200 * t * t, fading(0.8, 40))
        tone(thump, t => 410 * t, fading(0.3, 70))
        noise(thump, next, fading(0.25, 200))
      }
  },
}

const TAU = 2 * Math.PI

type OverTime = (seconds: number) => number

const always = (value: number) => () => value
const scaled =
  (peak: number, loud: OverTime): OverTime =>
  t =>
    peak * loud(t)
const fading =
  (peak: number, speed: number): OverTime =>
  t =>
    peak * Math.exp(-t * speed)

// Adds a sine whose phase in whole turns and whose loudness are functions of seconds.
function tone(samples: Float32Array, turns: OverTime, loud: OverTime): void {
  for (let i = 0; i < samples.length; i++) samples[i]! += loud(i / sampleRate) * Math.sin(TAU * turns(i / sampleRate))
}

function noise(samples: Float32Array, next: () => number, loud: OverTime): void {
  for (let i = 0; i < samples.length; i++) samples[i]! += loud(i / sampleRate) * (next() * 2 - 1)
}

function swell(samples: Float32Array): void {
  const length = Math.min(samples.length / 3, 0.5 * sampleRate)
  for (let i = 0; i < length; i++) {
    samples[i]! *= i / length
    samples[samples.length - 1 - i]! *= i / length
  }
}

// No click where a sound begins or ends.
function fadeEnds(samples: Float32Array): void {
  const length = Math.min(samples.length / 2, 0.004 * sampleRate)
  for (let i = 0; i < length; i++) {
    samples[i]! *= i / length
    samples[samples.length - 1 - i]! *= i / length
  }
}
