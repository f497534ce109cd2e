import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Listener } from '../../src/core/services.ts'
import { clampSpan, gapsBetween, overlap, type Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'

// Sounds that are not words, over the whole video. Writes evidence.jsonl.
export async function soundsStage(
  context: StageContext,
  listener: Listener,
  by: string,
  audio: AudioSource,
  holes: readonly Span[] = [], // silence that stands for sound that could not be decoded
): Promise<void> {
  await context.out.lines('evidence.jsonl', rows())

  async function* rows(): AsyncGenerator<Evidence> {
    const whole = { start: 0, end: audio.duration }
    for await (const sound of listener.hear({ audio, span: whole }, context.signal)) {
      context.progress(sound.span.end, context.video.duration)
      const span = clampSpan(sound.span, context.video.duration)
      for (const heard of holes.some(hole => overlap(hole, span) > 0) ? gapsBetween(holes, span) : [span])
        yield stamp({ ...sound, span: heard }, context.video.id, by)
    }
  }
}
