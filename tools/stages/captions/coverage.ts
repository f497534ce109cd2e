import { z } from 'zod'
import type { Evidence } from '../../../src/core/evidence.ts'
import type { StageOutcome, StageReader } from '../../../src/core/stage.ts'
import { mergeSpans } from '../../../src/core/time.ts'
import type { TrackCoverage } from '../../../src/core/video.ts'

const Counted = z.object({ bad: z.number() })

// Which part of the video has captions; undefined if none were wanted. Clips that the budget left out are a choice, not a fault.
export async function captionCoverage(
  { state, by, note }: StageOutcome & { by?: string },
  result: StageReader | undefined,
  rows: readonly Evidence[],
): Promise<TrackCoverage | undefined> {
  if (state === 'skipped') return undefined
  const captions = rows.filter(row => row.track === 'caption')
  const track = { by, items: captions.length, spans: mergeSpans(captions.map(row => row.span)), ...(note && { note }) }
  if (!result) return { ...track, state: 'failed', note: note ?? 'could not be made' }
  const { bad } = await result.json('usage.json', Counted)
  return { ...track, state: bad > 0 ? 'partial' : 'indexed' }
}
