import { stamp } from '../../../src/core/evidence.ts'
import type { TextReader } from '../../../src/core/services.ts'
import type { StageContext } from '../../../src/core/stage.ts'
import type { Span } from '../../../src/core/time.ts'
import type { Still } from '../../../src/core/video.ts'
import { decodeImage } from '../../../src/media/image.ts'
import { decodePass, type PassSettings } from '../../../src/media/pass/decode-pass.ts'
import { trackText } from '../text/track-text.ts'
import { worthReading } from '../text/worth-reading.ts'
import { chooseSampling, type KeptStill, Sampler } from './sampling.ts'

// A span of which the index knows only keyframes, decoded in full, and its text read. Writes evidence.jsonl.
export async function deepenedStage(
  { video, out, signal }: Pick<StageContext, 'video' | 'out' | 'signal'>,
  reader: TextReader,
  by: string,
  span: Span,
  settings: PassSettings,
): Promise<void> {
  const keptStills: KeptStill[] = []
  const sampler = new Sampler(chooseSampling(video.duration, 'thorough'), async still => void keptStills.push(still))
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
  const stills = keptStills.map(({ jpeg, ...rest }): Still => ({ ...rest, shot: 0, offset: 0, length: jpeg.length }))
  const readings = []
  const isRead = worthReading()
  for (const [at, still] of stills.entries()) {
    signal.throwIfAborted()
    if (!isRead(still)) continue
    const [lines = []] = await reader.read([await decodeImage(keptStills[at]!.jpeg, still.time)], signal)
    readings.push({ still, lines })
  }
  await out.lines(
    'evidence.jsonl',
    trackText(readings, [{ ...span, opens: 'interval' }], span.end, stills).map(finding =>
      stamp(finding, video.id, by),
    ),
  )
}
