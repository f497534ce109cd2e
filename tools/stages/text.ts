import { stamp } from '../../src/core/evidence.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Shot, Still } from '../../src/core/video.ts'
import type { StageContext } from './stage.ts'
import type { StillFile } from './still-file.ts'
import { trackText } from './text-tracking.ts'

const BATCH = 4
const PAUSE = 1 // seconds within a shot between two readings, however much moves

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
export async function textStage(
  context: StageContext,
  reader: TextReader,
  by: string,
  stills: Still[],
  shots: Shot[],
  file: StillFile,
): Promise<void> {
  const chosen = worthReading(stills)
  const readings: { still: Still; lines: TextLine[] }[] = []
  for (let at = 0; at < chosen.length; at += BATCH) {
    context.signal.throwIfAborted()
    const batch = chosen.slice(at, at + BATCH)
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

// A new shot is always read; within one, motion alone must not have every still read.
function worthReading(stills: Still[]): Still[] {
  let last: Still | undefined
  return stills.filter(still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= PAUSE
    if (due) last = still
    return due
  })
}
