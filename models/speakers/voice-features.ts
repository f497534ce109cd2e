import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { SpeakerFinder, SpeakerTurn } from '../../src/core/services.ts'
import energy from '../voice/energy.ts'
import { cluster } from './voice-features/cluster.ts'
import { voiceFrames } from './voice-features/frames.ts'

const Settings = z.strictObject({
  count: z.number().int().positive().max(20).optional(),
  threshold: z.number().positive().default(6),
  window: z.number().positive().default(2),
})
type Settings = z.infer<typeof Settings>

const voiceFeatures: Backend<SpeakerFinder, Settings> = {
  summary: 'tells voices apart by pitch and the colour of the sound, without a model',
  version: '1',
  selfContained: true,
  settings: Settings,
  async open(settings, host) {
    const voices = await energy.open(energy.settings.parse({}), host)
    return {
      async *turns(audio, signal): AsyncGenerator<SpeakerTurn> {
        const spans = await voices.voices(audio, signal)
        const samples = await audio.read({ start: 0, end: audio.duration })
        const frames = voiceFrames(samples)
        yield* cluster(frames, spans, settings)
      },
    }
  },
}
export default voiceFeatures
