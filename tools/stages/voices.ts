import type { VoiceFinder } from '../../src/core/services.ts'
import { mergeSpans, roundTime } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'

// Where somebody speaks. Writes voices.json; only these spans are transcribed.
export async function voicesStage(context: StageContext, finder: VoiceFinder, audio: AudioSource): Promise<void> {
  const voices = await finder.voices(audio, context.signal)
  context.progress(audio.duration, audio.duration)
  await context.out.json(
    'voices.json',
    mergeSpans(voices).map(span => ({ start: roundTime(span.start), end: roundTime(span.end) })),
  )
}
