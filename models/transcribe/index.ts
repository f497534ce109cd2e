import { family } from '../../src/core/backend.ts'
import type { Transcriber } from '../../src/core/services.ts'

export const transcribers = family<Transcriber>('transcribe', {
  pocketsphinx: () => import('./pocketsphinx.ts'),
  subtitles: () => import('./subtitles.ts'),
  whisper: () => import('./whisper.ts'),
  sherpa: () => import('./sherpa.ts'),
  parakeet: () => import('./parakeet.ts'),
  openai: () => import('./openai.ts'),
})
