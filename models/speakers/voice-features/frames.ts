import { melFrames } from '../../sound/mel-spectrogram.ts'

const rate = 16_000
const size = 400
const hop = 160
const mels = 26
export const cepstra = 16
export const perSecond = rate / hop

export interface VoiceFrame {
  cepstrum: Float64Array // without the first coefficient, which is loudness
  pitch: number // Hz; 0 where it has none
  energy: number
}

// Mel cepstra and pitch of each hundredth of a second.
export function voiceFrames(samples: Float32Array): VoiceFrame[] {
  const frames: VoiceFrame[] = []
  const count = Math.max(0, 1 + Math.floor((samples.length - 1024) / hop))
  const filters = { size: 512, mels, rate, lowest: 60, highest: 7600, scale: 'kaldi' } as const
  const fill = (window: Float64Array, frame: number) => {
    window.fill(0)
    for (let i = 1; i < size; i++) {
      const at = frame * hop + i
      const hann = 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (size - 1))
      window[i] = ((samples[at] ?? 0) - 0.97 * (samples[at - 1] ?? 0)) * hann
    }
  }
  melFrames(filters, count, fill, (power, frame) => {
    const logs = Array.from(power, one => Math.log(Math.max(1e-9, one)))
    const cepstrum = new Float64Array(cepstra)
    for (let k = 1; k <= cepstra; k++) {
      let sum = 0
      for (let m = 0; m < mels; m++) sum += (logs[m] ?? 0) * Math.cos((Math.PI * k * (m + 0.5)) / mels)
      cepstrum[k - 1] = sum * (1 + 11 * Math.sin((Math.PI * k) / 22))
    }
    const part = samples.subarray(frame * hop, frame * hop + 1024)
    frames.push({ cepstrum, ...pitchOf(part) })
  })
  return frames
}

function pitchOf(part: Float32Array): { pitch: number; energy: number } {
  let energy = 0
  for (const sample of part) energy += sample * sample
  if (energy < 1e-4) return { pitch: 0, energy }
  let best = 0
  let at = 0
  for (let lag = Math.floor(rate / 400); lag <= rate / 65; lag++) {
    let both = 0
    let a = 0
    let b = 0
    for (let i = 0; i + lag < part.length; i += 2) {
      both += part[i]! * part[i + lag]!
      a += part[i]! ** 2
      b += part[i + lag]! ** 2
    }
    const likeness = both / (Math.sqrt(a * b) || 1)
    if (likeness > best + 0.02) {
      best = likeness
      at = lag
    }
  }
  return { pitch: best > 0.6 ? rate / at : 0, energy }
}
