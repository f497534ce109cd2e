import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Listener } from '../../src/core/services.ts'
import { clampSpan } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'

// Sounds that are not words, over the whole video. Writes evidence.jsonl.
export async function soundsStage(
  context: StageContext,
  listener: Listener,
  by: string,
  audio: AudioSource,
): Promise<void> {
  await context.out.lines('evidence.jsonl', rows())

  async function* rows(): AsyncGenerator<Evidence> {
    const whole = { start: 0, end: audio.duration }
    for await (const sound of listener.hear({ audio, span: whole }, context.signal)) {
      context.progress(sound.span.end, context.video.duration)
      yield stamp({ ...sound, span: clampSpan(sound.span, context.video.duration) }, context.video.id, by)
    }
  }
}
