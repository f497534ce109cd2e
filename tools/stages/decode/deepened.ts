import { stamp } from '../../../src/core/evidence.ts'
import type { TextReader } from '../../../src/core/services.ts'
import type { StageContext } from '../../../src/core/stage.ts'
import type { Span } from '../../../src/core/time.ts'
import type { Still } from '../../../src/core/video.ts'
import { decodeImage } from '../../../src/media/image.ts'
import { decodePass, type PassSettings } from '../../../src/media/pass/decode-pass.ts'
import { trackText } from '../text/track-text.ts'
import { type Kept, Sampler, samplingOf } from './sampling.ts'

// A span of which the index knows keyframes alone, decoded in full, and its text read. Writes evidence.jsonl.
export async function deepenedStage(
  { video, out, signal }: Pick<StageContext, 'video' | 'out' | 'signal'>,
  reader: TextReader,
  by: string,
  span: Span,
  settings: PassSettings,
): Promise<void> {
  const kept: Kept[] = []
  const sampler = new Sampler(samplingOf(video.duration), async still => void kept.push(still))
  let last = span.start
  await decodePass(
    video,
    { ...settings, level: 'thorough', segments: 1 },
    {
      small(frame) {
        last = frame.time
        sampler.small(frame)
      },
      still: still => sampler.candidate(still, last),
    },
    signal,
    span,
  )
  await sampler.finish()
  const readings = []
  for (const { jpeg, ...rest } of kept) {
    signal.throwIfAborted()
    const [lines = []] = await reader.read([await decodeImage(jpeg, rest.time)], signal)
    const still: Still = { ...rest, shot: 0, offset: 0, length: jpeg.length }
    readings.push({ still, lines })
  }
  await out.lines(
    'evidence.jsonl',
    trackText(readings, [{ ...span, opens: 'interval' }], span.end).map(finding => stamp(finding, video.id, by)),
  )
}
