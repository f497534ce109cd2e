import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { byTime } from '../../src/core/evidence.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { overlap, Span } from '../../src/core/time.ts'

const Settings = z.strictObject({
  cues: z
    .array(z.object({ span: Span, text: z.string(), speaker: z.string().optional() }))
    .describe('the lines of a subtitle track, on the clock of the video'),
})

// Subtitles that came with the video replace a recogniser: nothing is listened to, and there is no confidence.
const subtitles: Backend<Transcriber, z.infer<typeof Settings>> = {
  summary: 'the lines of a subtitle track that came with the video',
  version: '1',
  settings: Settings,
  async open({ cues }) {
    return {
      async *transcribe({ spans }, signal) {
        for (const { span, text, speaker } of [...cues].sort(byTime)) {
          signal.throwIfAborted()
          const line = text.replaceAll(/\s+/g, ' ').trim()
          if (line === '' || !spans.some(wanted => overlap(span, wanted) > 0)) continue
          yield { span, track: 'speech', text: line, ...(speaker ? { speaker } : {}) }
        }
      },
    }
  },
}

export default subtitles
