import { type ChatModel, emptyUsage, type Usage } from '../../../src/core/chat.ts'
import { type Evidence, stamp } from '../../../src/core/evidence.ts'
import type { StageContext } from '../../../src/core/stage.ts'
import type { Span } from '../../../src/core/time.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { framesByChange, sampleMoments } from '../../moments.ts'
import { askCaption } from './ask-caption.ts'
import type { Budgeter } from './budget.ts'
import { captionRow } from './caption-row.ts'
import { captionFrameSize, expectCallCost } from './expected.ts'
import { wordsMeanwhile } from './words-meanwhile.ts'

interface Dense {
  index: Pick<VideoIndex, 'stills' | 'coverage'>
  rows: readonly Evidence[]
  span: Span
  most: number // frames
  budgeter: Budgeter
}

// A span that a question touched, described from frames of the file itself, 4 and more as the picture changes. Writes evidence.jsonl and
// usage.json, and returns what it has taken.
export async function denseCaption(
  { video, out, signal }: Pick<StageContext, 'video' | 'out' | 'signal'>,
  { service, by }: { service: ChatModel; by: string },
  { index, rows, span, most, budgeter }: Dense,
): Promise<Usage> {
  const { picture } = video
  const size = captionFrameSize(picture ?? { width: 1, height: 1 })
  const times = sampleMoments(span, index, Math.min(most, framesByChange(span, index)))
  const stills = times.map(time => ({ time, shot: 0, reason: 'change' as const, offset: 0, length: 0, ...size }))
  const wordRows = wordsMeanwhile(rows)({ span })
  const expected = expectCallCost({ span, stills }, wordRows, service.id)
  const frames = budgeter.fits(expected) ? await decodeFrames(video, times, { width: size.width }, signal) : []
  const captionFrames = await Promise.all(
    frames.map(async frame => ({ time: frame.time, jpeg: await encodeJpeg(frame) })),
  )
  const outcome =
    captionFrames.length > 0
      ? await askCaption(
          service,
          { video, span, frames: captionFrames, rows: wordRows },
          { budgeter, expected },
          signal,
        )
      : undefined
  const captionRows = outcome?.caption ? [captionRow(span, outcome.times, outcome.caption)] : []
  await out.lines(
    'evidence.jsonl',
    captionRows.map(finding => stamp(finding, video.id, by)),
  )
  const usage = outcome?.usage ?? emptyUsage
  await out.json('usage.json', usage)
  return usage
}
