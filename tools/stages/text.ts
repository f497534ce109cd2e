import { stamp } from '../../src/core/evidence.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import type { Still } from '../../src/core/video.ts'
import { openJournal } from './journal.ts'
import type { StageContext } from './stage.ts'
import { overStills, type StillSource } from './still-source.ts'
import { stillsAtOnce } from './stills-at-once.ts'
import { trackText } from './text-tracking.ts'

const BATCH = 4
const PAUSE = 1 // seconds within a shot between two readings, however much moves

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
export async function textStage(
  context: StageContext,
  reader: TextReader,
  by: string,
  source: StillSource,
): Promise<void> {
  const { out, signal, video } = context
  const journal = await openJournal<TextLine[]>(out.parts)
  const { stills, shots, made } = await overStills<TextLine[]>(
    source,
    { size: stillsAtOnce(BATCH), chooser: worthReading, journal },
    async group => {
      signal.throwIfAborted()
      const frames = await Promise.all(group.map(still => source.file.frame(still)))
      const lines = await reader.read(frames, signal)
      context.progress(group[group.length - 1].time, video.duration)
      return lines
    },
  )
  const readings = stills.map(still => ({ still, lines: made.get(still.offset) as TextLine[] }))
  const end = shots.at(-1)?.end ?? video.duration
  await out.lines(
    'evidence.jsonl',
    trackText(readings, shots, end).map(finding => stamp(finding, video.id, by)),
  )
}

// A new shot is always read; within one, motion alone must not have every still read.
function worthReading(): (still: Still) => boolean {
  let last: Still | undefined
  return still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= PAUSE
    if (due) last = still
    return due
  }
}
