import { stamp } from '../../src/core/evidence.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Shot, Still } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'
import type { StillFile } from './still-file.ts'
import { trackText } from './text-tracking.ts'

const BATCH = 4

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
export async function textStage(
  context: StageContext,
  reader: TextReader,
  by: string,
  stills: Still[],
  shots: Shot[],
  file: StillFile,
): Promise<void> {
  const readings: { still: Still; lines: TextLine[] }[] = []
  for (let at = 0; at < stills.length; at += BATCH) {
    context.signal.throwIfAborted()
    const batch = stills.slice(at, at + BATCH)
    const frames = await Promise.all(batch.map(still => file.frame(still)))
    const lines = await reader.read(frames, context.signal)
    batch.forEach((still, i) => {
      readings.push({ still, lines: lines[i] })
    })
    context.progress(batch[batch.length - 1].time, context.video.duration)
  }
  const end = shots.at(-1)?.end ?? context.video.duration
  await context.out.lines(
    'evidence.jsonl',
    trackText(readings, shots, end).map(finding => stamp(finding, context.video.id, by)),
  )
}
