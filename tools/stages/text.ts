import { stamp } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import type { Still } from '../../src/core/video.ts'
import { ofStills } from './early.ts'

const batch = 4
const pause = 1 // seconds within a shot between two readings, however much moves

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
const text: Stage<'readText'> = {
  name: 'text',
  version: 3,
  role: 'readText',
  track: 'text',
  rows: true,
  ...ofStills,
  megabytes: async given => (await import('./stills/over-stills.ts')).pictureMegabytes(given, 1280),
  async make(context) {
    const { overStills } = await import('./stills/over-stills.ts')
    const { trackText } = await import('./text/track-text.ts')
    const { out, signal, video } = context
    const { service, by } = await context.open()
    const { stills, shots, made } = await overStills<TextLine[]>(context, {
      size: batch,
      atOnce: () => service.atOnce,
      chooser: worthReading,
      work: frames => service.read(frames, signal),
    })
    const readings = stills.map(still => ({ still, lines: made.get(still.offset) as TextLine[] }))
    const found = trackText(readings, shots, shots.at(-1)?.end ?? video.duration)
    await out.lines(
      'evidence.jsonl',
      found.map(finding => stamp(finding, video.id, by)),
    )
  },
}
export default text

// A new shot is always read; within one, motion alone must not have every still read.
function worthReading(): (still: Still) => boolean {
  let last: Still | undefined
  return still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= pause
    if (due) last = still
    return due
  }
}
