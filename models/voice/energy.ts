import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { VoiceFinder } from '../../src/core/services.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { joinSettings, joinSpeech, SpeechScores } from './join-speech.ts'

const Settings = z.strictObject({
  ...joinSettings,
  above: z.number().positive().default(9).describe('decibels over the noise floor at which speech begins'),
  quietest: z.number().default(-55).describe('decibels below full scale under which nothing is speech'),
})
type Settings = z.infer<typeof Settings>

const perSecond = 50
const frame = 320 // samples
const block = 30 // seconds read at a time
const hysteresis = 4 // decibels
const around = 8 // seconds before and after a moment in which its noise floor is looked for

const energy: Backend<VoiceFinder, Settings> = {
  summary: 'takes what is louder than the noise floor for speech; needs no model, but takes music for speech too',
  version: '1',
  selfContained: true,
  settings: Settings,
  async open(settings) {
    return {
      async voices(audio, signal) {
        const levels = await measureLevels(audio, signal)
        const floors = noiseFloors(levels)
        const scores = new SpeechScores({ enter: settings.above, leave: settings.above - hysteresis })
        levels.forEach((level, at) => {
          const floor = Math.max(floors[Math.floor(at / perSecond)]!, settings.quietest - settings.above)
          scores.push(level - floor, { start: at / perSecond, end: (at + 1) / perSecond })
        })
        return joinSpeech(scores.spans, settings, audio.duration)
      },
    }
  },
}

export default energy

// The loudness of each frame in decibels below full scale, without the hum of the mains and the constant part.
async function measureLevels(audio: AudioSource, signal: AbortSignal): Promise<Float32Array> {
  const levels = new Float32Array(Math.ceil(audio.duration * perSecond))
  let last = 0
  let high = 0
  for (let start = 0; start < audio.duration; start += block) {
    signal.throwIfAborted()
    const samples = await audio.read({ start, end: Math.min(start + block, audio.duration) })
    for (let at = 0; at < samples.length; at += frame) {
      const window = samples.subarray(at, at + frame)
      let power = 0
      for (const sample of window) {
        high = 0.95 * (high + sample - last)
        last = sample
        power += high * high
      }
      levels[start * perSecond + at / frame] = 10 * Math.log10(power / window.length + 1e-10)
    }
  }
  return levels
}

// For each second the quietest level around it: a tenth of the frames of the quietest near second lie below it.
function noiseFloors(levels: Float32Array): number[] {
  const quiet: number[] = []
  for (let at = 0; at < levels.length; at += perSecond) {
    const second = levels.slice(at, at + perSecond).sort()
    quiet.push(second[Math.floor(second.length / 10)]!)
  }
  return quiet.map((_, at) => Math.min(...quiet.slice(Math.max(0, at - around), at + around + 1)))
}
