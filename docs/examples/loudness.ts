import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Listener } from '../../src/core/services.ts'

const Settings = z.object({ threshold: z.number().default(0.2).describe('root mean square, 0 to 1') })

const loudness: Backend<Listener, z.infer<typeof Settings>> = {
  summary: 'names loud passages by their root mean square',
  version: '1',
  settings: Settings,
  async open({ threshold }) {
    return {
      async *hear({ audio, span }, signal) {
        for (let start = span.start; start < span.end; start++) {
          signal.throwIfAborted()
          const second = { start, end: Math.min(start + 1, span.end) }
          const samples = await audio.read(second)
          const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
          if (Math.sqrt(power) >= threshold) yield { span: second, track: 'sound', text: 'loud passage' }
        }
      },
    }
  },
}

export default loudness
