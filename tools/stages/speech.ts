import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { clampSpan, type Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'

// Speech to text over the spans where somebody speaks. Writes evidence.jsonl.
export async function speechStage(
  context: StageContext,
  transcriber: Transcriber,
  by: string,
  audio: AudioSource,
  spans: Span[],
  language?: string,
): Promise<void> {
  await context.out.lines('evidence.jsonl', rows())

  async function* rows(): AsyncGenerator<Evidence> {
    for await (const line of transcriber.transcribe({ audio, spans, language }, context.signal)) {
      const span = clampSpan(line.span, context.video.duration)
      if (line.text.trim() === '' || span.end <= span.start) continue
      context.progress(span.end, context.video.duration)
      yield stamp({ ...line, span }, context.video.id, by)
    }
  }
}
